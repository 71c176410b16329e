// Figures 5 and 6 of the softmax paper: emergence while training, masks and mixing.
#include "core/experiments/softmax_td/softmax_td_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/experiments/softmax_td/softmax_figure_parts.h"
#include "core/pictures/axis.h"

namespace emergence {
namespace {

// The trailing mean of kWindow logged points, up to the seed's best checkpoint.
std::vector<double> trailing(const FinishedRun& run, const char* metric, size_t seed) {
    constexpr size_t kWindow = 5;
    const auto& column = run.history.column(metric, static_cast<int>(seed));
    std::vector<double> smooth(column.size(), kMissing);
    const size_t last = best_row(run, seed);
    for (size_t i = 0; i <= last && i < column.size(); ++i) {
        const size_t from = i + 1 >= kWindow ? i + 1 - kWindow : 0;
        double sum = 0;
        for (size_t j = from; j <= i; ++j) sum += column[j];
        smooth[i] = sum / static_cast<double>(i + 1 - from);
    }
    return smooth;
}

PlotSpec trajectory(const FinishedRun& run, const std::string& id, const std::string& title,
                    const std::vector<MetricPlot::Line>& lines) {
    PlotSpec plot;
    plot.id = id;
    plot.title = title;
    plot.x.label = run.snapshot.step_unit;
    plot.x.minimum = 0.0;
    plot.y.minimum = 0.0;
    for (const MetricPlot::Line& line : lines) {
        Series series{.name = line.label, .x = run.history.steps(), .rows = {}, .color = line.color};
        for (const size_t k : live_seeds(run)) series.rows.push_back(trailing(run, line.metric.c_str(), k));
        plot.series.push_back(std::move(series));
        plot.y.label += (plot.y.label.empty() ? "" : ", ") + line.label;
    }
    return plot;
}

const std::vector<MetricPlot::Line> kScores = {{"v_emergence", "V", 0, false},
                                               {"a_emergence", "A", 1, false}};
const std::vector<MetricPlot::Line> kKappa = {{"kappa", "\u03ba", 2, false},
                                              {"kappa_state", "\u03ba by state", 3, false}};

Summary product_at_best(const FinishedRun& run) {
    std::vector<std::vector<double>> products;
    for (const size_t k : live_seeds(run))
        products.push_back({at_best(run, "v_emergence", k) * at_best(run, "a_emergence", k)});
    return summarise(products, 0);
}

Summary product_at_end(const FinishedRun& run) {
    const auto v = final_values(run.snapshot, run.history, "v_emergence"),
               a = final_values(run.snapshot, run.history, "a_emergence");
    std::vector<std::vector<double>> products;
    for (size_t k = 0; k < v.size(); ++k) products.push_back({v[k][0] * a[k][0]});
    return summarise(products, 0);
}

}  // namespace

GridFigure figure_softmax_5(const ExperimentInfo& info, const Settings& preset, const GridOptions& options) {
    FigureRuns runs = run_all(info, {{"defaults, signs changed", preset}}, options);
    if (runs.grid.stopped) return runs.result;
    const FinishedRun& run = runs.grid.runs[0];
    FigureSpec& figure = runs.result.figure;
    figure.name = "softmax-5";
    figure.title = "Emergence and the kernel's diagonality while training";
    figure.caption = paper_caption("Figure 5 of the softmax paper", runs,
                                   "Trailing mean of five logged points; each seed's curve ends at its best "
                                   "checkpoint (the logged point with the largest product of V and A), so "
                                   "that the seeds grow fewer to the right.");
    figure.cells = {{trajectory(run, "scores", "V- and A-emergence", kScores), 0, 0},
                    {trajectory(run, "kappa", "Kernel diagonality", kKappa), 1, 0}};
    figure.column_weights = {1};
    figure.row_weights = {1, 1};
    figure.width_inches = 7;
    figure.height_inches = 7.5;
    std::vector<std::vector<double>> ratio;
    for (const size_t k : live_seeds(run))
        ratio.push_back(
            {at_best(run, "kappa", k) / run.history.column("kappa", static_cast<int>(k)).front()});
    runs.result.measured = {{"softmax-5-kappa", {summarise(ratio, 0).mean, mean_text(summarise(ratio, 0))}}};
    return runs.result;
}

GridFigure figure_softmax_6(const ExperimentInfo& info, const Settings& preset, const GridOptions& options) {
    const std::string full = "full", relaxed = "relaxed", best = "best";
    FigureRuns runs = run_all(
        info,
        {config_with("full masks", preset, {{"masks", full}, {"show", best}}),
         config_with("P's mask alone", preset, {{"masks", relaxed}, {"show", best}}),
         config_with("full masks, not mixed", preset,
                     {{"masks", full}, {"show", best}, {"mixing", 0.0}, {"mixing_updates", int64_t{0}}})},
        options);
    if (runs.grid.stopped) return runs.result;
    FigureSpec& figure = runs.result.figure;
    figure.name = "softmax-6";
    figure.title = "Masks and mixing";
    figure.caption = paper_caption(
        "Figure 6 of the softmax paper", runs,
        fmt::format(
            "Mixing falls from {} to {} over {} updates (the paper's schedule is lost: ours). Left to "
            "right: each run while training (trailing mean of five logged points; a seed's curve ends at its "
            "best checkpoint, the logged point with the largest product of V and A), against kappa in 20 "
            "equal bins, and P and Q at the best checkpoint, mean of the seeds whose Q ends positive.",
            readout(preset.number("mixing")), readout(preset.number("mixing_end")),
            preset.integer("mixing_updates")),
        "first column mean and standard error over seeds, second median and quartiles");
    figure.column_weights = {1.1, 1.1, 1.4, 1.2};
    figure.row_weights = {1, 1, 1};
    figure.width_inches = 16;
    figure.height_inches = 10.5;
    for (size_t i = 0; i < runs.configs.size(); ++i) {
        const FinishedRun& run = runs.grid.runs[i];
        const std::string& label = runs.configs[i].label;
        const int row = static_cast<int>(i);
        figure.cells.push_back({trajectory(run, fmt::format("scores_{}", i), label, kScores), row, 0});
        figure.cells.push_back({binned_plot(run, fmt::format("against_kappa_{}", i), label), row, 1});
        add_matrices(figure, run, label, row, 2);
    }
    const Summary masked = product_at_best(runs.grid.runs[0]), free = product_at_best(runs.grid.runs[1]);
    const Summary annealed = product_at_end(runs.grid.runs[0]), plain = product_at_end(runs.grid.runs[2]);
    runs.result.measured = {
        {"softmax-6-relaxed",
         {free.mean / masked.mean, fmt::format("{} and {}", mean_text(free), mean_text(masked))}},
        {"softmax-6-annealing",
         {annealed.mean / plain.mean, fmt::format("{} and {}", mean_text(annealed), mean_text(plain))}}};
    return runs.result;
}

}  // namespace emergence
