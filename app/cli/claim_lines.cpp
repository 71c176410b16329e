#include "app/cli/claim_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <ostream>

namespace emergence::cli {

Json claim_as_json(const Claim& claim) {
    return {{"name", claim.name},         {"statement", claim.statement},        {"source", claim.source},
            {"quantity", claim.quantity}, {"allowed", range_text(claim.agrees)}, {"figure", claim.figure},
            {"algebra", claim.algebra}};
}

Json claim_as_json(const Claim& claim, const Measurement& measurement) {
    Json json = claim_as_json(claim);
    json["measured"] = json_number(measurement.value);
    json["detail"] = measurement.detail;
    if (measurement.interval)
        json["interval"] = {json_number(measurement.interval->low), json_number(measurement.interval->high)};
    if (measurement.n > 0) json["n"] = measurement.n;
    if (const auto smallest = smallest_difference(measurement)) json["smallest_difference"] = json_number(*smallest);
    json["verdict"] = verdict_text(verdict_of(claim, measurement));
    return json;
}

void print_statement(const Claim& claim, const std::string& detail, std::ostream& out) {
    out << fmt::format("    {} ({})\n", claim.statement, source_text(claim));
    out << fmt::format("    {}{}{}\n", claim.quantity, detail.empty() ? "" : ": ", detail);
}

Verdict print_measured(const Claim& claim, const Measurement& measurement, std::ostream& out) {
    const Verdict verdict = verdict_of(claim, measurement);
    out << fmt::format("{:<24} {:<18} measured {:<10} allowed {}\n", claim.name, verdict_text(verdict),
                       measured_text(measurement), range_text(claim.agrees));
    print_statement(claim, measurement.detail, out);
    if (const std::string power = power_text(claim, measurement); !power.empty()) out << "    " << power << '\n';
    if (verdict == Verdict::known_difference) out << "    " << claim.known_difference << '\n';
    out << std::flush;
    return verdict;
}

int print_figure_claims(const std::vector<Claim>& claims, const std::string& figure,
                        const std::vector<MeasuredClaim>& measured, std::ostream& out) {
    ClaimCounts counts;
    for (const Claim& claim : claims) {
        if (claim.figure != figure) continue;
        const auto found = std::find_if(measured.begin(), measured.end(),
                                        [&](const MeasuredClaim& m) { return m.name == claim.name; });
        const Measurement none{std::numeric_limits<double>::quiet_NaN(), "was not measured"};
        counts.add(claim, print_measured(claim, found == measured.end() ? none : found->measurement, out));
    }
    const Verdicts verdicts = counts.all();
    if (verdicts.all() > 0) out << counts_text(counts) << '\n';
    return verdicts[Verdict::fails];
}

std::optional<Measurement> kept_measurement(const Claim& claim, const std::vector<ClaimResults>& last) {
    for (const ClaimResults& results : last) {
        const Measurement* found = measured_of(claim, results);
        if (found == nullptr) continue;
        Measurement measured = *found;
        measured.detail += fmt::format(" (kept from the last '{}', version {}{})",
                                       results.figure == kVerified ? kVerified : "figure " + results.figure,
                                       results.version, results.date.empty() ? "" : ", " + results.date);
        return measured;
    }
    return std::nullopt;
}

void print_left_out(const std::vector<std::string>& claims, const Environment& environment) {
    if (claims.empty()) return;
    environment.out << fmt::format("Not measured here, {} without runs: {}\n", claims.size(), fmt::join(claims, " "))
                    << fmt::format("To measure them: {}\n", kBuildVerify);
}

}  // namespace emergence::cli
