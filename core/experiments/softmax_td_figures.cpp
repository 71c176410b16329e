// Figures 3, 5 and 6 of the softmax paper, and the clamps: what is learned, how, and what it needs.
#include "core/experiments/softmax_td_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/experiments/figure_runs.h"
#include "core/runtime/axis.h"

namespace emergence {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

std::vector<size_t> live_seeds(const FinishedRun& run) {
    std::vector<size_t> seeds;
    for (size_t k = 0; k < run.snapshot.seeds.size(); ++k)
        if (!run.snapshot.seeds[k].failed) seeds.push_back(k);
    return seeds;
}

/// Logged points up to a seed's best checkpoint, and what was had there.
size_t best_row(const FinishedRun& run, size_t seed) {
    const auto& v = run.history.column("v_emergence", static_cast<int>(seed));
    const auto& a = run.history.column("a_emergence", static_cast<int>(seed));
    size_t best = 0;
    for (size_t i = 0; i < v.size(); ++i)
        if (v[i] * a[i] > v[best] * a[best]) best = i;
    return best;
}

double at_best(const FinishedRun& run, const char* metric, size_t seed) {
    return run.history.column(metric, static_cast<int>(seed))[best_row(run, seed)];
}

// ---- Figure 3

constexpr int kBins = 20;

// Each seed's mean of a metric in equal bins of kappa between the least and the largest of all seeds.
Series binned(const FinishedRun& run, const char* metric, const char* name, int color) {
    double low = 1.0, high = 0.0;
    for (const size_t k : live_seeds(run))
        for (const double kappa : run.history.column("kappa", static_cast<int>(k)))
            if (std::isfinite(kappa)) low = std::min(low, kappa), high = std::max(high, kappa);
    const double width = std::max(1e-9, (high - low) / kBins);
    Series series{.name = name, .x = {}, .rows = {}, .color = color};
    for (int bin = 0; bin < kBins; ++bin) series.x.push_back(low + (bin + 0.5) * width);
    for (const size_t k : live_seeds(run)) {
        const auto& kappa = run.history.column("kappa", static_cast<int>(k));
        const auto& values = run.history.column(metric, static_cast<int>(k));
        std::vector<double> sum(kBins, 0.0), count(kBins, 0.0);
        for (size_t i = 0; i < kappa.size(); ++i) {
            if (!std::isfinite(kappa[i])) continue;
            const auto bin = static_cast<size_t>(std::clamp((kappa[i] - low) / width, 0.0, kBins - 1.0));
            sum[bin] += values[i];
            count[bin] += 1;
        }
        for (size_t bin = 0; bin < kBins; ++bin) sum[bin] = count[bin] > 0 ? sum[bin] / count[bin] : kMissing;
        series.rows.push_back(std::move(sum));
    }
    return series;
}

// The least x at which the mean over seeds has half of its largest value.
double half_height(const Series& series) {
    double largest = 0.0;
    for (size_t i = 0; i < series.x.size(); ++i) {
        const double mean = summarise(series.rows, i).mean;
        if (std::isfinite(mean)) largest = std::max(largest, mean);
    }
    for (size_t i = 0; i < series.x.size(); ++i)
        if (summarise(series.rows, i).mean >= 0.5 * largest) return series.x[i];
    return kMissing;
}

PlotSpec binned_plot(const FinishedRun& run, const std::string& id, const std::string& title) {
    PlotSpec plot;
    plot.id = id;
    plot.title = title;
    plot.x.label = "\u03ba";
    plot.y.label = "V, A";
    plot.y.minimum = 0.0;
    plot.y.maximum = 1.0;
    plot.spread = Spread::median;
    plot.series = {binned(run, "a_emergence", "A-emergence", 1),
                   binned(run, "v_emergence", "V-emergence", 0)};
    return plot;
}

void add_matrices(FigureSpec& figure, const FinishedRun& run, const std::string& label, int row) {
    int column = 0;
    for (const char* name : {"P", "Q"}) {
        HeatmapSpec heatmap = heatmap_of_run(run, name, MatrixView::Mode::raw);
        heatmap.id += fmt::format("_{}", row);
        heatmap.title = fmt::format("{}, {}", name, label);
        figure.cells.push_back({std::move(heatmap), row, column++});
    }
}

// Of all seeds: those whose scores at their best logged point pass both.
Fraction passing(const FinishedRun& run, double v, double a) {
    int count = 0;
    for (const size_t k : live_seeds(run))
        if (at_best(run, "v_emergence", k) > v && at_best(run, "a_emergence", k) > a) ++count;
    return fraction(count, static_cast<int>(run.snapshot.seeds.size()));
}

Fraction positive(const FinishedRun& run) {
    const auto values = final_values(run.snapshot, run.history, "q_mean");
    const auto count =
        std::count_if(values.begin(), values.end(), [](const auto& row) { return row[0] > 0; });
    return fraction(static_cast<int>(count), static_cast<int>(run.snapshot.seeds.size()));
}

std::string best_text(const FinishedRun& run) {
    std::vector<std::vector<double>> v, a;
    for (const size_t k : live_seeds(run)) {
        v.push_back({at_best(run, "v_emergence", k)});
        a.push_back({at_best(run, "a_emergence", k)});
    }
    return fmt::format("V {}, A {} there", mean_text(summarise(v, 0)), mean_text(summarise(a, 0)));
}

MeasuredClaim claim_of(const char* name, const Fraction& f, const std::string& more = "") {
    return {name, {f.value, fraction_text(f) + (more.empty() ? "" : "; " + more)}};
}

Settings defaults(const ExperimentInfo& info, const Settings& preset) {
    Settings settings(info.fields);
    for (const char* field : {"seed", "seeds", "num_updates"}) settings.set(field, preset.value(field));
    return settings;
}

GridFigure softmax_3(const ExperimentInfo& info, const Settings& preset, const GridOptions& options) {
    const std::string best = "best";
    FigureRuns runs = run_all(
        info,
        {config_with("demonstration", preset, {{"show", best}}),
         config_with("defaults, signs changed", defaults(info, preset), {{"show", best}, {"flip", true}}),
         config_with("defaults", defaults(info, preset), {{"show", best}})},
        options);
    if (runs.grid.stopped) return runs.result;
    FigureSpec& figure = runs.result.figure;
    figure.name = "softmax-3";
    figure.title = "P and Q at the best checkpoint, and emergence against the kernel's diagonality";
    figure.caption = paper_caption("Figure 3 of the softmax paper", runs,
                                   "Matrices: the seeds' best checkpoints, those with the largest product of "
                                   "V and A, mean over seeds as "
                                   "trained, colours up to the largest entry. Right: logged points in 20 "
                                   "equal bins of kappa, median over "
                                   "seeds and quartiles.");
    figure.column_weights = {1.3, 1, 1.5};
    figure.row_weights = {1, 1, 1};
    figure.width_inches = 13;
    figure.height_inches = 10.5;
    for (size_t i = 0; i < runs.configs.size(); ++i) {
        const int row = static_cast<int>(i);
        add_matrices(figure, runs.grid.runs[i], runs.configs[i].label, row);
        figure.cells.push_back(
            {binned_plot(runs.grid.runs[i], fmt::format("against_kappa_{}", i), runs.configs[i].label), row,
             2});
    }
    const FinishedRun &demo = runs.grid.runs[0], &flipped = runs.grid.runs[1], &raw = runs.grid.runs[2];
    const double v = half_height(binned(demo, "v_emergence", "", 0)),
                 a = half_height(binned(demo, "a_emergence", "", 0));
    runs.result.measured = {claim_of("softmax-3-demo", passing(demo, 0.9, 0.75),
                                     best_text(demo) + ", Q positive in " + fraction_text(positive(demo))),
                            claim_of("softmax-3-flip", passing(flipped, 0.7, 0.8), best_text(flipped)),
                            claim_of("softmax-3-always", positive(raw)),
                            {"softmax-3-v-later", {v - a, fmt::format("V at {:.3f}, A at {:.3f}", v, a)}}};
    return runs.result;
}

// ---- Figure 5

// The mean of the last so many logged points, up to the seed's best.
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

GridFigure softmax_5(const ExperimentInfo& info, const Settings& preset, const GridOptions& options) {
    FigureRuns runs = run_all(info, {{"defaults, signs changed", preset}}, options);
    if (runs.grid.stopped) return runs.result;
    const FinishedRun& run = runs.grid.runs[0];
    FigureSpec& figure = runs.result.figure;
    figure.name = "softmax-5";
    figure.title = "Emergence and the kernel's diagonality while training";
    figure.caption = paper_caption("Figure 5 of the softmax paper", runs,
                                   "Trailing mean of five logged points; each seed's curve ends at its best "
                                   "checkpoint, so that the seeds grow fewer to the right.");
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

// ---- Figure 6

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

GridFigure softmax_6(const ExperimentInfo& info, const Settings& preset, const GridOptions& options) {
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
            "right: each run while training (trailing mean, to the best checkpoint), against kappa in 20 "
            "bins (median, quartiles), and P and Q at the best checkpoint, mean over seeds as trained.",
            readout(preset.number("mixing")), readout(preset.number("mixing_end")),
            preset.integer("mixing_updates")));
    figure.column_weights = {1.3, 1.3, 1.2, 1};
    figure.row_weights = {1, 1, 1};
    figure.width_inches = 16;
    figure.height_inches = 10.5;
    for (size_t i = 0; i < runs.configs.size(); ++i) {
        const FinishedRun& run = runs.grid.runs[i];
        const std::string& label = runs.configs[i].label;
        const int row = static_cast<int>(i);
        figure.cells.push_back({trajectory(run, fmt::format("scores_{}", i), label, kScores), row, 0});
        figure.cells.push_back({binned_plot(run, fmt::format("against_kappa_{}", i), label), row, 1});
        FigureSpec matrices;
        add_matrices(matrices, run, label, row);
        for (FigureCell& cell : matrices.cells) {
            cell.column += 2;
            figure.cells.push_back(std::move(cell));
        }
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

// ---- clamps

// One point a run: the mean kappa that was held or reached, and a final score of each seed.
Series clamped(const std::vector<const FinishedRun*>& runs, const char* metric, const char* name, int color) {
    Series series{.name = name, .x = {}, .rows = {}, .color = color};
    for (const FinishedRun* run : runs) {
        series.x.push_back(final_summary(*run, "kappa").mean);
        const auto values = final_values(run->snapshot, run->history, metric);
        series.rows.resize(std::max(series.rows.size(), values.size()));
        for (size_t k = 0; k < series.rows.size(); ++k)
            series.rows[k].push_back(k < values.size() ? values[k][0] : kMissing);
    }
    return series;
}

PlotSpec clamp_plot(const FinishedRun& free, const std::vector<const FinishedRun*>& held) {
    PlotSpec plot = plot_of_run(free, "emergence_against_kappa", "V against the kappa that is held");
    plot.id = "v_against_held_kappa";
    plot.series.erase(plot.series.begin());  // A's
    plot.series[0].name = "V, free (paper's scatter)";
    plot.series[0].color = 7;
    Series v = clamped(held, "v_emergence", "V, Q held", 0);
    plot.series.push_back(std::move(v));
    plot.y.label = "V-emergence";
    return plot;
}

PlotSpec reverse_plot(const std::vector<const FinishedRun*>& held, const std::vector<double>& steps) {
    PlotSpec plot;
    plot.id = "a_against_held_step";
    plot.title = "The reverse: A where P is held";
    plot.x.label = "step size of the P that is held";
    plot.y.label = "A, \u03ba";
    plot.y.minimum = 0.0;
    plot.y.maximum = 1.0;
    plot.series = {clamped(held, "a_emergence", "A, P held", 1),
                   clamped(held, "kappa_state", "\u03ba by state", 3)};
    for (Series& series : plot.series) series.x = steps;
    return plot;
}

GridFigure softmax_clamp(const ExperimentInfo& info, const Settings& preset, const GridOptions& options) {
    const std::vector<double> sharpnesses = {0, 0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 10, 16};
    const std::vector<double> steps = {0.1, 0.3, 0.6, 1.0, 1.5};
    std::vector<GridConfig> configs = {
        config_with("free", preset, {{"clamp", std::string("nothing")}, {"flip", true}})};
    for (const double sharpness : sharpnesses)
        configs.push_back(config_with(fmt::format("Q = {} I", sharpness), preset,
                                      {{"clamp", std::string("Q")}, {"clamp_sharpness", sharpness}}));
    for (const double step : steps)
        configs.push_back(config_with(fmt::format("P = {} TD", step), preset,
                                      {{"clamp", std::string("P")}, {"clamp_step", step}}));
    FigureRuns runs = run_all(info, std::move(configs), options);
    if (runs.grid.stopped) return runs.result;
    std::vector<const FinishedRun*> held_Q, held_P;
    for (size_t i = 0; i < sharpnesses.size(); ++i) held_Q.push_back(&runs.grid.runs[1 + i]);
    for (size_t i = 0; i < steps.size(); ++i) held_P.push_back(&runs.grid.runs[1 + sharpnesses.size() + i]);
    FigureSpec& figure = runs.result.figure;
    figure.name = "softmax-clamp";
    figure.title = "Does P need a diagonal kernel? One is held, the other learns";
    figure.caption = paper_caption(
        "Figure 3b of the softmax paper", runs,
        "Left: final V of P trained with Q held at several sharpnesses (mean and standard error), over the "
        "scatter "
        "of free runs while they train (signs changed at update 500). Right: Q trained with P held.");
    figure.cells = {{clamp_plot(runs.grid.runs[0], held_Q), 0, 0}, {reverse_plot(held_P, steps), 0, 1}};
    figure.column_weights = {1.3, 1};
    figure.row_weights = {1};
    figure.width_inches = 12;
    figure.height_inches = 4.8;
    const auto most = [](const std::vector<const FinishedRun*>& held, const char* metric) {
        double largest = 0;
        for (const FinishedRun* run : held) largest = std::max(largest, final_summary(*run, metric).mean);
        return largest;
    };
    std::string each;
    for (size_t i = 0; i < held_Q.size(); ++i)
        each += fmt::format("{}{}: {:.2f}", i == 0 ? "V at sharpness " : ", ", sharpnesses[i],
                            final_summary(*held_Q[i], "v_emergence").mean);
    runs.result.measured = {{"softmax-clamp-flat",
                             {final_summary(*held_Q[0], "v_emergence").mean,
                              mean_text(final_summary(*held_Q[0], "v_emergence"))}},
                            {"softmax-clamp-sharp", {most(held_Q, "v_emergence"), each}},
                            {"softmax-clamp-update", {most(held_P, "a_emergence"), ""}}};
    return runs.result;
}

}  // namespace

std::vector<GridFigureInfo> softmax_td_grid_figures() {
    return {{"softmax-1", "Figure 1: a constructed softmax transformer by context length", "softmax-1",
             figure_softmax_1},
            {"softmax-2", "Figure 2: the construction and its temporal shift", "softmax-2", figure_softmax_2},
            {"softmax-3", "Figure 3: what softmax attention learned, and kernel diagonality", "softmax-3",
             softmax_3},
            {"softmax-4", "Figure 4: a random Boyan chain", "softmax-4", figure_softmax_4},
            {"softmax-5", "Figure 5: emergence while training", "softmax-5", softmax_5},
            {"softmax-6", "Figure 6: masks and mixing", "softmax-6", softmax_6},
            {"softmax-7", "Figure 7: the construction against its algorithm", "softmax-7", figure_softmax_7},
            {"softmax-clamp", "V against a kernel diagonality that is held", "softmax-clamp", softmax_clamp}};
}

}  // namespace emergence
