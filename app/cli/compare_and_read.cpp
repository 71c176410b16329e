// Carries out compare, which sets finished runs side by side with intervals and tests, and read, which prints numbers
// of saved runs, written as quantities.

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <system_error>
#include <vector>

#include "app/cli/answer.h"
#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/out_folder.h"
#include "app/cli/run_request.h"
#include "app/export/run_files.h"
#include "app/open/opening.h"
#include "app/open/run_folder.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/lab/figures/comparison.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/quantity/quantity.h"
#include "core/lab/runs/run.h"
#include "core/lab/views/run_views.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;

// Returns the saved runs, named by their folders, or by their whole paths if two names are equal. Throws InputError.
std::vector<FinishedRun> saved_runs(const std::vector<std::string>& folders, const Environment& environment) {
    std::vector<FinishedRun> runs;
    std::map<fs::path, fs::path> given;
    for (const std::string& folder : folders) {
        run_given_once(folder, given);
        runs.push_back(finished_run(folder, environment));
    }
    for (size_t i = 0; i < runs.size(); ++i)
        for (size_t j = 0; j < i; ++j)
            if (runs[i].label == runs[j].label) {
                runs[i].label = folders[i];
                runs[j].label = folders[j];
            }
    return runs;
}

// Compares finished runs with the first.
struct CompareRequest {
    std::vector<std::string> folders;
    std::optional<std::string> score;  // of the figure
    std::optional<std::string> out;
};

// Adds a row for each score to `rows`. The text is a table or, if the terminal is too narrow, a few lines for each
// score.
std::string text_of_pair(const PairOfRuns& pair, bool narrow, Json& rows) {
    std::string text = fmt::format("{} minus {}\n", pair.b, pair.a);
    if (!narrow)
        text += fmt::format("  {:<34} {:>11} {:>11} {:>11} {:>11} {:>11} {:>8}  {}\n", "score", "a", "b", "b - a",
                            "95 % from", "to", "p", "n");
    // Most scores drop the same seeds, so print each list only once.
    std::map<std::string, std::vector<std::string>> dropped;
    for (const ScoreDifference& one : pair.differences) {
        rows.push_back({{"run_a", pair.a},
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
        text += row_text(rows.back(),
                         narrow ? "  {score}\n    a {mean_a:.4g}, b {mean_b:.4g}\n"
                                  "    b - a {difference:.4g} ({low:.4g} to {high:.4g})\n    p {p:.4g}, n "
                                : "  {score:<34} {mean_a:>11.4g} {mean_b:>11.4g} {difference:>11.4g} {low:>11.4g} "
                                  "{high:>11.4g} {p:>8.4g}  ") +
                (one.paired ? counted(one.n_a, "pair") : fmt::format("{}, {}", one.n_a, one.n_b)) + '\n';
        if (!one.dropped.empty()) dropped[one.dropped].push_back(one.score);
    }
    for (const auto& [seeds, scores] : dropped) {
        const bool all = scores.size() == pair.differences.size();
        text += fmt::format("  Left out{}: {}\n", all ? "" : " of " + listed(scores, std::identity()), seeds);
    }
    return text;
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
        environment.err << fmt::format("compare: {} minus {}: intervals from only {} {} are too narrow{}\n", pair.b,
                                       pair.a, n, most->paired ? n == 1 ? "pair" : "pairs" : "seeds each",
                                       most->paired ? fmt::format(", and p is at least {:.2g}", 2.0 / (1 << n)) : "");
    }
}

int run_compare(const CompareRequest& request, const Environment& environment) {
    if (request.folders.size() < 2) throw InputError("compare needs the folders of at least two runs");
    const std::vector<FinishedRun> runs = saved_runs(request.folders, environment);
    if (runs.front().history.table().empty()) throw InputError("{}: logs no metrics", request.folders.front());
    const FigureSpec figure =
        comparison_figure(runs, request.score.value_or(runs.front().history.table().front().name));
    std::vector<PairOfRuns> pairs;
    for (size_t i = 1; i < runs.size(); ++i) {
        pairs.push_back({runs[0].label, runs[i].label, differences_of(runs[0], runs[i], request.score.value_or(""))});
        if (pairs.back().differences.empty())
            throw InputError("{} and {}: {}", request.folders[0], request.folders[i],
                             why_not_compared(runs[0], runs[i]));
    }
    const fs::path folder = request.out ? fs::path(*request.out) : fs::path("out") / ("comparison-" + time_stamp());
    const FolderLock lock = begin_in(folder, environment);
    for (const std::string& line : differing_settings(runs)) environment.out << line << '\n';
    Json rows = Json::array();
    const bool narrow = environment.columns < kFullWidth;
    for (const PairOfRuns& pair : pairs) environment.out << text_of_pair(pair, narrow, rows);
    warn_of_few_seeds(pairs, environment);
    for (const fs::path& file : write_comparison(folder, pairs, figure, kFileFormats, environment.asked.page))
        environment.wrote(file);
    if (environment.asked.json) print_json({{"folder", folder.string()}, {"comparisons", rows}}, environment.out);
    return kDone;
}

// Reads numbers of saved runs. Without quantities it lists what each run has.
struct ReadRequest {
    std::vector<std::string> folders;
    std::vector<std::string> quantities;
};

Answer quantities_of(const std::vector<FinishedRun>& runs) {
    Answer answer{{{"runs", Json::array()}}};
    for (const FinishedRun& run : runs) {
        Json quantities = Json::array();
        for (const AvailableQuantity& one : available_quantities(RunView(run)))
            quantities.push_back({{"quantity", one.text}, {"help", one.help}});
        if (runs.size() > 1) answer.text += run.label + ":\n";
        answer.text += rows_text(quantities, "{quantity:<44} {help}\n");
        answer.value["runs"].push_back({{"run", run.label}, {"quantities", quantities}});
    }
    return answer;
}

// Returns one number per seed of each run.
Answer read_seeds(const std::vector<FinishedRun>& runs, const Quantity& quantity) {
    Answer answer{{{"quantity", quantity.text}, {"seeds", Json::array()}}, quantity.text + '\n'};
    for (const FinishedRun& run : runs)
        for (const SeedValue& one : values(RunView(run), quantity)) {
            answer.value["seeds"].push_back({{"run", run.label},
                                             {"index", one.index},
                                             {"seed", one.number},
                                             {"failed", one.failed},
                                             {"value", json_number(one.value)}});
            answer.text += fmt::format("  {}seed {}: {}{}\n", runs.size() > 1 ? run.label + ", " : "", one.number,
                                       std::isnan(one.value) ? "–" : fmt::format("{:.6g}", one.value),
                                       one.failed ? " (failed)" : "");
        }
    return answer;
}

// Counts failed networks of all runs, because means leave them out.
size_t count_failed_in(const std::vector<RunView>& runs) {
    size_t failed = 0;
    for (const RunView& run : runs) failed += static_cast<size_t>(count_networks(*run.snapshot).failed);
    return failed;
}

Answer read_number(const std::vector<RunView>& runs, const Quantity& quantity) {
    const Measurement number = measured(runs, quantity);
    const bool of_networks = number.n > 0 || std::isnan(number.value);
    const size_t failed = of_networks ? count_failed_in(runs) : 0;
    Json json = {{"quantity", quantity.text}, {"value", json_number(number.value)}, {"n", number.n}};
    if (failed > 0) json["failed"] = failed;
    json["low"] = number.interval ? json_number(number.interval->low) : Json();
    json["high"] = number.interval ? json_number(number.interval->high) : Json();
    if (!number.detail.empty()) json["detail"] = number.detail;
    return {json, fmt::format("{}: {}{}{}\n", quantity.text,
                              std::isnan(number.value) ? fmt::format("– (n = {})", number.n) : measured_text(number),
                              number.detail.empty() ? "" : "; " + number.detail,
                              failed == 0 ? "" : fmt::format("; {} failed", counted(failed, "network")))};
}

Answer read(const ReadRequest& request, const Environment& environment) {
    std::vector<Quantity> quantities;
    for (const std::string& text : request.quantities) quantities.push_back(parse_quantity(text));
    const std::vector<FinishedRun> runs = saved_runs(request.folders, environment);
    if (quantities.empty()) return quantities_of(runs);
    Answer answer{{{"runs", Json::array()}, {"quantities", Json::array()}}};
    std::vector<RunView> views;
    for (const FinishedRun& run : runs) {
        views.emplace_back(run);
        answer.value["runs"].push_back(run.label);
    }
    for (const Quantity& quantity : quantities) {
        const Answer one = is_of_seeds(quantity) ? read_seeds(runs, quantity) : read_number(views, quantity);
        answer.value["quantities"].push_back(one.value);
        answer.text += one.text;
    }
    return answer;
}

}  // namespace

Command compare_command() {
    return command_of<CompareRequest>(
        "compare", "Compare finished runs with the first: differences, intervals, tests, and a figure",
        [](Options& options, CompareRequest& request) {
            options.texts("folder", "DIR", "Folders of two or more runs", request.folders).required();
            options.text("--score", "NAME", "Metric or quantity of each network to draw (default: the first metric)",
                         request.score);
            options.out("Folder for the results (default: out/comparison-<date>-<time>)", request.out);
            options.page();
            options.json(true);
        },
        run_compare);
}

Command read_command() {
    return answering<ReadRequest>(
        "read", "Print numbers of saved runs. Without --quantity: list what a run has",
        [](Options& options, ReadRequest& request) {
            options.texts("folder", "DIR", "Folders of runs; a quantity may use several of them", request.folders)
                .required();
            options.texts("--quantity", "Q",
                          "For example 'median(metric msve of emerged)' (may be repeated; see handbook quantities)",
                          request.quantities, true);
        },
        read);
}

}  // namespace emergence::cli
