// verify: what the papers claim, measured here and now.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <ostream>

#include "app/cli/claim_lines.h"
#include "app/cli/commands.h"
#include "core/base/error.h"
#include "core/io/claim_results.h"
#include "core/runtime/claims_table.h"

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

// Measures, prints, and says whether it holds.
bool verify(const Claim& claim, std::ostream& out) {
    Measurement measurement;
    try {
        measurement = claim.measure();
    } catch (const std::exception& error) {  // the others are still worth knowing
        measurement = {std::numeric_limits<double>::quiet_NaN(), error.what()};
    }
    return print_measured(claim, measurement, out) != Verdict::fails;
}

void list(const std::vector<const Claim*>& claims, std::ostream& out) {
    for (const Claim* claim : claims) {
        out << fmt::format("{:<24} allowed {:<18} measured by {}\n", claim->name, range_text(claim->agrees),
                           claim->figure.empty() ? "verify" : "figure " + claim->figure);
        print_statement(*claim, "", out);
    }
}

}  // namespace

int run_verify(const VerifyRequest& request, const Environment& environment) {
    const std::vector<const Claim*> claims = find_claims(request.names, environment);
    if (request.table) {
        environment.out << claims_table(environment.experiments,
                                        read_all_claim_results(environment.assets() / "results"));
        return kDone;
    }
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
