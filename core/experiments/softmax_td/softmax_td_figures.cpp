// Figure 3 of the softmax paper, and the table of figures.
#include "core/experiments/softmax_td/softmax_td_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/experiments/softmax_td/softmax_figure_parts.h"

namespace emergence {
namespace {

// The least x at which the mean over seeds reaches half of its largest value.
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

// The fraction of all seeds whose V and A at the best checkpoint are above both thresholds.
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

std::string best_emergence_text(const FinishedRun& run) {
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
    figure.caption = paper_caption(
        "Figure 3 of the softmax paper", runs,
        "Matrices: each seed's best checkpoint, the logged point with the largest product of V and A; mean "
        "as trained, colours up to the largest entry. Right: logged points in 20 equal bins of kappa. Both "
        "of "
        "the seeds whose Q ends positive.",
        "median over seeds and quartiles");
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
    const double v = half_height(binned_by_kappa(demo, "v_emergence", "", 0)),
                 a = half_height(binned_by_kappa(demo, "a_emergence", "", 0));
    runs.result.measured = {
        claim_of("softmax-3-demo", passing(demo, 0.9, 0.75),
                 best_emergence_text(demo) + ", Q positive in " + fraction_text(positive(demo))),
        claim_of("softmax-3-flip", passing(flipped, 0.7, 0.8), best_emergence_text(flipped)),
        claim_of("softmax-3-always", positive(raw)),
        {"softmax-3-v-later", {v - a, fmt::format("V at {:.3f}, A at {:.3f}", v, a)}}};
    return runs.result;
}

}  // namespace

std::vector<GridFigureInfo> softmax_td_grid_figures() {
    return {{"softmax-3", "Figure 3: what softmax attention learned, and kernel diagonality", "softmax-3",
             softmax_3},
            {"softmax-5", "Figure 5: emergence while training", "softmax-5", figure_softmax_5},
            {"softmax-6", "Figure 6: masks and mixing", "softmax-6", figure_softmax_6},
            {"softmax-clamp", "V against a kernel diagonality that is held", "softmax-clamp",
             figure_softmax_clamp}};
}

}  // namespace emergence
