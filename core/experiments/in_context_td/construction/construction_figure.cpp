#include "core/experiments/in_context_td/construction/construction_figure.h"

#include <fmt/format.h>

#include "core/experiments/figure_recipe.h"
#include "core/lab/views/measured.h"

namespace emergence {
namespace {

// A log axis cannot show 0: nothing is drawn before the first layer, or if both agree to the last bit.
void add_panel(Draft& draft, const std::string& id, const std::string& title, int row, int column) {
    PlotSpec plot =
        plot_of_run(draft.run(static_cast<size_t>(column)), id, title, fmt::format("{}_{}", id, column));
    for (Series& series : plot.series)
        if (!series.dashed) series.name = "";
    draft.add(std::move(plot), row, column);
}

void draw_wang_13(Draft& draft) {
    for (int i = 0; i < 4; ++i) {
        const FinishedRun& run = draft.run(static_cast<size_t>(i));
        add_panel(draft, "absolute_difference", run.label, 0, i);
        add_panel(draft, "relative_difference", run.label + ", relative", 1, i);
    }
    draft.caption = fmt::format(
        "After Figure 13 of Wang et al. 2025: d = {}, n = {}, {} layers, arbitrary C_l, {} prompts from random Boyan "
        "chains, double precision. Lines: mean over prompts, bands: standard error. Relative: over |phi| |w|, since "
        "the iterates themselves grow.",
        draft.settings.integer("d"), draft.settings.integer("n"), draft.settings.integer("num_layers"),
        draft.run().snapshot.seeds.size());
}

}  // namespace

Metrics<ConstructionMeasured> construction_metrics() {
    using M = ConstructionMeasured;
    return {
        {"absolute_difference", "absolute", "|y_l + <\u03c6, w_l>|: transformer against algorithm.",
         &M::absolute},
        {"relative_difference", "relative", "The same over |\u03c6| |w_l|.", &M::relative},
        {"transformer", "transformer", "The value that the transformer predicts after this layer, -y_l.",
         &M::transformer},
        {"algorithm", "algorithm", "The algorithm's value after as many steps, <\u03c6, w_l>.",
         &M::algorithm},
        {"msve", "transformer",
         "Mean square value error of the transformer after this layer, every state a query, weighted by the "
         "stationary distribution; average reward's up to a constant.",
         &M::msve},
        {"msve_algorithm", "algorithm", "The same of the algorithm after as many steps.",
         &M::msve_algorithm}};
}

std::vector<MetricPlot> construction_plots() {
    const char* const note =
        "|y + <\u03c6, w>|, and relative to |\u03c6| |w|. Double precision: what is left is rounding, which grows where "
        "the iterates grow. Where both agree to the last bit there is no point.";
    HistoryPlot absolute("absolute_difference", "Transformer and algorithm: difference"),
        relative("relative_difference", "The same, relative"), values("values", "Predicted values");
    absolute.y("difference").logarithmic();
    absolute.line("absolute_difference");
    absolute.note(note);
    relative.y("relative difference").logarithmic();
    relative.line("relative_difference").color(2);
    relative.note(note);
    values.y("value of the query");
    values.line("transformer");
    values.line("algorithm").color(1).dashed();
    values.note("Both lines lie on each other where the construction is right.");
    return {absolute, relative, values};
}

FigureInfo wang_13() {
    const auto run = [](const char* label, const char* algorithm) {
        return RecipeRun{label, {{"algorithm", algorithm}}};
    };
    return figure_of(
        {.name = "wang-13",
         .title = "Figure 13: constructed transformers and their algorithms",
         .page = {"Constructed transformers against their algorithms", {1, 1, 1, 1}, {1, 1}, 14, 6.4},
         .runs = {run("TD(0)", "td"), run("residual gradient", "residual_gradient"),
                  run("TD(\u03bb)", "td_lambda"), run("average-reward TD", "average_reward_td")},
         .draw = draw_wang_13});
}

}  // namespace emergence
