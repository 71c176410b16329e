#include "core/experiments/bandits/bandit_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/version.h"
#include "core/experiments/bandits/bandit_figure_measures.h"
#include "core/experiments/bandits/bandit_sweep_plots.h"
#include "core/experiments/figure_parts.h"
#include "core/experiments/figure_runs.h"

namespace emergence {
namespace {

PlotSpec family_plot(const FinishedRun& run, const char* id, Family family, const std::string& title,
                     size_t panel) {
    PlotSpec plot = plot_of_run(run, id, title);
    std::erase_if(plot.series, [family](const Series& series) {
        return !is_expert(series.name, family) && !is_transformer(series.name);
    });
    plot.id = fmt::format("{}_{}", id, panel);
    plot.spread = Spread::deviation;
    return plot;
}

GridConfig low_config(const Settings& settings) {
    return config_with("low", settings, {{"kind", std::string("elevated")}, {"rounds", whole(1000)}});
}
GridConfig high(const Settings& settings, double frequency) {
    return config_with(fmt::format("high, b = {}", frequency), settings,
                       {{"kind", std::string("cosine")}, {"frequency", frequency}, {"rounds", whole(200)}});
}

// Names the chosen players that cannot play, for a caption.
std::string notices_of(const FigureRuns& runs) {
    std::string text;
    for (const std::string& notice : runs.result.notices) text += notice + " ";
    return text;
}

std::string bandit_caption(const char* after, const FigureRuns& runs) {
    const Snapshot& first = runs.grid.runs.front().snapshot;
    const Settings& settings = first.settings;
    return fmt::format(
        "After {} of Chen, Ito and Imaizumi 2025. Dynamic regret on expected rewards; d = {}, A = {}, noise "
        "{}. {} environments, the same for all algorithms (streams {}..{}). "
        "Lines: mean; bands: standard deviation over environments. {}Emergence {}.",
        after, settings.integer("d"), settings.integer("arms"), settings.number("noise"),
        first.step * static_cast<int64_t>(first.seeds.size()), first.settings.integer("seed"),
        first.settings.integer("seed") + static_cast<int64_t>(first.seeds.size()) - 1, notices_of(runs),
        version());
}

struct Panel {
    const char* id;
    Family family;
    size_t run;
};

GridFigure panels(FigureRuns& runs, const char* name, const char* title, const char* number, int columns,
                  const std::vector<Panel>& wanted) {
    if (runs.grid.stopped) return runs.result;
    FigureSpec& figure = runs.result.figure;
    figure.name = name;
    figure.title = title;
    const auto rows = (wanted.size() + static_cast<size_t>(columns) - 1) / static_cast<size_t>(columns);
    figure.column_weights.assign(static_cast<size_t>(columns), 1.0);
    figure.row_weights.assign(rows, 1.0);
    figure.width_inches = 4.8 * columns;
    figure.height_inches = 3.4 * static_cast<double>(rows) + 0.5;
    for (size_t i = 0; i < wanted.size(); ++i)
        figure.cells.push_back({family_plot(runs.grid.runs[wanted[i].run], wanted[i].id, wanted[i].family,
                                            runs.configs[wanted[i].run].label, i),
                                static_cast<int>(i) / columns, static_cast<int>(i) % columns});
    figure.caption = bandit_caption(number, runs);
    return runs.result;
}

GridFigure nonstationary_figure_3(const ExperimentInfo& info, const Settings& settings,
                                  const GridOptions& options) {
    FigureRuns runs = run_all(info, {low_config(settings), high(settings, 0.018)}, options);
    GridFigure result = panels(runs, "nonstationary-3", "Cumulative regret", "Figure 3", 2,
                               {{"regret", Family::linucb, 0},
                                {"regret", Family::thompson, 0},
                                {"regret", Family::linucb, 1},
                                {"regret", Family::thompson, 1}});
    if (result.stopped) return result;
    const FinishedRun &at_low = runs.grid.runs[0], &at_high = runs.grid.runs[1];
    result.measured = {
        {"nonstationary-3-transformer-low", transformer_ahead(at_low, {Family::linucb, Family::thompson})},
        {"nonstationary-3-transformer-high", transformer_ahead(at_high, {Family::linucb, Family::thompson})},
        {"nonstationary-3-theory-low", paired_regrets(at_low, "master-linucb-theory", "linucb")},
        {"nonstationary-3-theory-high", paired_regrets(at_high, "master-linucb-theory", "linucb")},
        {"nonstationary-3-practical-high", paired_regrets(at_high, "linucb", "master-linucb")}};
    return result;
}

GridFigure nonstationary_figure_4(const ExperimentInfo& info, const Settings& settings,
                                  const GridOptions& options) {
    FigureRuns runs = run_all(info, {low_config(settings)}, options);
    GridFigure result =
        panels(runs, "nonstationary-4", "Suboptimality, low non-stationarity", "Figure 4", 2,
               {{"suboptimality", Family::linucb, 0}, {"suboptimality", Family::thompson, 0}});
    if (result.stopped) return result;
    result.measured = {{"nonstationary-4-consistent", transformer_lowest(runs.grid.runs[0])},
                       {"nonstationary-4-settles", transformer_settles(runs.grid.runs[0])}};
    return result;
}

GridFigure figure_5(const ExperimentInfo& info, const Settings& settings, const GridOptions& options) {
    FigureRuns runs = run_all(info, {high(settings, 0.018)}, options);
    GridFigure result =
        panels(runs, "nonstationary-5", "Suboptimality, high non-stationarity", "Figure 5", 2,
               {{"suboptimality", Family::linucb, 0}, {"suboptimality", Family::thompson, 0}});
    if (result.stopped) return result;
    result.measured = {{"nonstationary-5-consistent", transformer_lowest(runs.grid.runs[0])},
                       {"nonstationary-5-settles", transformer_settles(runs.grid.runs[0])}};
    return result;
}

GridFigure figure_6_or_7(const ExperimentInfo& info, const Settings& settings, const GridOptions& options,
                         Family family) {
    FigureRuns runs = run_all(info, {high(settings, 0.025)}, options);
    const bool six = family == Family::linucb;
    const std::string name = six ? "nonstationary-6" : "nonstationary-7";
    GridFigure result =
        panels(runs, name.c_str(), "High non-stationarity, b = 0.025", six ? "Figure 6" : "Figure 7", 2,
               {{"suboptimality", family, 0}, {"regret", family, 0}});
    if (result.stopped) return result;
    result.measured = {{name + "-transformer", transformer_ahead(runs.grid.runs[0], {family})}};
    return result;
}

GridFigure nonstationary_figure_2(const ExperimentInfo& info, const Settings& settings,
                                  const GridOptions& options) {
    FigureRuns runs =
        run_all(info,
                {config_with("theory", settings, {{"timeline_of", std::string("master-linucb-theory")}}),
                 config_with("practical", settings, {{"timeline_of", std::string("master-linucb")}})},
                options);
    if (runs.grid.stopped) return runs.result;
    FigureSpec& figure = runs.result.figure;
    figure.name = "nonstationary-2";
    figure.title = "Instances and tests of MASTER";
    figure.column_weights = figure.row_weights = {1, 1};
    figure.width_inches = 10;
    figure.height_inches = 6.6;
    std::string tests;  // "theory: test 1 due 50 times, ..."
    for (int column = 0; column < 2; ++column) {
        const FinishedRun& run = runs.grid.runs[static_cast<size_t>(column)];
        int row = 0;
        for (const char* id : {"master_timeline", "master_tests"}) {
            PlotSpec plot = plot_of_run(
                run, id,
                runs.configs[static_cast<size_t>(column)].label + (row == 0 ? ": instances" : ": tests"));
            plot.id += fmt::format("_{}", column);
            if (row == 1)
                tests +=
                    fmt::format("{}: {}. ", runs.configs[static_cast<size_t>(column)].label, plot.readout);
            figure.cells.push_back({std::move(plot), row++, column});
        }
    }
    figure.caption = fmt::format(
        "After Figure 2 of Chen, Ito and Imaizumi 2025, of a real run: MASTER + LinUCB on environment {} "
        "({}, T = {}), "
        "with the theory's constants and with our practical ones (q = {}). Grey: scheduled instances by "
        "order; orange: "
        "the active one. Below: both tests' statistics over their thresholds; at 1 a test fires; {}Emergence "
        "{}.",
        settings.integer("seed"), settings.text("kind"), settings.integer("rounds"),
        settings.number("probability"), tests, version());
    const auto restarts = [&](size_t run) {
        return Measurement{scalar_of(runs.grid.runs[run], "restarts").value, ""};
    };
    runs.result.measured = {{"nonstationary-2-lowest-acts", not_the_lowest(runs.grid.runs[1])},
                            {"nonstationary-2-theory-silent", restarts(0)},
                            {"nonstationary-2-practical-restarts", restarts(1)}};
    return runs.result;
}

GridFigure figure_sweeps(const ExperimentInfo& info, const Settings& settings, const GridOptions& options) {
    using Changes = std::vector<std::pair<const char*, FieldValue>>;
    const auto text = [](const char* value) { return FieldValue(std::string(value)); };
    FigureRuns runs = run_all(
        info,
        {config_with("cosine, T = 200", settings, Changes{{"kind", text("cosine")}, {"rounds", whole(200)}}),
         config_with("abrupt, T = 1,000", settings,
                     Changes{{"kind", text("abrupt")}, {"rounds", whole(1000)}}),
         config_with("drift, T = 1,000", settings, Changes{{"kind", text("drift")}, {"rounds", whole(1000)}}),
         config_with("abrupt, J = 8", settings,
                     Changes{{"kind", text("abrupt")}, {"rounds", whole(1600)}, {"over", text("rounds")}})},
        options);
    if (runs.grid.stopped) return runs.result;
    FigureSpec& figure = runs.result.figure;
    figure.name = "nonstationary-sweeps";
    figure.title = "Regret against non-stationarity and against rounds";
    figure.column_weights = figure.row_weights = {1, 1};
    figure.width_inches = 12;
    figure.height_inches = 9;
    for (size_t i = 0; i < runs.configs.size(); ++i) {
        PlotSpec plot = plot_of_run(runs.grid.runs[i], "sweep", runs.configs[i].label);
        std::erase_if(plot.series,
                      [](const Series& series) { return is_expert(series.name, Family::thompson); });
        plot.id += fmt::format("_{}", i);
        figure.cells.push_back({std::move(plot), static_cast<int>(i) / 2, static_cast<int>(i) % 2});
    }
    const Snapshot& first = runs.grid.runs.front().snapshot;
    figure.caption = fmt::format(
        "Regret after all rounds, log-log; the legend names fitted exponents with 95 % intervals, dashed "
        "guides have slope 1/2 and 1/3. {} "
        "environments at each point. Lines: mean; bands: standard error. {}Emergence {}.",
        first.step * static_cast<int64_t>(first.seeds.size()), notices_of(runs), version());
    // The help reads "fitted exponent, 95 % interval 0.40 to 0.58 by a bootstrap ..."; the detail ends before
    // " by ".
    const auto exponent = [&](size_t run, const char* id) {
        const Scalar& scalar = scalar_of(runs.grid.runs[run], std::string("exponent_") + id);
        return Measurement{scalar.value, scalar.help.substr(0, scalar.help.find(" by "))};
    };
    runs.result.measured = {{"nonstationary-sqrt-j", exponent(1, "oracle-restart")},
                            {"nonstationary-third-delta", exponent(2, "master-linucb")}};
    return runs.result;
}

}  // namespace

std::vector<GridFigureInfo> bandit_race_figures() {
    return {{"nonstationary-2", "Figure 2: MASTER's instances and tests", "nonstationary-2",
             nonstationary_figure_2}};
}

std::vector<GridFigureInfo> bandit_eval_figures() {
    const auto with_family = [](Family family) {
        return [family](const ExperimentInfo& info, const Settings& settings, const GridOptions& options) {
            return figure_6_or_7(info, settings, options, family);
        };
    };
    return {
        {"nonstationary-3", "Figure 3: cumulative regret, low and high", "nonstationary-3",
         nonstationary_figure_3},
        {"nonstationary-4", "Figure 4: suboptimality, low", "nonstationary-4", nonstationary_figure_4},
        {"nonstationary-5", "Figure 5: suboptimality, b = 0.018", "nonstationary-5", figure_5},
        {"nonstationary-6", "Figure 6: b = 0.025, LinUCB", "nonstationary-6", with_family(Family::linucb)},
        {"nonstationary-7", "Figure 7: b = 0.025, Thompson sampling", "nonstationary-7",
         with_family(Family::thompson)}};
}

std::vector<GridFigureInfo> bandit_sweep_figures() {
    return {{"nonstationary-sweeps", "Regret against non-stationarity and rounds (ours)",
             "nonstationary-sweeps", figure_sweeps}};
}

}  // namespace emergence
