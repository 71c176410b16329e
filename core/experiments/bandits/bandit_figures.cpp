#include "core/experiments/bandits/bandit_players.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/experiments/bandits/bandit_train.h"
#include "core/experiments/figure_file.h"
#include "core/experiments/figure_recipe.h"
#include "core/measures/bandit_measures.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

// The number of rounds in which an instance acted that was not the live one of the lowest order.
Measurement not_the_lowest(const FinishedRun& run) {
    const PlotSpec plot = plot_of_run(run, "master_timeline", "");
    std::map<int, double> lowest, active;  // by round
    for (const Series& series : plot.series) {
        if (series.rows.empty()) continue;
        const std::vector<double>& order = series.rows.front();
        if (series.points) {
            for (size_t i = 0; i < series.x.size(); ++i) active[static_cast<int>(series.x[i])] = order[i];
            continue;
        }
        // x holds triples: an instance's first round, its last round, and a gap.
        for (size_t i = 0; i + 2 < series.x.size(); i += 3)
            for (int round = static_cast<int>(series.x[i]); round <= static_cast<int>(series.x[i + 1]); ++round) {
                const auto [at, first] = lowest.try_emplace(round, order[i]);
                if (!first) at->second = smaller(at->second, order[i]);
            }
    }
    const auto wrong = std::count_if(active.begin(), active.end(), [&](const auto& round) {
        const auto found = lowest.find(round.first);
        return found == lowest.end() || found->second != round.second;
    });
    return {static_cast<double>(wrong), fmt::format("of {} rounds", active.size())};
}

void measure_instances(Draft& draft) {
    std::string tests;  // "theory: test 1 due 50 times, ..."
    for (const FinishedRun& run : draft.runs())
        tests += fmt::format("{}: {}. ", run.label, plot_of_run(run, "master_tests", "").readout);
    draft.measure("nonstationary-2-lowest-acts", not_the_lowest(draft.run(1)));
    const Settings& settings = draft.settings;
    draft.caption = fmt::format(
        "After Figure 2 of Chen, Ito and Imaizumi 2025, of a real run: MASTER + LinUCB on environment {} ({}, T = "
        "{}), with the theory's constants and with our practical ones (q = {}). Grey: scheduled instances by order; "
        "orange: the active one. Below: both tests' statistics over their thresholds; at 1 a test fires; {}",
        settings.integer("seed"), settings.text("kind"), settings.integer("rounds"), settings.number("probability"),
        tests);
}

void measure_sweeps(Draft& draft) {
    const auto measure = [&](const char* claim, size_t run, BanditAlgorithm algorithm) {
        const PlotSpec plot = plot_of_run(draft.run(run), "sweep", "");
        if (plot.series.empty()) return;  // nothing has been played yet
        const std::string label = info_of(algorithm).label;
        const auto regret = std::find_if(plot.series.begin(), plot.series.end(), [&](const Series& series) {
            return series.name.starts_with(label + ": ") || series.name.starts_with(label + " (oracle): ");
        });
        if (regret == plot.series.end()) throw InputError(label + ": does not play in this sweep");
        const FittedExponent exponent = fitted_exponent(regret->x, regret->rows);
        draft.measure(claim,
                      Measurement{exponent.value, "fitted exponent, interval by a bootstrap",
                                  Range{exponent.low, exponent.high}, static_cast<int64_t>(regret->rows.size())});
    };
    measure("nonstationary-sqrt-j", 1, BanditAlgorithm::oracle_restart);
    measure("nonstationary-third-delta", 2, BanditAlgorithm::master_linucb);
}

}  // namespace

FigureInfo figure_of_instances() {
    return figure_of(
        shipped_recipe("nonstationary-2", {.measures = {"nonstationary-2-lowest-acts"}, .draw = measure_instances}));
}

std::vector<FigureInfo> bandit_eval_figures() {
    std::vector<FigureInfo> figures;
    for (const char* number : {"3", "4", "5", "6", "7"})
        figures.push_back(figure_of(shipped_recipe(std::string("nonstationary-") + number)));
    return figures;
}

FigureInfo figure_of_sweeps() {
    return figure_of(
        shipped_recipe("nonstationary-sweeps",
                       {.measures = {"nonstationary-sqrt-j", "nonstationary-third-delta"}, .draw = measure_sweeps}));
}

}  // namespace emergence
