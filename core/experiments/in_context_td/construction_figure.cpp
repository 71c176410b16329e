#include "core/experiments/in_context_td/construction_figure.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/version.h"
#include "core/experiments/figure_parts.h"

namespace emergence {
namespace {

// A log axis cannot show 0: nothing is drawn before the first layer, or if both agree to the last bit.
void add_panel(FigureSpec& figure, const FinishedRun& run, const std::string& id, const std::string& title,
               int row, int column) {
    PlotSpec plot = plot_of_run(run, id, title);
    plot.id += fmt::format("_{}", column);
    for (Series& series : plot.series)
        if (!series.dashed) series.name = "";
    figure.cells.push_back({std::move(plot), row, column});
}

double largest_of_metric(const FinishedRun& run, const std::string& metric) {
    double result = 0.0;
    for (int k = 0; k < run.history.num_seeds(); ++k)
        for (const double x : run.history.column(metric, k)) result = std::max(result, x);
    return result;
}

}  // namespace

const MetricTable& construction_metrics() {
    static const MetricTable table = {
        {"absolute_difference", "absolute", "|y_l + <\u03c6, w_l>|: transformer against algorithm."},
        {"relative_difference", "relative", "The same over |\u03c6| |w_l|."},
        {"transformer", "transformer", "The value that the transformer predicts after this layer, -y_l."},
        {"algorithm", "algorithm", "The algorithm's value after as many steps, <\u03c6, w_l>."},
        {"msve", "transformer",
         "Mean square value error of the transformer after this layer, every state a query, weighted by the "
         "stationary distribution; average reward's up to a constant."},
        {"msve_algorithm", "algorithm", "The same of the algorithm after as many steps."},
    };
    return table;
}

const std::vector<MetricPlot>& construction_plots() {
    static const std::vector<MetricPlot> plots = [] {
        const char* const note =
            "|y + <\u03c6, w>|, and relative to |\u03c6| |w|. Double precision: what is left is rounding, "
            "which grows where the iterates grow. Where both "
            "agree "
            "to the last bit there is no point.";
        MetricPlot absolute, relative, values;
        absolute.id = "absolute_difference";
        absolute.title = "Transformer and algorithm: difference";
        absolute.lines = {{"absolute_difference", "", 0, false}};
        absolute.y.label = "difference";
        absolute.y.scale = Scale::logarithmic;
        absolute.note = note;
        relative.id = "relative_difference";
        relative.title = "The same, relative";
        relative.lines = {{"relative_difference", "", 2, false}};
        relative.y.label = "relative difference";
        relative.y.scale = Scale::logarithmic;
        relative.note = note;
        values.id = "values";
        values.title = "Predicted values";
        values.lines = {{"transformer", "", 0, false}, {"algorithm", "", 1, true}};
        values.y.label = "value of the query";
        values.note = "Both lines lie on each other where the construction is right.";
        return std::vector<MetricPlot>{absolute, relative, values};
    }();
    return plots;
}

GridFigure figure_wang_13(const ExperimentInfo& info, const Settings& preset, const GridOptions& options) {
    std::vector<GridConfig> configs;
    for (const auto& [label, algorithm] : {std::pair{"TD(0)", "td"},
                                           {"residual gradient", "residual_gradient"},
                                           {"TD(\u03bb)", "td_lambda"},
                                           {"average-reward TD", "average_reward_td"}}) {
        configs.push_back({label, preset});
        configs.back().settings.set("algorithm", std::string(algorithm));
    }
    const StudyGrid grid = run_studies(info, configs, options);
    GridFigure made{{}, {}, grid.failures, grid.stopped};
    if (grid.stopped) return made;
    FigureSpec& figure = made.figure;
    figure.name = "wang-13";
    figure.title = "Constructed transformers against their algorithms";
    figure.column_weights = {1, 1, 1, 1};
    figure.row_weights = {1, 1};
    figure.width_inches = 14;
    figure.height_inches = 6.4;
    const char* const claims[] = {"wang-13-td", "wang-13-residual-gradient", "wang-13-td-lambda",
                                  "wang-13-average-reward"};
    for (int i = 0; i < 4; ++i) {
        const FinishedRun& run = grid.runs[static_cast<size_t>(i)];
        const std::string& label = configs[static_cast<size_t>(i)].label;
        add_panel(figure, run, "absolute_difference", label, 0, i);
        add_panel(figure, run, "relative_difference", label + ", relative", 1, i);
        made.measured.push_back(
            {claims[i],
             {largest_of_metric(run, "relative_difference"),
              fmt::format("absolute {:.2g}", largest_of_metric(run, "absolute_difference"))}});
    }
    const Settings& first = grid.runs[0].snapshot.settings;
    figure.caption = fmt::format(
        "After Figure 13 of Wang et al. 2025: d = {}, n = {}, {} layers, arbitrary C_l, {} prompts from "
        "random "
        "Boyan chains, double precision. Lines: mean over prompts, bands: standard error. Relative: over "
        "|phi| |w|, since the iterates themselves grow. Emergence {}.",
        first.integer("d"), first.integer("n"), first.integer("num_layers"), first.integer("seeds"),
        version());
    return made;
}

}  // namespace emergence
