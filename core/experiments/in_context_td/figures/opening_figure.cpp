// Our figure of the setting that the window opens with, on seeds that had no part in its choice.
#include <fmt/format.h>

#include <cstdint>

#include "core/experiments/figure_recipe.h"
#include "core/experiments/in_context_td/figures/td_figures.h"

namespace emergence {
namespace {

void draw_opening(Draft& draft) {
    const FinishedRun& run = draft.run();
    draft.add(heatmap_of_run(run, "P0", MatrixView::Mode::scaled));
    draft.add(plot_of_run(run, "element_wise", "Entries of P and Q while training"));
    draft.add(heatmap_of_run(run, "Q0", MatrixView::Mode::scaled));
    draft.add(plot_of_run(run, "msve_by_context_length", "Value error against context length"));
    const auto network = values_at(run, "msve", SIZE_MAX),
               batch_td = values_at(run, "msve_batch_td", SIZE_MAX);
    const Fraction emerged = emerged_fraction(run.snapshot);
    draft.measure("opening-emerged", emerged);
    draft.measure("opening-error", bootstrapped(
                                       network.size(),
                                       [&](const Places& places) {
                                           return summary_at(network, places).median /
                                                  summary_at(batch_td, places).median;
                                       },
                                       fmt::format("MSVE {:.3f} and {:.3f}", summarise(network, 0).median,
                                                   summarise(batch_td, 0).median)));
    draft.caption = fmt::format(
        "The setting that the window opens with, in seeds that had no part in its choice (ours). Emerged: {}. Matrices: "
        "signs aligned by P[-1,-1], mean over seeds, divided by the largest entry. Curves: {}.",
        fraction_text(emerged), kMeanCurves);
}

}  // namespace

FigureInfo figure_of_opening() {
    return figure_of({.name = "opening-seeds",
                      .title = "The opening: P, Q and value errors in 64 seeds",
                      .page = {"The opening: P, Q and value errors", {1, 1.7}, {1, 1}, 9, 7},
                      .runs = {{}},
                      .measures = {"opening-emerged", "opening-error"},
                      .draw = draw_opening});
}

}  // namespace emergence
