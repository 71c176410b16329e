// Our figure: errors on the pool and on fresh tasks against the size of the pool.
#include <fmt/format.h>

#include "core/base/version.h"
#include "core/experiments/figure_runs.h"
#include "core/experiments/in_context_td/other_networks_figures.h"

namespace emergence {
namespace {

// The axis labels every second one.
constexpr int kPools[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 1024};

struct PoolPanels {
    PlotSpec errors, similarity;
};

PoolPanels empty_panels() {
    PoolPanels panels;
    PlotSpec& errors = panels.errors;
    errors.id = "pool_errors";
    errors.title = "Value error over batch TD's";
    errors.x = {"chains in the pool", "", Scale::logarithmic};
    errors.y = {"MSVE ratio", "", Scale::logarithmic};
    errors.spread = Spread::median;  // with one chain some seeds have errors a hundred times larger on others
    errors.series = {{"on fresh chains", {}, {}, 0}, {"on its own pool", {}, {}, 3}};
    errors.lines = {{"batch TD", 1.0, false}};
    PlotSpec& similarity = panels.similarity;
    similarity.id = "pool_similarity";
    similarity.title = "Is it TD?";
    similarity.x = errors.x;
    similarity.y = {"", "", Scale::linear, 0.0, 1.0};
    similarity.series = {{"IWS", {}, {}, 2}, {"fraction emerged", {}, {{}}, 1, true}};
    return panels;
}

void add_pool_run(const FinishedRun& run, double size, PoolPanels& panels) {
    const auto last = [&run](const char* metric) { return final_values(run.snapshot, run.history, metric); };
    const auto add = [size](Series& series, const std::vector<std::vector<double>>& of,
                            const std::vector<std::vector<double>>* over) {
        series.x.push_back(size);
        series.rows.resize(of.size());
        for (size_t k = 0; k < of.size(); ++k)
            series.rows[k].push_back(over == nullptr ? of[k][0] : of[k][0] / (*over)[k][0]);
    };
    const auto batch_td = last("msve_batch_td"), pool_batch_td = last("msve_pool_batch_td");
    add(panels.errors.series[0], last("msve"), &batch_td);
    add(panels.errors.series[1], last("msve_pool"), &pool_batch_td);
    add(panels.similarity.series[0], last("implicit_weight_similarity"), nullptr);
    panels.similarity.series[1].x.push_back(size);
    panels.similarity.series[1].rows[0].push_back(emerged_fraction(run.snapshot).value);
}

}  // namespace

GridFigure figure_pool(const ExperimentInfo& info, const Settings& preset, const GridOptions& options) {
    std::vector<GridConfig> configs;
    for (const int size : kPools)
        configs.push_back(config_with(fmt::format("K = {}", size), preset, {{"pool_size", whole(size)}}));
    FigureRuns runs = run_all(info, std::move(configs), options);
    if (runs.grid.stopped) return runs.result;
    PoolPanels panels = empty_panels();
    int few = 0, of_few = 0;
    for (size_t i = 0; i < runs.grid.runs.size(); ++i) {
        add_pool_run(runs.grid.runs[i], kPools[i], panels);
        const Fraction emerged = emerged_fraction(runs.grid.runs[i].snapshot);
        if (kPools[i] > 8) continue;
        few += emerged.count;
        of_few += emerged.total;
    }
    const Fraction memorised = fraction(few, of_few);
    const Summary most = final_summary(runs.grid.runs.back(), "implicit_weight_similarity");
    const Summary least = final_summary(runs.grid.runs.front(), "implicit_weight_similarity");
    runs.result.measured = {
        {"pool-few", {memorised.value, fraction_text(memorised)}},
        {"pool-many", {most.mean, fmt::format("{}; with one chain {}", mean_text(most), mean_text(least))}}};
    FigureSpec& figure = runs.result.figure;
    figure.name = "pool";
    figure.title = "How many worlds until it stops memorising?";
    const Snapshot& first = runs.grid.runs.front().snapshot;
    figure.caption = fmt::format(
        "Ours, with the settings of Figure 2 of Wang et al. 2025: trained on K distinct Boyan chains again "
        "and "
        "again instead of fresh ones. All {} seeds ({}..), each with a pool of its own, {} {}. Left: median "
        "and "
        "quartiles over seeds of the value error over batch TD's on the same chains. Right: mean and "
        "standard "
        "error. Emergence {}.",
        first.seeds.size(), first.settings.integer("seed"), first.step, first.step_unit, version());
    figure.column_weights = {1, 1};
    figure.row_weights = {1};
    figure.width_inches = 11;
    figure.height_inches = 4.2;
    figure.cells = {{std::move(panels.errors), 0, 0}, {std::move(panels.similarity), 0, 1}};
    return runs.result;
}

}  // namespace emergence
