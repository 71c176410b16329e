// Our figure: the value error of the trained network at numbers of layers and context lengths beyond its training.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/experiments/figure_recipe.h"
#include "core/experiments/in_context_td/figures/td_figures.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

void draw_beyond(Draft& draft) {
    const FinishedRun& run = draft.run();
    const int trained = static_cast<int>(draft.settings.integer("num_layers")),
              most = trained + static_cast<int>(draft.settings.integer("eval_extra_layers"));
    HeatmapSpec map;
    map.id = "beyond";
    map.title = "median MSVE over predict-zero's, less 1";
    const auto n = static_cast<double>(draft.settings.integer("n"));
    Plot by_depth("by_depth", fmt::format("Value error at n = {}", n));
    by_depth.x("layers");
    by_depth.y("MSVE");
    by_depth.spread(Spread::median);  // one diverging seed would hide the others
    Series network{"transformer", {}, {}, 0, false}, batch_td{"batch TD", {}, {}, 1, true};
    std::vector<Settings> depths;
    for (int layers = trained; layers <= most; ++layers) {
        depths.push_back(draft.settings);
        depths.back().set("eval_extra_layers", int64_t{layers - trained});
    }
    for (size_t row = 0; row < depths.size(); ++row) {
        const PlotSpec plot = value_errors(*draft.info, run, depths[row]);
        const Series& errors = plot.series.front();
        const double zero = summarise(series_starting(plot, "predict zero").rows, 0).mean;
        if (row == 0) map.values = Table(static_cast<int>(depths.size()), static_cast<int>(errors.x.size()));
        for (size_t k = 0; k < errors.x.size(); ++k)
            map.values(static_cast<int>(row), static_cast<int>(k)) = summarise(errors.rows, k).median / zero - 1.0;
        const double layers = trained + static_cast<double>(row);
        for (auto [series, source] :
             {std::pair<Series*, const Series*>{&network, &errors}, {&batch_td, &plot.series[1]}}) {
            SeedRows at_n = source->rows;
            for (std::vector<double>& of_seed : at_n) of_seed = {of_seed[place_near(*source, n)]};
            add_point(*series, layers, at_n);
        }
        map.row_blocks.push_back({fmt::format("{}", trained + static_cast<int>(row)), 1});
        if (row == 0) {
            by_depth.level("predict zero", zero);
            by_depth.spec().y.cut = 1.25 * zero;
        }
    }
    for (int end = 10; end <= 40 && map.values.columns == 40; end += 10)
        map.column_blocks.push_back({fmt::format("to {}", end), 10});
    if (map.column_blocks.empty()) map.column_blocks = {{"context length", map.values.columns}};
    map.note =
        "Rows: layers. Columns: context length. Blue is better than predicting 0, red worse; beyond the colours twice as "
        "bad or more.";
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
