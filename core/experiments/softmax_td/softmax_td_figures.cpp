// Figure 3 of the softmax paper, and the table of figures.
#include "core/experiments/softmax_td/softmax_td_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/experiments/softmax_td/softmax_figure_parts.h"

namespace emergence {
namespace {

// The least x at which the mean over these seeds reaches half of its largest value.
double half_height(const Series& series, const Places& places) {
    std::vector<double> means;
    double largest = 0.0;
    for (size_t i = 0; i < series.x.size(); ++i) {
        means.push_back(summary_at(series.rows, places, i).mean);
        if (std::isfinite(means[i])) largest = std::max(largest, means[i]);
    }
    for (size_t i = 0; i < series.x.size(); ++i)
        if (means[i] >= 0.5 * largest) return series.x[i];
    return kMissing;
}

Settings defaults(const ExperimentInfo& info, const Settings& preset) {
    Settings settings(info.fields);
    for (const char* field : {"seed", "seeds", "num_updates", "log_interval", "bank_size"})
        settings.set(field, preset.value(field));
    return settings;
}

std::vector<GridConfig> demonstration_and_defaults(const ExperimentInfo& info, const Settings& settings) {
    const Settings plain = defaults(info, settings);
    return {config_with("demonstration", settings, {{"show", "best"}}),
            config_with("defaults, signs changed", plain, {{"show", "best"}, {"flip", true}}),
            config_with("defaults", plain, {{"show", "best"}})};
}

void draw_softmax_3(Draft& draft) {
    for (size_t i = 0; i < draft.runs().size(); ++i) {
        add_matrices(draft, draft.run(i), i);
        draft.add(binned_plot(draft.run(i), fmt::format("against_kappa_{}", i), draft.run(i).label));
    }
    const FinishedRun& demo = draft.run(0);
    const Series v = binned_by_kappa(demo, "v_emergence", "", 0),
                 a = binned_by_kappa(demo, "a_emergence", "", 0);
    const Places all = all_places(v.rows.size());
    draft.measure(
        "softmax-3-v-later",
        bootstrapped(
            all.size(), [&](const Places& places) { return half_height(v, places) - half_height(a, places); },
            fmt::format("V at {:.3f}, A at {:.3f}", half_height(v, all), half_height(a, all))));
}

}  // namespace

std::vector<FigureInfo> softmax_td_figures() {
    return {
        figure_of({.name = "softmax-3",
                   .title = "Figure 3: what softmax attention learned, and kernel diagonality",
                   .page = {"P and Q at the best checkpoint, and emergence against the kernel's diagonality",
                            {1.3, 1, 1.5},
                            {1, 1, 1},
                            13,
                            10.5},
                   .after = "Figure 3 of the softmax paper",
                   .caption =
                       "Matrices: each seed's best checkpoint, the logged point with the largest product "
                       "of V and A; mean as trained, colours up to the largest entry. Right: logged points "
                       "in 20 equal bins of kappa. Both of the seeds whose Q ends positive.",
                   .curves = "median over seeds and quartiles",
                   .plan = demonstration_and_defaults,
                   .start = {{"show", "best"}},
                   .measures = {"softmax-3-v-later"},
                   .draw = draw_softmax_3}),
        figure_of_scores(), figure_of_masks(), figure_of_clamps()};
}

}  // namespace emergence
