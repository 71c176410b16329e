// Figure 8 of Wang et al. 2025: softmax attention against batch TD.
#include <fmt/format.h>

#include <cmath>

#include "core/experiments/figure_file.h"
#include "core/experiments/in_context_td/figures/td_figures.h"

namespace emergence {
namespace {

const char* const kSs = "sensitivity_similarity";

void measure_wang_8(Draft& draft) {
    const Summary uniform = final_summary(draft.run(0), kSs), representable = final_summary(draft.run(1), kSs);
    const double difference = representable.mean - uniform.mean;
    // Of one seed list, but of other tasks: the errors add up.
    const double error = std::hypot(representable.standard_error, uniform.standard_error);
    draft.measure("wang-8-ss-representable",
                  Measurement{difference, fmt::format("{} and {}", mean_text(representable), mean_text(uniform)),
                              interval_of_mean(difference, error, uniform.count), uniform.count});
}

}  // namespace

FigureInfo wang_8() {
    return figure_of(shipped_recipe("wang-8", {.measures = {"wang-8-ss-representable"}, .draw = measure_wang_8}));
}

}  // namespace emergence
