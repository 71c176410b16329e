// Our figure: errors on the pool and on fresh tasks against the size of the pool.
#include <fmt/format.h>

#include "core/experiments/figure_recipe.h"
#include "core/experiments/in_context_td/td_figures.h"

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

void draw_pools(Draft& draft) {
    PoolPanels panels = empty_panels();
    int few = 0, of_few = 0;
    for (size_t i = 0; i < draft.runs().size(); ++i) {
        add_pool_run(draft.run(i), kPools[i], panels);
        const Fraction emerged = emerged_fraction(draft.run(i).snapshot);
        if (kPools[i] > 8) continue;
        few += emerged.count;
        of_few += emerged.total;
    }
    draft.add(std::move(panels.errors));
    draft.add(std::move(panels.similarity));
    const Summary most = final_summary(draft.runs().back(), "implicit_weight_similarity");
    const Summary least = final_summary(draft.run(0), "implicit_weight_similarity");
    draft.measure("pool-few", fraction(few, of_few));
    draft.measure("pool-many", most, fmt::format("with one chain {}", mean_text(least)));
    const Snapshot& first = draft.run(0).snapshot;
    draft.caption = fmt::format(
        "Ours, with the settings of Figure 2 of Wang et al. 2025: trained on K distinct Boyan chains again and again "
        "instead of fresh ones. All {} seeds ({}..), each with a pool of its own, {} {}. Left: median and quartiles "
        "over seeds of the value error over batch TD's on the same chains. Right: mean and standard error.",
        first.seeds.size(), first.settings.integer("seed"), first.step, first.step_unit);
}

}  // namespace

FigureInfo figure_of_pools() {
    std::vector<RecipeRun> runs;
    for (const int size : kPools) runs.push_back({fmt::format("K = {}", size), {{"pool_size", size}}});
    return figure_of({.name = "pool",
                      .title = "How many worlds until it stops memorising",
                      .page = {"How many worlds until it stops memorising?", {1, 1}, {1}, 11, 4.2},
                      .runs = std::move(runs),
                      .draw = draw_pools});
}

}  // namespace emergence
