#include "core/experiments/softmax_td/softmax_td_figures.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/error.h"
#include "core/experiments/figure_recipe.h"
#include "core/measures/bandit_measures.h"
#include "core/measures/softmax_td_difference.h"
#include "core/pictures/axis.h"

namespace emergence {
namespace {

std::string means_text(const Series& series) {
    std::string text;
    for (size_t i = 0; i < series.x.size(); ++i)
        text += fmt::format("{}n = {:.0f}: {}", i == 0 ? "" : ", ", series.x[i], mean_text(summarise(series.rows, i)));
    return text;
}

// A number that the run has only if enough chains have a positive margin.
const Scalar& scalar_with_margin(const FinishedRun& run, const char* name) {
    for (const Scalar& scalar : run.snapshot.scalars)
        if (scalar.name == name) return scalar;
    throw InputError(fmt::format("softmax-convergence: too few chains with a positive margin for '{}'", name));
}

void draw_convergence(Draft& draft) {
    const Settings& preset = draft.settings;
    const FinishedRun& run = draft.run();
    const Scalar &holds = scalar_with_margin(run, "margin_holds"), &slope = scalar_with_margin(run, "floor_slope");
    PlotSpec floor = plot_of_run(run, "floor", "The floor against context length");
    const Series fitted = floor.series[0];  // the chains with a positive margin; the other rows are missing
    const std::string floors = means_text(fitted);
    draft.add(plot_of_run(run, "error", "Error against layers"));
    draft.add(std::move(floor));
    draft.caption = fmt::format(
        "Boyan chains of {} states, gamma = {}, {} scores of sharpness {}. Assumption 5.1's margin "
        "C is positive on {:.0f} {}, mean {:.3f}; there the floor falls with slope {:.3f} {}. ",
        preset.integer("num_states"), readout(preset.number("gamma")), preset.text("scores"),
        readout(preset.number("sharpness")), holds.value, holds.unit, scalar_with_margin(run, "margin").value,
        slope.value, slope.unit);
    std::vector<std::vector<double>> rows;
    for (const auto& row : fitted.rows)
        if (std::isfinite(row.front())) rows.push_back(row);
    const FittedExponent exponent = fitted_exponent(fitted.x, rows);
    draft.measure("softmax-theorem-2-floor",
                  Measurement{exponent.value, fmt::format("floors there {}", floors),
                              Range{exponent.low, exponent.high}, static_cast<int64_t>(rows.size())});
    draft.measure("softmax-theorem-2-margin",
                  fraction(static_cast<int>(holds.value), static_cast<int>(run.snapshot.seeds.size())));
}

}  // namespace

FigureInfo figure_of_convergence() {
    return figure_of({.name = "softmax-convergence",
                      .title = "Theorem 2: layers and context length",
                      .page = {"Softmax TD converges, with layers and with context length", {1.3, 1}, {1}, 11.5, 4.5},
                      .after = "Theorem 2 of the softmax paper",
                      .curves = "mean and standard error over chains",
                      .runs = {{"one-hot"}},
                      .start = {{"seeds", 160}},  // floors are heavy-tailed: a slope from forty has an error near 0.1
                      .measures = {"softmax-theorem-2-floor", "softmax-theorem-2-margin"},
                      .draw = draw_convergence});
}

}  // namespace emergence
