// Figures 7, 10 and 11 of Wang et al. 2025, one run each: sequential layers, CartPole, and the recurrent
// network.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/error.h"
#include "core/experiments/in_context_td/other_networks_figures.h"
#include "core/experiments/in_context_td/similarity_figures.h"

namespace emergence {
namespace {

// A matrix's mean over seeds, signs aligned.
Table mean_matrix(const Snapshot& snapshot, const std::string& name) {
    const NamedMatrix* matrix = find_matrix(snapshot, name);
    if (matrix == nullptr) throw InputError(fmt::format("matrix '{}': the run has none of that name", name));
    return heatmap_of(snapshot, *matrix, {MatrixView::Mode::raw}).values;
}

// The trace of a d x d block of a mean Q, from column `column` of its first rows.
double block_trace(const Snapshot& snapshot, const std::string& name, int column) {
    const int d = static_cast<int>(snapshot.settings.integer("d"));
    const Table mean = mean_matrix(snapshot, name);
    double trace = 0.0;
    for (int i = 0; i < d; ++i) trace += mean(i, column + i);
    return trace;
}

// How close a mean Q is to Theorem 1's, both of whose blocks are the identity; 1 if equal:
//     min(-tr Q[:d,:d], tr Q[:d,d:2d]) / (d max |Q[i,j]|)
double theorem_share(const Snapshot& snapshot, const std::string& name) {
    const int d = static_cast<int>(snapshot.settings.integer("d"));
    return std::min(-block_trace(snapshot, name, 0), block_trace(snapshot, name, d)) /
           (d * largest_entry(mean_matrix(snapshot, name)));
}

// Heatmaps of one run, `rows` high, with curves of its history beside them.
FigureSpec run_figure(const Snapshot& snapshot, const MetricHistory& history, int rows,
                      const std::vector<MetricPlot>& plots) {
    FigureSpec figure;
    std::vector<const NamedMatrix*> weights;  // other matrices have no initial norms
    for (const NamedMatrix& matrix : snapshot.matrices)
        if (!matrix.initial_norms.values.empty()) weights.push_back(&matrix);
    const int columns = (static_cast<int>(weights.size()) + rows - 1) / rows;
    figure.column_weights.assign(static_cast<size_t>(columns), 1.0);
    figure.column_weights.push_back(1.7);
    figure.row_weights.assign(static_cast<size_t>(rows), 1.0);
    figure.width_inches = 3.4 * columns + 5.6;
    figure.height_inches = 3.5 * rows;
    for (size_t i = 0; i < weights.size(); ++i) {
        // Place a layer's P above its Q.
        const int at = static_cast<int>(i);
        figure.cells.push_back(
            {heatmap_of(snapshot, *weights[i], {MatrixView::Mode::scaled}), at % rows, at / rows});
    }
    AxisSpec x;
    x.label = snapshot.step_unit;
    x.minimum = 0.0;
    const int span = std::max(1, rows / static_cast<int>(plots.size()));
    for (size_t i = 0; i < plots.size(); ++i)
        figure.cells.push_back(
            {history.plot(plots[i], x, snapshot.step), static_cast<int>(i) * span, columns, span, 1});
    return figure;
}

MetricPlot elements_plot() {
    MetricPlot plot;
    plot.id = "element_wise";
    plot.title = "Entries of P and Q while training";
    plot.lines = {{"p_corner", "P[-1,-1]", 0, false},
                  {"p_others", "mean |P|, others", 0, true},
                  {"q_trace_upper_left", "tr Q[:d,:d]", 1, false},
                  {"q_trace_upper_right", "tr Q[:d,d:2d]", 2, false},
                  {"q_others", "mean |Q|, others", 1, true}};
    plot.y.label = "entries, sign aligned";
    return plot;
}

const char* const kMatrices =
    "Matrices: signs aligned by P[-1,-1], mean over seeds, divided by the largest entry.";

FigureSpec draw_wang_7(const Snapshot& snapshot, const MetricHistory& history) {
    FigureSpec figure = run_figure(snapshot, history, 2, {elements_plot()});
    figure.name = "wang-7";
    figure.title = "Three sequential layers";
    figure.caption = paper_caption("Figure 7 of Wang et al. 2025", snapshot, kMatrices);
    return figure;
}

std::vector<MeasuredClaim> measure_wang_7(const Snapshot& snapshot, const MetricHistory&) {
    const int d = static_cast<int>(snapshot.settings.integer("d"));
    const auto share = [&](const char* name) {
        return std::abs(block_trace(snapshot, name, d) / block_trace(snapshot, name, 0));
    };
    const double first = share("Q0"), last = share("Q2");
    double worst = 0.0;
    std::string each;
    for (const char* name : {"P0", "P1", "P2"}) {
        Table P = mean_matrix(snapshot, name);
        const double corner = std::exchange(P.values.back(), 0.0);
        const double others = largest_entry(P) / corner;
        worst = std::max(worst, others);
        each += fmt::format("{}{} {:.2f}", each.empty() ? "" : ", ", name, others);
    }
    const Fraction emerged = emerged_fraction(snapshot);
    return {
        {"wang-7-fades",
         {last / first, fmt::format("{:.2f}, {:.2f}, {:.2f} in layers 0, 1, 2", first, share("Q1"), last)}},
        {"wang-7-input",
         {theorem_share(snapshot, "Q0"), fmt::format("seeds emerged: {}", fraction_text(emerged))}},
        {"wang-7-p", {worst, each}}};
}

FigureSpec draw_wang_10(const Snapshot& snapshot, const MetricHistory& history) {
    FigureSpec figure = run_figure(snapshot, history, 2, {elements_plot()});
    figure.name = "wang-10";
    figure.title = "P and Q after training on CartPole, and on the way";
    figure.caption = paper_caption("Figure 10 of Wang et al. 2025", snapshot, kMatrices);
    return figure;
}

std::vector<MeasuredClaim> measure_wang_10(const Snapshot& snapshot, const MetricHistory& history) {
    const Fraction emerged = emerged_fraction(snapshot);
    const auto mean = [&](const char* metric) {
        return summarise(final_values(snapshot, history, metric), 0);
    };
    const Summary left = mean("q_trace_upper_left"), right = mean("q_trace_upper_right");
    return {{"wang-10-diagonals",
             {-right.mean / left.mean, fmt::format("traces {} and {}", mean_text(left), mean_text(right))}},
            {"wang-10-theorem",
             {theorem_share(snapshot, "Q0"), fmt::format("seeds emerged: {}", fraction_text(emerged))}}};
}

FigureSpec draw_wang_11(const Snapshot& snapshot, const MetricHistory& history) {
    MetricPlot plot;
    plot.id = "value_error";
    plot.title = "Value error of the recurrent network while training";
    plot.lines = {{"msve", "recurrent network", 0, false}, {"msve_batch_td", "batch TD", 1, true}};
    plot.y.label = "MSVE";
    AxisSpec x;
    x.label = snapshot.step_unit;
    x.minimum = 0.0;
    FigureSpec figure;
    figure.name = "wang-11";
    figure.title = "A recurrent network trained by multi-task TD";
    figure.column_weights = figure.row_weights = {1};
    figure.width_inches = 7;
    figure.height_inches = 4.4;
    figure.cells.push_back({history.plot(plot, x, snapshot.step), 0, 0});
    figure.caption = paper_caption("Figure 11 of Wang et al. 2025", snapshot,
                                   "Three layers, tanh, on held-out Boyan chains.");
    return figure;
}

std::vector<MeasuredClaim> measure_wang_11(const Snapshot& snapshot, const MetricHistory& history) {
    const Summary last = summarise(final_values(snapshot, history, "msve"), 0);
    std::vector<std::vector<double>> first, early;
    const auto& steps = history.steps();
    const auto at_1000 =
        static_cast<size_t>(std::lower_bound(steps.begin(), steps.end(), 1000.0) - steps.begin());
    for (int k = 0; k < history.num_seeds(); ++k) {
        const auto& column = history.column("msve", k);
        first.push_back({column.front()});
        early.push_back({column[std::min(at_1000, column.size() - 1)]});
    }
    const double start = summarise(first, 0).mean, middle = summarise(early, 0).mean;
    return {{"wang-11-falls", {middle / start, fmt::format("{:.3g} and {:.3g}", middle, start)}},
            {"wang-11-stays", {last.mean / middle, fmt::format("{} at the end", mean_text(last))}}};
}

// A figure of one run.
GridFigure of_one_run(const ExperimentInfo& info, const Settings& preset, const GridOptions& options,
                      FigureSpec (*draw)(const Snapshot&, const MetricHistory&),
                      std::vector<MeasuredClaim> (*measure)(const Snapshot&, const MetricHistory&)) {
    FigureRuns runs = run_all(info, {{"", preset}}, options);
    if (runs.grid.stopped) return runs.result;
    const FinishedRun& run = runs.grid.runs[0];
    runs.result.figure = draw(run.snapshot, run.history);
    runs.result.measured = measure(run.snapshot, run.history);
    return runs.result;
}

}  // namespace

GridFigure figure_wang_7(const ExperimentInfo& info, const Settings& preset, const GridOptions& options) {
    return of_one_run(info, preset, options, draw_wang_7, measure_wang_7);
}

GridFigure figure_wang_10(const ExperimentInfo& info, const Settings& preset, const GridOptions& options) {
    return of_one_run(info, preset, options, draw_wang_10, measure_wang_10);
}

GridFigure figure_wang_11(const ExperimentInfo& info, const Settings& preset, const GridOptions& options) {
    return of_one_run(info, preset, options, draw_wang_11, measure_wang_11);
}

}  // namespace emergence
