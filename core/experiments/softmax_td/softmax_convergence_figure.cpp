#include "core/experiments/softmax_td/softmax_convergence_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/experiments/figure_runs.h"
#include "core/measures/softmax_td_convergence.h"
#include "core/pictures/axis.h"

namespace emergence {
namespace {

std::string means_text(const Series& series) {
    std::string text;
    for (size_t i = 0; i < series.x.size(); ++i)
        text += fmt::format("{}n = {:.0f}: {}", i == 0 ? "" : ", ", series.x[i],
                            mean_text(summarise(series.rows, i)));
    return text;
}

const Scalar& scalar(const FinishedRun& run, const char* name) {
    for (const Scalar& s : run.snapshot.scalars)
        if (s.name == name) return s;
    throw InputError(
        fmt::format("softmax-convergence: too few chains with a positive margin for '{}'", name));
}

/// Lemma 5: the largest value over chains and lengths of
///     |I - M + gamma P| / (1 - C),
/// which the proof bounds by 1, with the largest row sum as norm and the context's own margin C.
double largest_contraction_ratio() {
    double largest = 0.0;
    for (uint64_t seed = 0; seed < 10; ++seed) {
        const std::vector<int> lengths = {2000, 20000};
        const SoftmaxConvergence chain({.gamma = 0.5, .lengths = lengths}, seed);
        for (size_t i = 0; i < lengths.size(); ++i) {
            const Eigen::MatrixXd map = chain.layer_map(i);
            const double margin = chain.empirical_margin(i);
            if (margin <= 0) continue;
            largest = std::max(largest, map.cwiseAbs().rowwise().sum().maxCoeff() / (1.0 - margin));
        }
    }
    return largest;
}

}  // namespace

GridFigure figure_softmax_convergence(const ExperimentInfo& info, const Settings& preset,
                                      const GridOptions& options) {
    // Floors are heavy-tailed: a slope from forty chains has an error near 0.1.
    const int64_t chains = std::min<int64_t>(4 * preset.integer("seeds"), 256);
    FigureRuns runs = run_all(info, {config_with("one-hot", preset, {{"seeds", chains}})}, options);
    if (runs.grid.stopped) return runs.result;
    const FinishedRun& run = runs.grid.runs[0];
    const Scalar &holds = scalar(run, "margin_holds"), &slope = scalar(run, "floor_slope");
    FigureSpec& figure = runs.result.figure;
    figure.name = "softmax-convergence";
    figure.title = "Softmax TD converges, with layers and with context length";
    figure.caption = paper_caption(
        "Theorem 2 of the softmax paper", runs,
        fmt::format(
            "Boyan chains of {} states, gamma = {}, {} scores of sharpness {}. Assumption 5.1's margin "
            "C is positive on {:.0f} {}, mean {:.3f}; there the floor falls with slope {:.3f} {}. ",
            preset.integer("num_states"), readout(preset.number("gamma")), preset.text("scores"),
            readout(preset.number("sharpness")), holds.value, holds.unit, scalar(run, "margin").value,
            slope.value, slope.unit),
        "mean and standard error over chains");
    PlotSpec error = plot_of_run(run, "error", "Error against layers");
    PlotSpec floor = plot_of_run(run, "floor", "The floor against context length");
    const Series floors = floor.series[0];
    figure.cells = {{std::move(error), 0, 0}, {std::move(floor), 0, 1}};
    figure.column_weights = {1.3, 1};
    figure.row_weights = {1};
    figure.width_inches = 11.5;
    figure.height_inches = 4.5;
    const auto total = static_cast<double>(run.snapshot.seeds.size());
    runs.result.measured = {
        {"softmax-theorem-2-floor",
         {slope.value, fmt::format("95 % interval {}, {:.0f} {} have C > 0; floors there {}", slope.unit,
                                   holds.value, holds.unit, means_text(floors))}},
        {"softmax-theorem-2-margin",
         {holds.value / total, fmt::format("{:.0f} {}", holds.value, holds.unit)}}};
    return runs.result;
}

std::vector<Claim> softmax_convergence_claims() {
    return {
        {.name = "softmax-theorem-2-contraction",
         .statement = "With a positive margin C a layer contracts by 1 - C in the largest norm",
         .source = "Lemma 5, softmax paper",
         .quantity = "largest row sum of |I - M + gamma P| over 1 - C, ten chains, n = 2,000 and 20,000",
         .agrees = at_most(1.0 + 1e-9),
         .measure = []() -> Measurement {
             return {largest_contraction_ratio(), ""};
         }},
        {.name = "softmax-theorem-2-floor",
         .statement = "The error's floor falls with the context as n^-1/2",
         .source = "Theorem 2, softmax paper",
         .quantity = "slope of log mean floor against log n, n = 1,000 to 1,000,000, over the chains with "
                     "a positive margin",
         .agrees = {-0.55, -0.45},
         .figure = "softmax-convergence"},
        {.name = "softmax-theorem-2-margin",
         .statement = "Assumption 5.1 holds for one-hot scores of sharpness 8",
         .source = "Assumption 5.1, softmax paper",
         .quantity = "share of chains with a positive margin",
         .agrees = at_least(0.5),
         .figure = "softmax-convergence"}};
}

}  // namespace emergence
