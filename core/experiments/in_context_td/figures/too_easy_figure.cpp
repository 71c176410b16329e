// Our figure on a remark of Section 5, Wang et al. 2025: what is learned if tasks hardly differ.
#include "core/experiments/figure_file.h"
#include "core/experiments/in_context_td/figures/td_figures.h"

namespace emergence {
namespace {

void measure_too_easy(Draft& draft) {
    draft.measure("too-easy-dynamics", emerged_fraction(draft.run(1).snapshot));
    draft.measure("too-easy-features", emerged_fraction(draft.run(2).snapshot));
    draft.measure("too-easy-both", emerged_fraction(draft.run(3).snapshot));
}

}  // namespace

FigureInfo figure_of_easy_tasks() {
    return figure_of(shipped_recipe(
        "too-easy",
        {.measures = {"too-easy-dynamics", "too-easy-features", "too-easy-both"}, .draw = measure_too_easy}));
}

}  // namespace emergence
