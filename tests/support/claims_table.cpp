// Makes the table that sets what a paper claims beside what was measured of it.

#include <fmt/format.h>

#include <algorithm>

#include "core/base/ranges.h"
#include "core/experiments/registry.h"
#include "core/lab/figures/claims.h"
#include "tests/support/generated.h"

namespace emergence::handbook {
namespace {

// Whether the statements are the papers' or ours.
class ClaimsTable {
  public:
    explicit ClaimsTable(const std::vector<ClaimResults>& results) : results_(results) {}

    void add(const Claim& claim) {
        const ClaimResults* figure = results_of(claim.figure);
        const Measurement* measured = measured_of(claim, results_);
        const bool first = claim.figure != last_figure_ || rows_.empty();
        last_figure_ = claim.figure;
        rows_ += row({first ? figure_cell(claim.figure, figure) : "",
                      fmt::format("{}: {}", as_code(claim.name), escaped(claim.statement)), escaped(source_text(claim)),
                      measured_cell(claim, measured), escaped(range_text(claim.agrees)) + note_on(claim.reason),
                      measured != nullptr    ? verdict_cell(claim, *measured)
                      : claim.figure.empty() ? "`verify " + claim.name + "`"
                                             : "not run yet"});
    }
    /// "" without rows.
    std::string text(const std::string& title) const {
        if (rows_.empty()) return "";
        std::string notes;
        for (size_t i = 0; i < notes_.size(); ++i) notes += fmt::format("\n({}) {}\n", i + 1, escaped(notes_[i]));
        return title + "\n\n" + head({"figure", "claim", "source", "measured", "agrees if", "agrees"}) + rows_ + notes;
    }

  private:
    const ClaimResults* results_of(const std::string& figure) const {
        for (const ClaimResults& results : results_)
            if (results.figure == figure) return &results;
        return nullptr;
    }
    // Writes "`wang-2`, 18 s", with the CPU time.
    static std::string figure_cell(const std::string& name, const ClaimResults* figure) {
        if (name.empty()) return "`verify`";
        if (figure == nullptr) return as_code(name);
        const double seconds = figure->cpu_seconds;
        return fmt::format("{}, {:.{}f} s", as_code(name), seconds, seconds < 10.0 ? 1 : 0);
    }
    static std::string measured_cell(const Claim& claim, const Measurement* measured) {
        if (measured == nullptr) return escaped(claim.quantity);
        std::string text = fmt::format("{}: {}", claim.quantity, measured_text(*measured));
        for (const std::string& more : {measured->detail, power_text(claim, *measured)})
            if (!more.empty()) text += "; " + more;
        return escaped(text);
    }
    // Writes "yes", or "no" with the number of the reason.
    std::string verdict_cell(const Claim& claim, const Measurement& measured) {
        const Verdict verdict = verdict_of(claim, measured);
        if (verdict == Verdict::agrees) return "yes";
        if (verdict == Verdict::known_difference) return "no" + note_on(claim.known_difference);
        return verdict_text(verdict);
    }
    // Writes " (2)" for the second of the notes below the table, or "" for none. Adds `note` to the notes once.
    std::string note_on(const std::string& note) {
        if (note.empty()) return "";
        auto found = std::find(notes_.begin(), notes_.end(), note);
        if (found == notes_.end()) found = notes_.insert(notes_.end(), note);
        return fmt::format(" ({})", found - notes_.begin() + 1);
    }

    const std::vector<ClaimResults>& results_;
    std::vector<std::string> notes_;
    std::string rows_, last_figure_;
};

// What the results say of some claims.
struct Tally {
    int figures = 0;
    double cpu_seconds = 0.0;
    ClaimCounts counts;

    void add(const std::vector<Claim>& claims, const std::vector<ClaimResults>& all) {
        for (const ClaimResults& results : all) {
            int measured = 0;
            for (const Claim& claim : claims)
                if (const Measurement* found = measured_of(claim, results)) {
                    counts.add(claim, verdict_of(claim, *found));
                    ++measured;
                }
            if (measured == 0 || results.figure == kVerified) continue;
            ++figures;
            cpu_seconds += results.cpu_seconds;
        }
    }
    void add(const Tally& other) {
        figures += other.figures;
        cpu_seconds += other.cpu_seconds;
        counts += other.counts;
    }
    std::string row_of(const std::string& title) {
        std::vector<std::string> cells = {title, fmt::format("{}", figures), fmt::format("{:.1f}", cpu_seconds / 60.0)};
        for (const Verdicts* verdicts : {&counts.papers, &counts.ours}) {
            cells.push_back(fmt::format("{}", verdicts->all()));
            for (const Verdict verdict : kVerdicts) cells.push_back(fmt::format("{}", (*verdicts)[verdict]));
        }
        cells.push_back(fmt::format("{}", counts.apart.all()));
        return row(cells);
    }
};

}  // namespace

std::string claims_table(const std::vector<Claim>& claims, const std::filesystem::path& results) {
    const std::vector<ClaimResults> all = read_all_claim_results(results);
    ClaimsTable papers(all), ours(all);
    for (const Claim& claim : claims) (is_of_a_paper(claim) ? papers : ours).add(claim);
    const std::string stated = papers.text("**What the papers state**"), own = ours.text("**What we add**");
    return stated + (stated.empty() || own.empty() ? "" : "\n") + own;
}

std::string verdicts_table(const std::vector<Claim>& claims, const std::filesystem::path& results) {
    const std::vector<ClaimResults> all = read_all_claim_results(results);
    std::string table = head({"paper", "figures", "CPU minutes", "its claims", "agree", "undecided", "differ", "fail",
                              "ours", "agree", "undecided", "differ", "fail", "algebra or repeated"});
    Tally whole;
    for (const Paper& paper : papers()) {
        Tally one;
        std::vector<Claim> own;
        for (const Claim& claim : claims)
            if (contains(paper.experiments, claim.experiment)) own.push_back(claim);
        one.add(own, all);
        whole.add(one);
        table += one.row_of(as_code(paper.name));
    }
    return table + whole.row_of("all");
}

std::string power_table(const std::vector<Claim>& claims, const std::filesystem::path& results) {
    const std::vector<ClaimResults> all = read_all_claim_results(results);
    std::string table = head({"claim", "verdict", "measured", "agrees if", "smallest difference seen"});
    for (const Claim& claim : claims) {
        const Measurement* measured = measured_of(claim, all);
        if (measured == nullptr || !is_measured(claim)) continue;
        const Verdict verdict = verdict_of(claim, *measured);
        if (verdict == Verdict::agrees) continue;
        const auto smallest = smallest_difference(*measured);
        table += row({as_code(claim.name), verdict_text(verdict), escaped(measured_text(*measured)),
                      range_text(claim.agrees), smallest ? fmt::format("{:.2g}", *smallest) : "\u2013"});
    }
    return table;
}

std::string results_table(const std::filesystem::path& results) {
    std::string table = head({"figure", "made by", "on", "CPU seconds", "seeds, and settings other than the defaults"});
    for (const ClaimResults& one : read_all_claim_results(results))
        table += row({as_code(one.figure),
                      one.commit.empty() ? one.version : fmt::format("{}, {}", one.version, as_code(one.commit)),
                      one.date, fmt::format("{:.1f}", one.cpu_seconds), escaped(one.config)});
    return table;
}

}  // namespace emergence::handbook
