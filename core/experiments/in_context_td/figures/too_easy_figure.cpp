// Our figure on a remark of Section 5, Wang et al. 2025: what is learned if tasks hardly differ.
#include "core/experiments/figure_recipe.h"
#include "core/experiments/in_context_td/figures/td_figures.h"

namespace emergence {
namespace {

// Above Q of each run: below, how close its network is to batch TD.
void draw_too_easy(Draft& draft) {
    for (const FinishedRun& run : draft.runs()) {
        HeatmapSpec heatmap = heatmap_of_run(run, "Q0", MatrixView::Mode::scaled);
        heatmap.id += "_" + std::to_string(draft.made.figure.cells.size());
        heatmap.title = "Q0, " + run.label;
        draft.add(std::move(heatmap));
    }
    for (size_t i = 0; i < draft.runs().size(); ++i)
        draft.add(
            plot_of_run(draft.run(i), "similarity", draft.run(i).label, "similarity_" + std::to_string(i)));
    draft.measure("too-easy-dynamics", emerged_fraction(draft.run(1).snapshot));
    draft.measure("too-easy-features", emerged_fraction(draft.run(2).snapshot));
    draft.measure("too-easy-both", emerged_fraction(draft.run(3).snapshot));
}

}  // namespace

FigureInfo figure_of_easy_tasks() {
    return figure_of(
        {.name = "too-easy",
         .title = "Tasks that are too easy",
         .page = even_page("What is learned if tasks hardly differ", 2, 4, 3.4, 3.4, 0.4),
         .after = "A remark of Section 5, Wang et al. 2025",
         .caption = "Boyan chains; fixed: drawn once for all MRPs of a run. Evaluated on chains that differ.",
         .runs = {{"all differs", {{"fixed_transition", false}}},
                  {"p and p0 fixed", {{"fixed_transition", true}}},
                  {"features fixed", {{"fixed_transition", false}, {"fixed_features", true}}},
                  {"both fixed", {{"fixed_transition", true}, {"fixed_features", true}}}},
         .start = {{"fixed_transition", false}},
         .measures = {"too-easy-dynamics", "too-easy-features", "too-easy-both"},
         .draw = draw_too_easy});
}

}  // namespace emergence
