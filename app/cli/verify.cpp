// verify: what the papers claim, measured here and now.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/progress.h"
#include "core/base/error.h"

namespace emergence::cli {
namespace {

// "theorem-1" also names its controls, theorem-1-mask and the like.
bool names(const std::string& name, const ExperimentInfo& info, const Claim& claim) {
    return name == info.name || name == claim.name || name == claim.figure ||
           claim.name.starts_with(name + "-");
}

// The claims that are asked for, in the order of the tables. Throws InputError for a name that names none.
std::vector<const Claim*> find_claims(const std::vector<std::string>& asked, const Environment& environment) {
    std::vector<const Claim*> found;
    std::vector<bool> used(asked.size(), false);
    std::string known;
    for (const ExperimentInfo& info : environment.experiments) {
        known += (known.empty() ? "" : ", ") + info.name;
        for (const Claim& claim : info.claims) {
            known += ", " + claim.name;
            bool wanted = asked.empty();
            for (size_t i = 0; i < asked.size(); ++i)
                if (names(asked[i], info, claim)) wanted = used[i] = true;
            if (wanted) found.push_back(&claim);
        }
    }
    for (size_t i = 0; i < asked.size(); ++i)
        if (!used[i]) throw InputError(fmt::format("unknown claim '{}', there are: {}", asked[i], known));
    return found;
}

void print_claim(const Claim& claim, const std::string& detail, std::ostream& out) {
    out << fmt::format("    {} ({})\n", claim.statement, claim.source);
    out << fmt::format("    {}{}{}\n", claim.quantity, detail.empty() ? "" : ": ", detail);
}

// Measures, prints, and says whether it holds.
bool verify(const Claim& claim, std::ostream& out) {
    const auto start = std::chrono::steady_clock::now();
    Measurement measurement;
    Verdict verdict = Verdict::fails;
    try {
        measurement = claim.measure();
        verdict = verdict_of(claim, measurement.value);
    } catch (const std::exception& error) {  // the others are still worth knowing
        measurement = {std::numeric_limits<double>::quiet_NaN(), error.what()};
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    out << fmt::format("{:<24} {:<18} measured {:<10.3g} allowed {:<18} {:.1f} s\n", claim.name,
                       verdict_text(verdict), measurement.value, range_text(claim.agrees), seconds);
    print_claim(claim, measurement.detail, out);
    if (verdict == Verdict::known_difference) out << "    " << claim.known_difference << '\n';
    out << std::flush;
    return verdict != Verdict::fails;
}

void list(const std::vector<const Claim*>& claims, std::ostream& out) {
    for (const Claim* claim : claims) {
        out << fmt::format("{:<24} allowed {:<18} measured by {}\n", claim->name, range_text(claim->agrees),
                           claim->figure.empty() ? "verify" : "figure " + claim->figure);
        print_claim(*claim, "", out);
    }
}

}  // namespace

int run_verify(const VerifyRequest& request, const Environment& environment) {
    const std::vector<const Claim*> claims = find_claims(request.names, environment);
    if (request.list) {
        list(claims, environment.out);
        return kDone;
    }
    int held = 0, failed = 0;
    for (const Claim* claim : claims) {
        if (environment.stop && *environment.stop) break;
        if (!claim->measure) continue;
        ++(verify(*claim, environment.out) ? held : failed);
    }
    environment.out << fmt::format("{} of {} claims hold\n", held, held + failed);
    const bool stopped = environment.stop && *environment.stop;
    return failed > 0 || stopped ? kFailure : kDone;
}

}  // namespace emergence::cli
