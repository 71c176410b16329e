// Figures 2 to 7 of Chen, Ito and Imaizumi 2025, and our sweeps.
#include "core/experiments/bandits/bandit_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/experiments/bandits/bandit_figure_measures.h"
#include "core/experiments/bandits/bandit_players.h"
#include "core/experiments/figure_recipe.h"
#include "core/measures/regret_law.h"

namespace emergence {
namespace {

const RecipeRun kLow = {"low", {{"kind", "elevated"}, {"rounds", 1000}}};

RecipeRun high(double frequency) {
    return {fmt::format("high, b = {}", frequency),
            {{"kind", "cosine"}, {"frequency", frequency}, {"rounds", 200}}};
}

// Names the chosen players that cannot play, for a caption.
std::string notices_of(const Draft& draft) {
    std::string text;
    for (const std::string& notice : draft.made.notices) text += notice + " ";
    return text;
}

int64_t environments_of(const Snapshot& snapshot) {
    return snapshot.step * static_cast<int64_t>(snapshot.seeds.size());
}

// Adds a run's plot with the experts of one family and the transformer.
void add_family(Draft& draft, const FinishedRun& run, const char* id, ExpertFamily family) {
    PlotSpec plot = plot_of_run(run, id, run.label, fmt::format("{}_{}", id, draft.made.figure.cells.size()));
    std::erase_if(plot.series, [family](const Series& series) {
        return !is_expert(series.name, family) && !is_transformer(series.name);
    });
    plot.spread = Spread::deviation;
    draft.add(std::move(plot));
}

// One row per run, one column per panel: a plot and the family of experts that it shows.
FigureInfo regret_figure(const char* number, const char* title, const char* page_title,
                         std::vector<RecipeRun> runs,
                         std::vector<std::pair<const char*, ExpertFamily>> panels,
                         std::vector<std::string> measures, void (*measure)(Draft&)) {
    std::vector<Change> start = runs.front().changes;
    const int rows = static_cast<int>(runs.size());
    return figure_of(
        {.name = fmt::format("nonstationary-{}", number),
         .title = fmt::format("Figure {}: {}", number, title),
         .page = even_page(page_title, rows, 2, 4.8, 3.4, 0.5),
         .runs = std::move(runs),
         .start = std::move(start),
         .measures = std::move(measures),
         .draw = [number, panels = std::move(panels), measure](Draft& draft) {
             for (const FinishedRun& run : draft.runs())
                 for (const auto& [id, family] : panels) add_family(draft, run, id, family);
             measure(draft);
             const Snapshot& first = draft.run().snapshot;
             draft.caption = fmt::format(
                 "After Figure {} of Chen, Ito and Imaizumi 2025. Dynamic regret on expected rewards; d = {}, A = {}, "
                 "noise {}. {} environments, the same for all algorithms. Lines: mean; bands: "
                 "standard deviation over environments. {}",
                 number, first.settings.integer("d"), first.settings.integer("arms"),
                 first.settings.number("noise"), environments_of(first), notices_of(draft));
         }});
}

void measure_3(Draft& draft) {
    const FinishedRun &low = draft.run(0), &high = draft.run(1);
    const std::vector<ExpertFamily> both = {ExpertFamily::linucb, ExpertFamily::thompson};
    draft.measure("nonstationary-3-transformer-low", transformer_ahead(low, both));
    draft.measure("nonstationary-3-transformer-high", transformer_ahead(high, both));
    draft.measure("nonstationary-3-theory-low", paired_regrets(low, "master-linucb-theory", "linucb"));
    draft.measure("nonstationary-3-theory-high", paired_regrets(high, "master-linucb-theory", "linucb"));
    draft.measure("nonstationary-3-practical-high", paired_regrets(high, "linucb", "master-linucb"));
}

void measure_4(Draft& draft) {
    draft.measure("nonstationary-4-consistent", transformer_lowest(draft.run()));
    draft.measure("nonstationary-4-settles", transformer_settles(draft.run()));
}

void measure_5(Draft& draft) {
    draft.measure("nonstationary-5-consistent", transformer_lowest(draft.run()));
    draft.measure("nonstationary-5-settles", transformer_settles(draft.run()));
}

void measure_6(Draft& draft) {
    draft.measure("nonstationary-6-transformer", transformer_ahead(draft.run(), {ExpertFamily::linucb}));
}

void measure_7(Draft& draft) {
    draft.measure("nonstationary-7-transformer", transformer_ahead(draft.run(), {ExpertFamily::thompson}));
}

// One column per choice of constants: MASTER's instances above its tests.
void draw_instances(Draft& draft) {
    std::string tests;  // "theory: test 1 due 50 times, ..."
    for (int column = 0; column < 2; ++column) {
        const FinishedRun& run = draft.run(static_cast<size_t>(column));
        draft.add(plot_of_run(run, "master_timeline", run.label + ": instances",
                              fmt::format("master_timeline_{}", column)),
                  0, column);
        PlotSpec plot =
            plot_of_run(run, "master_tests", run.label + ": tests", fmt::format("master_tests_{}", column));
        tests += fmt::format("{}: {}. ", run.label, plot.readout);
        draft.add(std::move(plot), 1, column);
    }
    draft.measure("nonstationary-2-lowest-acts", not_the_lowest(draft.run(1)));
    const Settings& settings = draft.settings;
    draft.caption = fmt::format(
        "After Figure 2 of Chen, Ito and Imaizumi 2025, of a real run: MASTER + LinUCB on environment {} ({}, T = "
        "{}), with the theory's constants and with our practical ones (q = {}). Grey: scheduled instances by order; "
        "orange: the active one. Below: both tests' statistics over their thresholds; at 1 a test fires; {}",
        settings.integer("seed"), settings.text("kind"), settings.integer("rounds"),
        settings.number("probability"), tests);
}

void draw_sweeps(Draft& draft) {
    for (size_t i = 0; i < draft.runs().size(); ++i) {
        PlotSpec plot = plot_of_run(draft.run(i), "sweep", draft.run(i).label, fmt::format("sweep_{}", i));
        std::erase_if(plot.series,
                      [](const Series& series) { return is_expert(series.name, ExpertFamily::thompson); });
        draft.add(std::move(plot));
    }
    const auto measure = [&](const char* claim, size_t run, BanditAlgorithm algorithm) {
        const PlotSpec plot = plot_of_run(draft.run(run), "sweep", "");
        const std::string label = info_of(algorithm).label;
        const auto regret = std::find_if(plot.series.begin(), plot.series.end(), [&](const Series& series) {
            return series.name.starts_with(label + ": ") || series.name.starts_with(label + " (oracle): ");
        });
        if (regret == plot.series.end()) throw InputError(label + ": does not play in this sweep");
        const FittedExponent exponent = fitted_exponent(regret->x, regret->rows);
        draft.measure(claim, Measurement{exponent.value, "fitted exponent, interval by a bootstrap",
                                         Range{exponent.low, exponent.high},
                                         static_cast<int64_t>(regret->rows.size())});
    };
    measure("nonstationary-sqrt-j", 1, BanditAlgorithm::oracle_restart);
    measure("nonstationary-third-delta", 2, BanditAlgorithm::master_linucb);
    draft.caption = fmt::format(
        "Regret after all rounds, log-log; the legend names fitted exponents with 95 % intervals, dashed guides have "
        "slope 1/2 and 1/3. {} environments at each point. Lines: mean; bands: standard error. {}",
        environments_of(draft.run().snapshot), notices_of(draft));
}

}  // namespace

FigureInfo figure_of_instances() {
    return figure_of({.name = "nonstationary-2",
                      .title = "Figure 2: MASTER's instances and tests",
                      .page = {"Instances and tests of MASTER", {1, 1}, {1, 1}, 10, 6.6},
                      .runs = {{"theory", {{"timeline_of", "master-linucb-theory"}}},
                               {"practical", {{"timeline_of", "master-linucb"}}}},
                      .measures = {"nonstationary-2-lowest-acts"},
                      .draw = draw_instances});
}

std::vector<FigureInfo> bandit_eval_figures() {
    using enum ExpertFamily;
    return {regret_figure("3", "cumulative regret, low and high", "Cumulative regret", {kLow, high(0.018)},
                          {{"regret", linucb}, {"regret", thompson}},
                          {"nonstationary-3-transformer-low", "nonstationary-3-transformer-high",
                           "nonstationary-3-theory-low", "nonstationary-3-theory-high",
                           "nonstationary-3-practical-high"},
                          measure_3),
            regret_figure("4", "suboptimality, low", "Suboptimality, low non-stationarity", {kLow},
                          {{"suboptimality", linucb}, {"suboptimality", thompson}},
                          {"nonstationary-4-consistent", "nonstationary-4-settles"}, measure_4),
            regret_figure("5", "suboptimality, b = 0.018", "Suboptimality, high non-stationarity",
                          {high(0.018)}, {{"suboptimality", linucb}, {"suboptimality", thompson}},
                          {"nonstationary-5-consistent", "nonstationary-5-settles"}, measure_5),
            regret_figure("6", "b = 0.025, LinUCB", "High non-stationarity, b = 0.025", {high(0.025)},
                          {{"suboptimality", linucb}, {"regret", linucb}}, {"nonstationary-6-transformer"},
                          measure_6),
            regret_figure("7", "b = 0.025, Thompson sampling", "High non-stationarity, b = 0.025",
                          {high(0.025)}, {{"suboptimality", thompson}, {"regret", thompson}},
                          {"nonstationary-7-transformer"}, measure_7)};
}

FigureInfo figure_of_sweeps() {
    return figure_of({.name = "nonstationary-sweeps",
                      .title = "Regret against non-stationarity and rounds (ours)",
                      .page = {"Regret against non-stationarity and against rounds", {1, 1}, {1, 1}, 12, 9},
                      .runs = {{"cosine, T = 200", {{"kind", "cosine"}, {"rounds", 200}}},
                               {"abrupt, T = 1,000", {{"kind", "abrupt"}, {"rounds", 1000}}},
                               {"drift, T = 1,000", {{"kind", "drift"}, {"rounds", 1000}}},
                               {"abrupt, J = 8", {{"kind", "abrupt"}, {"rounds", 1600}, {"over", "rounds"}}}},
                      .start = {{"kind", "cosine"}, {"rounds", 200}},
                      .measures = {"nonstationary-sqrt-j", "nonstationary-third-delta"},
                      .draw = draw_sweeps});
}

}  // namespace emergence
