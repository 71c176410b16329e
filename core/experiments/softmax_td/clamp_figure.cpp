// Our figure: P or Q is held while the other learns, a test of what the paper's Figure 3b suggests.
#include "core/experiments/softmax_td/softmax_td_figures.h"

#include <fmt/format.h>

#include "core/pictures/plot.h"

namespace emergence {
namespace {

// One point per run: the mean kappa that was held or reached, and each seed's final score.
Series clamped(const std::vector<const FinishedRun*>& runs, const char* metric, const char* name, int color) {
    Series series{.name = name, .x = {}, .rows = {}, .color = color};
    for (const FinishedRun* run : runs)
        add_point(series, final_summary(*run, "kappa").mean, final_values(*run, metric));
    return series;
}

PlotSpec clamp_plot(const FinishedRun& free, const std::vector<const FinishedRun*>& held) {
    PlotSpec plot = plot_of_run(free, "emergence_against_kappa", "V against the kappa that is held");
    plot.id = "v_against_held_kappa";
    plot.series = {plot.series[1]};  // V's
    plot.series[0].name = "V of free runs, while they train";
    plot.series[0].color = 7;
    Series v = clamped(held, "v_emergence", "V in the end, Q held", 0);
    plot.series.push_back(std::move(v));
    plot.x.label = "\u03ba, held or reached";
    plot.y.label = "V-emergence";
    return plot;
}

PlotSpec reverse_plot(const std::vector<const FinishedRun*>& held, const std::vector<double>& steps) {
    Plot plot("a_against_held_step", "The reverse: A where P is held");
    plot.x("step size of the P that is held");
    plot.y("A, \u03ba").from(0.0).to(1.0);
    plot.add(clamped(held, "a_emergence", "A in the end, P held", 1));
    plot.add(clamped(held, "kappa_state", "\u03ba by state in the end", 3));
    for (Series& series : plot.spec().series) series.x = steps;
    return plot;
}

constexpr double kHeldSharpnesses[] = {0, 0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 10, 16};
constexpr double kHeldSteps[] = {0.1, 0.3, 0.6, 1.0, 1.5};

// The runs: free ones, then one per sharpness of Q, then one per step of P.
void draw_clamp(Draft& draft) {
    std::vector<const FinishedRun*> held_Q, held_P;
    for (size_t i = 1; i < draft.runs().size(); ++i)
        (i <= std::size(kHeldSharpnesses) ? held_Q : held_P).push_back(&draft.run(i));
    draft.add(clamp_plot(draft.run(0), held_Q));
    draft.add(reverse_plot(held_P, {std::begin(kHeldSteps), std::end(kHeldSteps)}));
}

}  // namespace

FigureInfo figure_of_clamps() {
    std::vector<RecipeRun> runs = {{"free", {{"clamp", "nothing"}, {"flip", true}}}};
    for (const double sharpness : kHeldSharpnesses)
        runs.push_back({fmt::format("Q = {} I", sharpness), {{"clamp", "Q"}, {"clamp_sharpness", sharpness}}});
    for (const double step : kHeldSteps)
        runs.push_back({fmt::format("P = {} TD", step), {{"clamp", "P"}, {"clamp_step", step}}});
    return figure_of(
        {.name = "softmax-clamp",
         .title = "V against a kernel diagonality that is held",
         .page = {"Does P need a diagonal kernel? One is held, the other learns", {1.3, 1}, {1}, 12, 4.8},
         .after = "Figure 3b of the softmax paper",
         .caption = "Left: V in the end of P trained with Q held at eleven sharpnesses, over free runs while they "
                    "train, a point a seed and logged step (signs changed at update 500). Right: Q trained with P "
                    "held.",
         .runs = std::move(runs),
         .start = {{"clamp", "nothing"}},
         .draw = draw_clamp});
}

}  // namespace emergence
