// Our figure of the setting that the window opens with, on seeds that had no part in its choice.
#include <fmt/format.h>

#include <cstdint>

#include "core/experiments/figure_file.h"
#include "core/experiments/in_context_td/figures/td_figures.h"

namespace emergence {
namespace {

void measure_opening(Draft& draft) {
    const FinishedRun& run = draft.run();
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
}

}  // namespace

FigureInfo figure_of_opening() {
    return figure_of(shipped_recipe(
        "opening-seeds", {.measures = {"opening-emerged", "opening-error"}, .draw = measure_opening}));
}

}  // namespace emergence
