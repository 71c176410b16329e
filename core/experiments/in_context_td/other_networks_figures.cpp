#include "core/experiments/in_context_td/other_networks_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/error.h"
#include "core/base/version.h"
#include "core/experiments/in_context_td/similarity_figures.h"

namespace emergence {
namespace {

PlotSpec with_id(PlotSpec plot, const std::string& id) {
    plot.id = id;
    return plot;
}

const Series& series_starting(const PlotSpec& plot, const std::string& name) {
    for (const Series& series : plot.series)
        if (series.name.starts_with(name)) return series;
    throw InputError(fmt::format("plot '{}': no series '{}'", plot.id, name));
}

// The mean over seeds at the x nearest to `x`.
double mean_near(const Series& series, double x) {
    size_t nearest = 0;
    for (size_t i = 0; i < series.x.size(); ++i)
        if (std::abs(series.x[i] - x) < std::abs(series.x[nearest] - x)) nearest = i;
    return summarise(series.rows, nearest).mean;
}

// The run's value-error plot under other live or task settings, with the trained weights.
PlotSpec value_errors(const ExperimentInfo& info, const FinishedRun& run, const Settings& settings) {
    const Snapshot answer = info.make(settings)->inspect(run.snapshot, {"evaluate", settings});
    for (const PlotSpec& plot : answer.plots)
        if (plot.id == "msve_by_context_length") return plot;
    throw InputError("value errors: the tasks have no exact values");
}

}  // namespace

GridFigure figure_wang_6(const ExperimentInfo& info, const Settings& preset, const GridOptions& options) {
    std::vector<GridConfig> configs;
    for (const int layers : {2, 3, 4})
        configs.push_back(
            config_with(fmt::format("L = {}", layers), preset, {{"num_layers", whole(layers)}}));
    return similarity_figure(run_all(info, std::move(configs), options), "wang-6", "Figure 6",
                             "Sequential layers against batch TD", 3);
}

GridFigure figure_wang_8(const ExperimentInfo& info, const Settings& preset, const GridOptions& options) {
    FigureRuns runs = run_all(info,
                              {config_with("rewards uniform", preset, {{"representable", false}}),
                               config_with("values representable", preset, {{"representable", true}})},
                              options);
    const StudyGrid grid = runs.grid;
    GridFigure made = similarity_figure(std::move(runs), "wang-8", "Figure 8",
                                        "Softmax attention against linear batch TD", 2);
    if (made.stopped) return made;
    const Summary uniform = final_summary(grid.runs[0], "sensitivity_similarity");
    const Summary representable = final_summary(grid.runs[1], "sensitivity_similarity");
    const auto peak = [&](const MetricHistory& history) {
        double highest = -1.0;
        for (size_t i = 0; i < history.steps().size(); ++i) {
            std::vector<std::vector<double>> row;
            for (int k = 0; k < history.num_seeds(); ++k)
                row.push_back({history.column("sensitivity_similarity", k)[i]});
            highest = std::max(highest, summarise(row, 0).mean);
        }
        return highest;
    };
    made.measured.push_back(
        {"wang-8-ss-drops",
         {uniform.mean - peak(grid.runs[0].history), fmt::format("{} at the end", mean_text(uniform))}});
    made.measured.push_back({"wang-8-ss-representable",
                             {representable.mean - uniform.mean,
                              fmt::format("{} and {}", mean_text(representable), mean_text(uniform))}});
    return made;
}

GridFigure figure_wang_12(const ExperimentInfo& info, const Settings& preset, const GridOptions& options) {
    std::vector<GridConfig> configs;
    for (const int width : {4, 16})
        configs.push_back(config_with(fmt::format("h = {}", width), preset, {{"rnn_width", whole(width)}}));
    FigureRuns runs = run_all(info, std::move(configs), options);
    if (runs.grid.stopped) return runs.result;
    FigureSpec& figure = runs.result.figure;
    figure.name = "wang-12";
    figure.title = "Recurrent networks: value error against context length";
    figure.caption =
        paper_caption("Figure 12 of Wang et al. 2025", runs,
                      "Three layers, tanh, trained on Boyan chains, evaluated on chains and on "
                      "random loops with the context lengths of the horizontal axis. Context mean "
                      "reward (ours): one value for all states, the mean of the context's rewards "
                      "times a factor; it explains why ours falls.");
    figure.column_weights = figure.row_weights = {1, 1};
    figure.width_inches = 11;
    figure.height_inches = 7.4;
    for (int i = 0; i < 2; ++i) {
        const FinishedRun& run = runs.grid.runs[static_cast<size_t>(i)];
        const GridConfig& config = runs.configs[static_cast<size_t>(i)];
        int column = 0;
        for (const char* task : {"boyan", "loop"}) {
            Settings settings = config.settings;
            settings.set("task", std::string(task));
            if (settings.text("task") == "loop") {  // as in Figure 1
                settings.set("loop_min_states", whole(5));
                settings.set("num_states", whole(15));
            }
            PlotSpec plot = with_id(value_errors(info, run, settings), fmt::format("{}_{}", task, i));
            plot.title = fmt::format("{}, {}", config.label, task);
            const Series& network = plot.series.front();
            const double at_5 = mean_near(network, 5), at_40 = mean_near(network, 40);
            const Series& mean_reward = series_starting(plot, "context mean reward");
            runs.result.measured.push_back(
                {fmt::format("wang-12-{}-{}", task, config.settings.integer("rnn_width")),
                 {at_40 / at_5,
                  fmt::format("{:.3g} and {:.3g}; the context's mean reward alone {:.3g} and {:.3g}", at_40,
                              at_5, mean_near(mean_reward, 40), mean_near(mean_reward, 5))}});
            figure.cells.push_back({std::move(plot), i, column++});
        }
    }
    return runs.result;
}

GridFigure figure_beyond(const ExperimentInfo& info, const Settings& preset, const GridOptions& options) {
    constexpr int kMostLayers = 12;
    FigureRuns runs = run_all(info, {config_with("L = 3", preset, {})}, options);
    if (runs.grid.stopped) return runs.result;
    const FinishedRun& run = runs.grid.runs[0];
    const int trained = static_cast<int>(preset.integer("num_layers"));
    HeatmapSpec map;
    map.id = "beyond";
    map.title = "median MSVE over predict-zero's, less 1";
    PlotSpec by_depth;
    by_depth.id = "by_depth";
    by_depth.title = "Value error at n = 30";
    by_depth.x.label = "layers";
    by_depth.y.label = "MSVE";
    by_depth.spread = Spread::median;  // one diverging seed would hide the others
    Series network{"transformer", {}, {}, 0, false}, batch_td{"batch TD", {}, {}, 1, true};
    std::vector<Settings> depths;
    for (int layers = trained; layers <= kMostLayers; ++layers) {
        depths.push_back(preset);
        depths.back().set("eval_extra_layers", whole(layers - trained));
    }
    for (size_t row = 0; row < depths.size(); ++row) {
        const PlotSpec plot = value_errors(info, run, depths[row]);
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
            by_depth.lines.push_back({"predict zero", zero, false});
            by_depth.y.cut = 1.25 * zero;
        }
    }
    for (const int end : {10, 20, 30, 40}) map.column_blocks.push_back({fmt::format("to {}", end), 10});
    map.note =
        "Rows: layers, trained with 3. Columns: context length, 1 to 40. Blue is better than predicting "
        "0, red worse; beyond the colours twice as bad or more.";
    const double zero = by_depth.lines[0].value, deepest = summarise(network.rows, depths.size() - 1).median;
    const auto better = std::count_if(network.rows.begin(), network.rows.end(),
                                      [&](const auto& row) { return row.back() < zero; });
    const Fraction beats = fraction(static_cast<int>(better), static_cast<int>(network.rows.size()));
    runs.result.measured = {{"beyond-layers",
                             {beats.value, fmt::format("{}; median MSVE {:.3g} of {:.3g}",
                                                       fraction_text(beats), deepest, zero)}}};
    by_depth.series = {std::move(network), std::move(batch_td)};
    FigureSpec& figure = runs.result.figure;
    figure.name = "beyond";
    figure.title = "Layers and context lengths beyond training";
    figure.caption = fmt::format(
        "The network of Figure 2 of Wang et al. 2025 beyond its training (ours): the trained layer is "
        "applied "
        "more often, on contexts of other lengths. All {} seeds are pooled, {} {}. Heatmap and curves: "
        "median "
        "over seeds; bands: quartiles. Emergence {}.",
        run.snapshot.seeds.size(), run.snapshot.step, run.snapshot.step_unit, version());
    figure.column_weights = {1.5, 1};
    figure.row_weights = {1};
    figure.width_inches = 12;
    figure.height_inches = 4.4;
    figure.cells = {{std::move(map), 0, 0}, {std::move(by_depth), 0, 1}};
    return runs.result;
}

}  // namespace emergence
