// verify: what the papers claim, measured here and now.

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <ostream>

#include "app/cli/claim_lines.h"
#include "app/cli/command.h"
#include "app/cli/json.h"
#include "app/handbook/generated.h"
#include "app/handbook/plain.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/lab/figures/claims.h"

namespace emergence::cli {
namespace {

struct VerifyRequest {
    std::vector<std::string> names;  // of experiments, figures or claims; none is all
    bool list = false;               // says what there is, and measures nothing
    bool table = false;              // prints the last results, and measures nothing
    bool json = false;
};

// "theorem-1" also names its controls, theorem-1-mask and the like.
bool names(const std::string& name, const Claim& claim) {
    return name == claim.experiment || name == claim.name || name == claim.figure || claim.name.starts_with(name + "-");
}

// The claims that are asked for. Throws InputError for a name that names none.
std::vector<Claim> find_claims(const std::vector<std::string>& asked, const Environment& environment) {
    std::vector<Claim> found;
    std::vector<bool> used(asked.size(), false);
    std::vector<std::string> known;
    for (const ExperimentInfo& info : environment.experiments) known.push_back(info.name);
    for (const Claim& claim : environment.claims()) {
        known.push_back(claim.name);
        bool wanted = asked.empty();
        for (size_t i = 0; i < asked.size(); ++i)
            if (names(asked[i], claim)) wanted = used[i] = true;
        if (wanted) found.push_back(claim);
    }
    for (size_t i = 0; i < asked.size(); ++i)
        if (!used[i])
            throw InputError(unknown_name("claim", asked[i], known, "'emergence-cli verify --list' names all"));
    return found;
}

Measurement measured(const Claim& claim) {
    try {
        return claim.measure();
    } catch (const std::exception& error) {  // the others are still worth knowing
        return {std::numeric_limits<double>::quiet_NaN(), error.what()};
    }
}

void list(const std::vector<Claim>& claims, std::ostream& out) {
    for (const Claim& claim : claims) {
        out << fmt::format("{:<24} allowed {:<18} measured by {}\n", claim.name, range_text(claim.agrees),
                           claim.figure.empty() ? "verify" : "figure " + claim.figure);
        print_statement(claim, "", out);
    }
}

Json counts_as_json(const Verdicts& verdicts) {
    return {{"agree", verdicts[Verdict::agrees]},
            {"undecided", verdicts[Verdict::undecided]},
            {"differ_as_known", verdicts[Verdict::known_difference]},
            {"fail", verdicts[Verdict::fails]}};
}

int run_verify(const VerifyRequest& request, const Environment& environment) {
    const std::vector<Claim> claims = find_claims(request.names, environment);
    Json json = Json::array();
    if (request.table && request.json) {
        for (const ClaimResults& results : read_all_claim_results(environment.assets() / "results"))
            for (const Claim& claim : claims)
                if (const Measurement* found = measured_of(claim, results))
                    json.push_back(claim_as_json(claim, *found));
        print_json({{"claims", json}}, environment.out);
        return kDone;
    }
    if (request.table) {
        const std::string table = handbook::claims_table(claims, environment.assets() / "results");
        const int columns = environment.out_is_terminal ? environment.columns : std::numeric_limits<int>::max();
        environment.out << handbook::plain_page(handbook::parse_markdown("claims", table), columns);
        return kDone;
    }
    if (request.list) {
        for (const Claim& claim : claims) json.push_back(claim_as_json(claim));
        if (request.json)
            print_json(json, environment.out);
        else
            list(claims, environment.out);
        return kDone;
    }
    const auto last = read_all_claim_results(environment.assets() / "results");
    ClaimCounts counts;
    int unmeasured = 0;
    std::vector<std::string> left_out;
    for (const Claim& claim : claims) {
        if (environment.stopped()) break;
        const bool of_figure = !claim.figure.empty() || claim.function.empty();
        if (!claim.measure && !of_figure) left_out.push_back(claim.name);
        std::optional<Measurement> found;
        if (claim.measure) found = measured(claim);
        // A figure's claims take its runs, minutes often: where they are asked for by name, the last ones' results.
        else if (!of_figure || !request.names.empty())
            found = kept_measurement(claim, last);
        if (!found) {
            ++unmeasured;
            continue;
        }
        counts.add(claim, verdict_of(claim, *found));
        if (request.json)
            json.push_back(claim_as_json(claim, *found));
        else
            print_measured(claim, *found, environment.out);
    }
    const Verdicts verdicts = counts.all(), measured = counts.measured();
    const int code = verdicts[Verdict::fails] > 0 || environment.stopped() || (verdicts.all() == 0 && left_out.empty())
                         ? kFailure
                         : kDone;
    if (request.json) {
        Json object = {{"claims", json},
                       {"of_papers", counts_as_json(counts.papers)},
                       {"of_ours", counts_as_json(counts.ours)},
                       {"algebra_or_repeated", counts_as_json(counts.apart)},
                       {"hold", measured[Verdict::agrees]}};
        object.update(counts_as_json(measured));
        object["not_measured"] = unmeasured;
        object["left_out"] = left_out;
        print_json(object, environment.out);
        return code;
    }
    environment.out << counts_text(counts) << '\n';
    if (unmeasured > 0)
        environment.out << fmt::format("{} more {} measured by figures: emergence-cli figure all\n", unmeasured,
                                       unmeasured == 1 ? "is" : "are");
    print_left_out(left_out, environment);
    return code;
}

}  // namespace

Command verify_command() {
    return command_of<VerifyRequest>(
        "verify", "Check what the papers claim",
        [](Options& options, VerifyRequest& request) {
            options.texts("name", "CLAIM|EXPERIMENT|FIGURE",
                          "Claims, or all those of an experiment or a figure; a theorem's name includes its "
                          "controls (default: all)",
                          request.names);
            options.flag("--list", "List the claims without measuring them", request.list);
            options.flag("--table",
                         "Print the last results as tables, the papers' statements apart from ours, without measuring",
                         request.table);
            options.json(request.json);
        },
        run_verify, true);
}

}  // namespace emergence::cli
