// The table of what a paper claims and what was measured of it.

#include <fmt/format.h>

#include <algorithm>

#include "app/handbook/generated.h"
#include "app/handbook/markdown_table.h"
#include "core/io/claim_results.h"

namespace emergence::handbook {
namespace {

class ClaimsTable {
  public:
    explicit ClaimsTable(const std::filesystem::path& results) : results_(read_all_claim_results(results)) {}

    void add(const Claim& claim) {
        const ClaimResults* figure = results_of(claim.figure);
        const bool measured = figure != nullptr && figure->claims.contains(claim.name);
        const bool first = claim.figure != last_figure_ || rows_.empty();
        last_figure_ = claim.figure;
        const std::string source = claim.source.empty() ? "" : " (" + escaped(claim.source) + ")";
        rows_ +=
            row({first ? (claim.figure.empty() ? "`verify`" : as_code(claim.figure)) : "",
                 escaped(claim.statement) + source,
                 measured ? measured_text(claim, figure->claims.at(claim.name)) : escaped(claim.quantity),
                 escaped(range_text(claim.agrees)),
                 measured ? verdict_cell(claim, figure->claims.at(claim.name).measured)
                          : "`verify " + claim.name + "`",
                 first && figure != nullptr ? time_text(figure->cpu_seconds) : ""});
    }
    std::string text() const {
        std::string notes;
        for (size_t i = 0; i < reasons_.size(); ++i)
            notes += fmt::format("\n({}) {}\n", i + 1, escaped(reasons_[i]));
        return head({"figure", "claim", "measured", "agrees if", "agrees", "CPU time"}) + rows_ + notes;
    }

  private:
    const ClaimResults* results_of(const std::string& figure) const {
        for (const ClaimResults& results : results_)
            if (results.figure == figure) return &results;
        return nullptr;
    }
    static std::string measured_text(const Claim& claim, const ClaimResults::Entry& entry) {
        const std::string text = fmt::format("{}: {:.3g}", claim.quantity, entry.measured);
        return escaped(entry.detail.empty() ? text : text + "; " + entry.detail);
    }
    static std::string time_text(double seconds) {
        return fmt::format("{:.{}f} s", seconds, seconds < 10.0 ? 1 : 0);
    }
    // "yes", or "no" with the number of the reason, which is added to those there are.
    std::string verdict_cell(const Claim& claim, double measured) {
        const Verdict verdict = verdict_of(claim, measured);
        if (verdict != Verdict::known_difference) return verdict == Verdict::agrees ? "yes" : "FAILS";
        auto found = std::find(reasons_.begin(), reasons_.end(), claim.known_difference);
        if (found == reasons_.end()) found = reasons_.insert(reasons_.end(), claim.known_difference);
        return fmt::format("no ({})", found - reasons_.begin() + 1);
    }

    std::vector<ClaimResults> results_;
    std::vector<std::string> reasons_;  // of known differences, each once
    std::string rows_, last_figure_;
};

}  // namespace

std::string claims_table(const std::vector<ExperimentInfo>& experiments,
                         const std::filesystem::path& results) {
    ClaimsTable table(results);
    for (const ExperimentInfo& info : experiments)
        for (const Claim& claim : info.claims) table.add(claim);
    return table.text();
}

}  // namespace emergence::handbook
