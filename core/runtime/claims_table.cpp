#include "core/runtime/claims_table.h"
#include "core/base/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace emergence {
namespace {

const ClaimResults* results_of(const std::string& figure, const std::vector<ClaimResults>& results) {
    for (const ClaimResults& of_figure : results)
        if (of_figure.figure == figure) return &of_figure;
    return nullptr;
}

// "yes", or "no" with the number of the reason, which is added to those there are.
std::string verdict_cell(const Claim& claim, double measured, std::vector<std::string>& reasons) {
    const Verdict verdict = verdict_of(claim, measured);
    if (verdict != Verdict::known_difference) return verdict == Verdict::agrees ? "yes" : "FAILS";
    auto found = std::find(reasons.begin(), reasons.end(), claim.known_difference);
    if (found == reasons.end()) found = reasons.insert(reasons.end(), claim.known_difference);
    return fmt::format("no ({})", found - reasons.begin() + 1);
}

std::string seconds_text(double seconds) { return fmt::format("{:.{}f} s", seconds, seconds < 10.0 ? 1 : 0); }

}  // namespace

std::string claims_table(const std::vector<ExperimentInfo>& experiments,
                         const std::vector<ClaimResults>& results) {
    std::string rows, last_figure;
    std::vector<std::string> reasons;  // of known differences, each once
    for (const ExperimentInfo& info : experiments)
        for (const Claim& claim : info.claims) {
            const ClaimResults* of_figure = results_of(claim.figure, results);
            if (of_figure == nullptr || !of_figure->claims.contains(claim.name)) continue;
            const auto& [measured, detail] = of_figure->claims.at(claim.name);
            const bool first = claim.figure != last_figure;
            rows += fmt::format("| {} | {} | {}: {:.3g}{}{} | {} | {} | {} |\n", first ? claim.figure : "",
                                claim.statement, claim.quantity, measured, detail.empty() ? "" : "; ", detail,
                                range_text(claim.agrees), verdict_cell(claim, measured, reasons),
                                first ? seconds_text(of_figure->cpu_seconds) : "");
            last_figure = claim.figure;
        }
    std::string notes;
    for (size_t i = 0; i < reasons.size(); ++i) notes += fmt::format("\n({}) {}\n", i + 1, reasons[i]);
    return "| figure | the paper says | measured | agrees where | agrees | CPU time "
           "|\n|---|---|---|---|---|---|\n" +
           rows + notes;
}

Stopwatch::Stopwatch() : start_(std::chrono::steady_clock::now()), cpu_start_(std::clock()) {}

double Stopwatch::seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

double Stopwatch::cpu_seconds() const {
    return static_cast<double>(std::clock() - cpu_start_) / static_cast<double>(CLOCKS_PER_SEC);
}

ClaimResults claim_results(const std::string& figure, const Settings& settings, const Stopwatch& watch,
                           int threads, const std::vector<MeasuredClaim>& measured) {
    const auto tenths = [](double seconds) { return std::round(seconds * 10.0) / 10.0; };
    ClaimResults results{figure,  version(), "",      tenths(watch.seconds()), tenths(watch.cpu_seconds()),
                         threads, {},        commit()};
    for (const FieldInfo& field : settings.fields())
        if (settings.value(field.name) != field.default_value || field.name == "seed" ||
            field.name == "seeds")
            results.config += fmt::format("{}{} = {}", results.config.empty() ? "" : ", ", field.name,
                                          to_text(settings.value(field.name)));
    for (const MeasuredClaim& claim : measured)
        results.claims[claim.name] = {claim.measurement.value, claim.measurement.detail};
    return results;
}

}  // namespace emergence
