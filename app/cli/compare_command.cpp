// compare: finished runs side by side, with intervals and tests.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <ostream>
#include <system_error>

#include "app/cli/command.h"
#include "app/cli/json.h"
#include "app/cli/out_folder.h"
#include "app/cli/saved_runs.h"
#include "app/export/comparison_files.h"
#include "core/base/error.h"
#include "core/base/text.h"

namespace emergence::cli {
namespace {

// Finished runs, compared with the first.
struct CompareRequest {
    std::vector<std::string> folders;
    std::optional<std::string> score;  // of the figure
    std::optional<std::string> out;
    Existing existing = Existing::refuse;
    bool json = false;
    PageFormat page = {};
};

namespace fs = std::filesystem;

std::string short_number(double value) { return fmt::format("{:.4g}", value); }

void print_pair(const PairOfRuns& pair, const Environment& environment) {
    environment.out << fmt::format("{} minus {}\n", pair.b, pair.a);
    environment.out << fmt::format("  {:<34} {:>11} {:>11} {:>11}  {:<24} {:>8}  {}\n", "score", "a", "b", "b - a",
                                   "95 %", "p", "n");
    for (const ScoreDifference& one : pair.differences)
        environment.out << fmt::format(
            "  {:<34} {:>11} {:>11} {:>11}  {:<24} {:>8}  {}\n", one.score, short_number(one.mean_a),
            short_number(one.mean_b), short_number(one.difference),
            std::isnan(one.low) ? "none" : fmt::format("{} to {}", short_number(one.low), short_number(one.high)),
            short_number(one.p), one.paired ? counted(one.n_a, "pair") : fmt::format("{}, {}", one.n_a, one.n_b));
    // Most scores drop the same seeds: each list is said once.
    std::map<std::string, std::vector<std::string>> dropped;
    for (const ScoreDifference& one : pair.differences)
        if (!one.dropped.empty()) dropped[one.dropped].push_back(one.score);
    for (const auto& [seeds, scores] : dropped) {
        const bool all = scores.size() == pair.differences.size();
        environment.out << fmt::format("  Left out{}: {}\n", all ? "" : " of " + listed(scores, std::identity()),
                                       seeds);
    }
}

// With few seeds neither the interval nor p says much.
void warn_of_few_seeds(const std::vector<PairOfRuns>& pairs, const Environment& environment) {
    constexpr int kFew = 6;  // with fewer pairs p cannot be below 0.05
    for (const PairOfRuns& pair : pairs) {
        const auto most = std::max_element(
            pair.differences.begin(), pair.differences.end(),
            [](const auto& a, const auto& b) { return std::min(a.n_a, a.n_b) < std::min(b.n_a, b.n_b); });
        const int n = std::min(most->n_a, most->n_b);
        if (n >= kFew) continue;
        environment.err << fmt::format("compare: {} minus {}: with {} {} intervals are too narrow{}\n", pair.b, pair.a,
                                       n, most->paired ? n == 1 ? "pair" : "pairs" : "seeds each",
                                       most->paired ? fmt::format(", and p is at least {:.2g}", 2.0 / (1 << n)) : "");
    }
}

void print_as_json(const std::vector<PairOfRuns>& pairs, const fs::path& folder, const Environment& environment) {
    Json json = {{"folder", folder.string()}};
    json["comparisons"] = Json::array();
    for (const PairOfRuns& pair : pairs)
        for (const ScoreDifference& one : pair.differences)
            json["comparisons"].push_back({{"run_a", pair.a},
                                           {"run_b", pair.b},
                                           {"score", one.score},
                                           {"paired", one.paired},
                                           {"n_a", one.n_a},
                                           {"n_b", one.n_b},
                                           {"mean_a", json_number(one.mean_a)},
                                           {"mean_b", json_number(one.mean_b)},
                                           {"difference", json_number(one.difference)},
                                           {"low", json_number(one.low)},
                                           {"high", json_number(one.high)},
                                           {"p", json_number(one.p)},
                                           {"dropped", one.dropped}});
    print_json(json, environment.out);
}

int run_compare(const CompareRequest& request, const Environment& environment) {
    if (request.folders.size() < 2) throw InputError("compare needs the folders of at least two runs");
    const std::vector<ComparedRun> runs = saved_runs(request.folders, environment);
    if (runs.front().history.table().empty())
        throw InputError(fmt::format("{}: logs no metrics", request.folders.front()));
    const FigureSpec figure =
        comparison_figure(runs, request.score.value_or(runs.front().history.table().front().name));
    std::vector<PairOfRuns> pairs;
    for (size_t i = 1; i < runs.size(); ++i) {
        pairs.push_back({runs[0].name, runs[i].name, differences_of(runs[0], runs[i], request.score.value_or(""))});
        if (pairs.back().differences.empty())
            throw InputError(fmt::format("{} and {}: {}", request.folders[0], request.folders[i],
                                         why_not_compared(runs[0], runs[i])));
    }
    const fs::path folder = request.out ? folder_named(*request.out) : fs::path("out") / ("comparison-" + time_stamp());
    const FolderLock lock = begin_in(folder, request.existing, environment);
    for (const std::string& line : differing_settings(runs)) environment.out << line << '\n';
    for (const PairOfRuns& pair : pairs) print_pair(pair, environment);
    warn_of_few_seeds(pairs, environment);
    for (const fs::path& file : write_comparison(folder, pairs, figure, kFileFormats, request.page))
        environment.wrote(file);
    if (request.json) print_as_json(pairs, folder, environment);
    return kDone;
}

}  // namespace

Command compare_command() {
    return command_of<CompareRequest>(
        "compare", "Compare finished runs with the first: differences with intervals and tests, one figure",
        [](Options& options, CompareRequest& request) {
            options.texts("folder", "DIR", "Folders of two or more runs", request.folders).required();
            options.text("--score", "NAME",
                         "Metric of the figure, or a quantity of each seed (default: the first metric)", request.score);
            options.out("Folder for the results (default: out/comparison-<date>-<time>)", request.out,
                        request.existing);
            options.page(request.page);
            options.json(request.json, true);
        },
        run_compare);
}

}  // namespace emergence::cli
