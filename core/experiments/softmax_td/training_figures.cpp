// Figures 5 and 6 of the softmax paper: emergence while training, masks and mixing.
#include "core/experiments/softmax_td/softmax_td_figures.h"

#include <fmt/format.h>

#include "core/pictures/axis.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

// The trailing mean of kWindow logged points, up to the seed's best checkpoint.
std::vector<double> trailing(const FinishedRun& run, const char* metric, size_t seed) {
    constexpr size_t kWindow = 5;
    const auto& column = run.history.column(metric, static_cast<int>(seed));
    std::vector<double> smooth(column.size(), kMissing);
    const size_t last = best_row(run, seed);
    for (size_t i = 0; i <= last && i < column.size(); ++i) {
        const size_t from = i + 1 >= kWindow ? i + 1 - kWindow : 0;
        double sum = 0;
        for (size_t j = from; j <= i; ++j) sum += column[j];
        smooth[i] = sum / static_cast<double>(i + 1 - from);
    }
    return smooth;
}

PlotSpec trajectory(const FinishedRun& run, const std::string& id, const std::string& title,
                    const std::vector<MetricPlot::Line>& lines) {
    Plot plot(id, title);
    plot.x(run.snapshot.step_unit).from(0.0);
    plot.spec().y.minimum = 0.0;
    for (const MetricPlot::Line& line : lines) {
        Series series{.name = line.label, .x = run.history.steps(), .rows = {}, .color = line.color};
        for (const size_t k : live_seeds(run.snapshot)) series.rows.push_back(trailing(run, line.metric.c_str(), k));
        plot.add(std::move(series));
        plot.spec().y.label += (plot.spec().y.label.empty() ? "" : ", ") + line.label;
    }
    return plot;
}

const std::vector<MetricPlot::Line> kScores = {{"v_emergence", "V", 0, false}, {"a_emergence", "A", 1, false}};
const std::vector<MetricPlot::Line> kKappa = {{"kappa", "\u03ba", 2, false},
                                              {"kappa_state", "\u03ba by state", 3, false}};

void draw_scores(Draft& draft) {
    const FinishedRun& run = draft.run();
    draft.add(trajectory(run, "scores", "V- and A-emergence", kScores));
    draft.add(trajectory(run, "kappa", "Kernel diagonality", kKappa));
}

// One row per run: while training, against kappa, P and Q.
void draw_masks(Draft& draft) {
    for (size_t i = 0; i < draft.runs().size(); ++i) {
        const FinishedRun& run = draft.run(i);
        draft.add(trajectory(run, fmt::format("scores_{}", i), run.label, kScores));
        draft.add(binned_plot(run, fmt::format("against_kappa_{}", i), run.label));
        add_matrices(draft, run, i);
    }
    draft.caption = fmt::format(
        "Mixing rises from {} to {} over {} updates (the schedule of “Beyond Linear Attention” is lost: ours). Left to right: each run "
        "while training (trailing mean of five logged points; a seed's curve ends at its best checkpoint, the logged "
        "point with the largest product of V and A), against kappa in 20 equal bins, and P and Q at the best "
        "checkpoint, mean of the seeds whose Q ends positive.",
        readout(draft.settings.number("mixing")), readout(draft.settings.number("mixing_end")),
        draft.settings.integer("mixing_updates"));
}

}  // namespace

FigureInfo figure_of_scores() {
    return figure_of(
        {.name = "softmax-5",
         .title = "Figure 5: emergence while training",
         .page = {"Emergence and the kernel's diagonality while training", {1}, {1, 1}, 7, 7.5},
         .after = "Figure 5 of the softmax paper",
         .caption = "Trailing mean of five logged points; each seed's curve ends at its best checkpoint (the logged "
                    "point with the largest product of V and A), so that the seeds grow fewer to the right.",
         .runs = {{"defaults, signs changed"}},
         .draw = draw_scores});
}

FigureInfo figure_of_masks() {
    return figure_of({.name = "softmax-6",
                      .title = "Figure 6: masks and mixing",
                      .page = {"Masks and mixing", {1.1, 1.1, 1.4, 1.2}, {1, 1, 1}, 16, 10.5},
                      .after = "Figure 6 of the softmax paper",
                      .curves = "first column mean and standard error over seeds, second median and quartiles",
                      .runs = {{"full masks", {{"masks", "full"}, {"show", "best"}}},
                               {"P's mask alone", {{"masks", "relaxed"}, {"show", "best"}}},
                               {"full masks, not mixed",
                                {{"masks", "full"}, {"show", "best"}, {"mixing", 0.0}, {"mixing_updates", 0}}}},
                      .start = {{"masks", "full"}, {"show", "best"}},
                      .draw = draw_masks});
}

}  // namespace emergence
