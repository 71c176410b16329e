// Our figure: the value error of the trained network at numbers of layers and context lengths beyond its training.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/experiments/figure_recipe.h"
#include "core/experiments/in_context_td/td_figures.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

void draw_beyond(Draft& draft) {
    constexpr int kMostLayers = 12;
    const FinishedRun& run = draft.run();
    const int trained = static_cast<int>(draft.preset.integer("num_layers"));
    HeatmapSpec map;
    map.id = "beyond";
    map.title = "median MSVE over predict-zero's, less 1";
    Plot by_depth("by_depth", "Value error at n = 30");
    by_depth.x("layers");
    by_depth.y("MSVE");
    by_depth.spread(Spread::median);  // one diverging seed would hide the others
    Series network{"transformer", {}, {}, 0, false}, batch_td{"batch TD", {}, {}, 1, true};
    std::vector<Settings> depths;
    for (int layers = trained; layers <= kMostLayers; ++layers) {
        depths.push_back(draft.preset);
        depths.back().set("eval_extra_layers", int64_t{layers - trained});
    }
    for (size_t row = 0; row < depths.size(); ++row) {
        const PlotSpec plot = value_errors(*draft.info, run, depths[row]);
        const Series& errors = plot.series.front();
        const double zero = summarise(series_starting(plot, "predict zero").rows, 0).mean;
        if (row == 0) map.values = Table(static_cast<int>(depths.size()), static_cast<int>(errors.x.size()));
        for (size_t n = 0; n < errors.x.size(); ++n)
            map.values(static_cast<int>(row), static_cast<int>(n)) =
                summarise(errors.rows, n).median / zero - 1.0;
        const double layers = trained + static_cast<double>(row);
        for (auto [series, source] :
             {std::pair<Series*, const Series*>{&network, &errors}, {&batch_td, &plot.series[1]}}) {
            series->x.push_back(layers);
            series->rows.resize(source->rows.size());
            for (size_t k = 0; k < source->rows.size(); ++k) series->rows[k].push_back(source->rows[k][29]);
        }
        map.row_blocks.push_back({fmt::format("{}", trained + static_cast<int>(row)), 1});
        if (row == 0) {
            by_depth.level("predict zero", zero);
            by_depth.spec().y.cut = 1.25 * zero;
        }
    }
    for (const int end : {10, 20, 30, 40}) map.column_blocks.push_back({fmt::format("to {}", end), 10});
    map.note =
        "Rows: layers, trained with 3. Columns: context length, 1 to 40. Blue is better than predicting "
        "0, red worse; beyond the colours twice as bad or more.";
    const double zero = by_depth.spec().lines[0].value,
                 deepest = summarise(network.rows, depths.size() - 1).median;
    const auto better = std::count_if(network.rows.begin(), network.rows.end(),
                                      [&](const auto& row) { return row.back() < zero; });
    const Fraction beats = fraction(static_cast<int>(better), static_cast<int>(network.rows.size()));
    draft.measure("beyond-layers", beats, fmt::format("median MSVE {:.3g} of {:.3g}", deepest, zero));
    by_depth.add(std::move(network));
    by_depth.add(std::move(batch_td));
    draft.add(std::move(map));
    draft.add(std::move(by_depth));
    draft.caption = fmt::format(
        "The network of Figure 2 of Wang et al. 2025 beyond its training (ours): the trained layer is applied more "
        "often, on contexts of other lengths. All {} seeds are pooled, {} {}. Heatmap and curves: median over seeds; "
        "bands: quartiles.",
        run.snapshot.seeds.size(), run.snapshot.step, run.snapshot.step_unit);
}

}  // namespace

FigureInfo figure_beyond_training() {
    return figure_of({.name = "beyond",
                      .title = "Layers and context lengths beyond training",
                      .page = {"Layers and context lengths beyond training", {1.5, 1}, {1}, 12, 4.4},
                      .runs = {{"L = 3"}},
                      .draw = draw_beyond});
}

}  // namespace emergence
