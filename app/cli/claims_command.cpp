// claims: lists claims, says what is wrong with files of claims, measures them on runs.

#include <fmt/format.h>

#include <ostream>

#include "app/cli/claim_lines.h"
#include "app/cli/command.h"
#include "app/cli/grid_figure.h"
#include "app/cli/own_figure.h"
#include "app/open/run_folder.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/lab/figures/claims.h"
#include "core/lab/figures/figures.h"
#include "core/lab/quantity/quantity.h"

namespace emergence::cli {
namespace {

struct ClaimsRequest {
    std::string action = "list";     // check, measure
    std::vector<std::string> paths;  // of claims; to measure: a file, then folders of runs or figures
    bool json = false;
};

namespace fs = std::filesystem;

int check(const ClaimsRequest& request, const Environment& environment) {
    const bool all = request.paths.empty();
    ReadClaims read = all ? read_all_claims(environment.assets() / "figures", environment.experiments)
                          : read_claims({request.paths.begin(), request.paths.end()}, environment.experiments);
    if (all && read.faults.empty()) read.faults = unasked_measures(read.claims, environment.experiments);
    for (const std::string& fault : read.faults) environment.err << fault << '\n';
    if (request.json)
        print_json({{"claims", read.claims.size()}, {"faults", read.faults}}, environment.out);
    else
        environment.out << fmt::format("{}: {}\n", counted(read.claims.size(), "claim"),
                                       read.faults.empty() ? "nothing is wrong" : counted(read.faults.size(), "fault"));
    return read.faults.empty() ? kDone : kBadInput;
}

// The runs of a figure's folder. False if it belongs to no figure.
bool add_runs_of_figure(const std::string& folder, const Environment& environment, std::vector<FinishedRun>& runs) {
    if (const fs::path own = own_figure_in(folder); !own.empty() && environment.own_figure.empty())
        return with_own_figure(own, {}, environment, [&](const Environment& with, const std::string&) {
                   return add_runs_of_figure(folder, with, runs) ? kDone : kFailure;
               }) == kDone;
    const auto figure = grid_figure_in(folder, environment);
    if (!figure) return false;
    MadeFigure made = saved_figure(*figure, environment);
    if (made.runs.empty()) throw InputError(fmt::format("{}: its figure trains no runs", folder));
    for (FinishedRun& run : made.runs) runs.push_back(std::move(run));
    return true;
}

// The runs in a folder: one, or those of a figure.
void add_runs(const std::string& folder, const Environment& environment, std::vector<FinishedRun>& runs) {
    if (add_runs_of_figure(folder, environment, runs)) return;
    const auto found = run_folder_at(folder);
    if (!found) throw InputError(fmt::format("{}: is no folder of a run or a figure", folder));
    const FindExperiment find = [&environment](const std::string& name) -> const ExperimentInfo& {
        return find_experiment_in(environment.experiments, name);
    };
    std::string notice;
    runs.push_back(finished_run_in(*found, find, notice));
    if (!notice.empty()) environment.err << fmt::format("emergence-cli: {}\n", notice);
}

int measure(const ClaimsRequest& request, const Environment& environment) {
    if (request.paths.size() < 2)
        throw InputError("claims measure: a file of claims and the folder of a run or a figure are needed");
    const ReadClaims read = read_claims({request.paths.front()}, environment.experiments);
    if (!read.faults.empty()) throw InputError(read.faults.front());
    std::vector<FinishedRun> runs;
    for (size_t i = 1; i < request.paths.size(); ++i) add_runs(request.paths[i], environment, runs);
    const std::vector<RunView> views(runs.begin(), runs.end());
    // A name that no run has is a mistake in the file, and no result.
    for (const Claim& claim : read.claims) try {
            if (!claim.value.empty()) check_quantity(parse_quantity(claim.value), views);
        } catch (const InputError& error) {
            throw InputError(fmt::format("{}: {}: value: {}", request.paths.front(), claim.name, error.what()));
        }
    Json json = Json::array();
    ClaimCounts counts;
    for (const Claim& claim : read.claims) {
        if (claim.value.empty()) {
            environment.err << fmt::format("emergence-cli: {}: function {} is measured by '{}'\n", claim.name,
                                           claim.function, claim.figure.empty() ? "verify" : "figure " + claim.figure);
            continue;
        }
        const Measurement measured = measured_value(claim, views);
        counts.add(claim, verdict_of(claim, measured));
        if (request.json)
            json.push_back(claim_as_json(claim, measured));
        else
            print_measured(claim, measured, environment.out);
    }
    if (request.json)
        print_json({{"claims", json}}, environment.out);
    else
        environment.out << counts_text(counts) << '\n';
    const Verdicts verdicts = counts.all();
    return verdicts[Verdict::fails] > 0 || verdicts.all() == 0 ? kFailure : kDone;
}

int run_claims(const ClaimsRequest& request, const Environment& environment) {
    if (request.action == "check") return check(request, environment);
    if (request.action == "measure") return measure(request, environment);
    std::vector<std::string> words = {"verify", "--list"};
    if (request.json) words.emplace_back("--json");
    words.insert(words.end(), request.paths.begin(), request.paths.end());
    return run_words(words, environment);
}

}  // namespace

Command claims_command() {
    return command_of<ClaimsRequest>(
        "claims", "List the claims, check files of claims, or measure those of a file on runs",
        [](Options& options, ClaimsRequest& request) {
            options.choice("action", {"list", "check", "measure"}, "list, check, or measure (default: list)",
                           request.action);
            options.texts("path", "FILE|DIR",
                          "Files of claims to check (default: those that ship); a file and the folders of "
                          "runs or figures to measure",
                          request.paths);
            options.json(request.json);
        },
        run_claims, true);
}

}  // namespace emergence::cli
