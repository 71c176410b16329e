// Our figure: errors on the pool and on fresh tasks against the size of the pool, and where training ends with other
// numbers of features and context lengths.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "core/base/statistics.h"
#include "core/experiments/figure_recipe.h"
#include "core/experiments/in_context_td/figures/td_figures.h"

namespace emergence {
namespace {

// The axis labels every second one.
constexpr int kPools[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 1024};
constexpr int kPoolsElsewhere[] = {8, 16, 32, 64, 1024};
constexpr size_t kPoolRuns = std::size(kPools), kElsewhere = std::size(kPoolsElsewhere);
// A run's seeds are its own: no finding was made from them, and no two runs share one.
constexpr int64_t kFirstFreshSeed = 30000, kSeedsApart = 100;

// Other sizes than the preset's d = 4 and n = 30.
struct OtherSize {
    const char *label, *field;
    int value;
};
constexpr OtherSize kOtherSizes[] = {{"d = 2", "d", 2}, {"n = 10", "n", 10}, {"n = 100", "n", 100}};

struct PoolPanels {
    PlotSpec errors, similarity, elsewhere;
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
    similarity.series = {{"IWS", {}, {}, 2}, {"fraction emerged", {}, {}, 1, true}};
    PlotSpec& elsewhere = panels.elsewhere;
    elsewhere.id = "pool_elsewhere";
    elsewhere.title = "Other sizes";
    elsewhere.x = errors.x;
    elsewhere.y = {"fraction emerged", "", Scale::linear, 0.0, 1.0};
    elsewhere.series = {{"d = 4, n = 30", {}, {}, 1}};
    for (const OtherSize& other : kOtherSizes)
        elsewhere.series.push_back({other.label, {}, {}, static_cast<int>(elsewhere.series.size()) + 1});
    return panels;
}

void add_pool_run(const FinishedRun& run, double size, PoolPanels& panels) {
    const auto over_batch_td = [&run](const char* metric, const char* of_batch_td) {
        SeedRows ratios = final_values(run, metric);
        const SeedRows below = final_values(run, of_batch_td);
        for (size_t k = 0; k < ratios.size(); ++k) ratios[k][0] /= below[k][0];
        return ratios;
    };
    add_point(panels.errors.series[0], size, over_batch_td("msve", "msve_batch_td"));
    add_point(panels.errors.series[1], size, over_batch_td("msve_pool", "msve_pool_batch_td"));
    add_point(panels.similarity.series[0], size, final_values(run, "implicit_weight_similarity"));
    add_share(size, emerged_seeds(run.snapshot), panels.similarity.series[1]);
    add_share(size, emerged_seeds(run.snapshot), panels.elsewhere.series[0]);
}

// The runs of the other sizes: a line for each.
void add_other_sizes(Draft& draft, PlotSpec& plot) {
    for (size_t i = 0; i < std::size(kOtherSizes); ++i) {
        const size_t first = kPoolRuns + i * kElsewhere;
        for (size_t k = 0; k < kElsewhere; ++k)
            add_share(kPoolsElsewhere[k], emerged_seeds(draft.run(first + k).snapshot), plot.series[i + 1]);
    }
}

void draw_pools(Draft& draft) {
    PoolPanels panels = empty_panels();
    for (size_t i = 0; i < kPoolRuns; ++i) add_pool_run(draft.run(i), kPools[i], panels);
    add_other_sizes(draft, panels.elsewhere);
    draft.add(std::move(panels.errors));
    draft.add(std::move(panels.similarity));
    draft.add(std::move(panels.elsewhere));
    const Snapshot& first = draft.run(0).snapshot;
    draft.caption = fmt::format(
        "Ours, with the settings of Figure 2 of Wang et al. 2025: trained on K distinct Boyan chains again and again "
        "instead of fresh ones. All {} seeds for each K, each with a pool of its own, {} {}. Left: median and quartiles "
        "over seeds of the value error over batch TD's on the same chains. Middle: mean and standard error of IWS. Right: {} "
        "seeds for each K with other numbers of features d and context lengths n. Fractions with Wilson's 95 % interval.",
        first.seeds.size(), first.step, first.step_unit, draft.runs().back().snapshot.seeds.size());
}

// Half as many seeds for the other sizes.
std::vector<GridConfig> pool_runs(const ExperimentInfo&, const Settings& settings) {
    std::vector<GridConfig> runs;
    const int64_t seeds = settings.integer("seeds"), half = (seeds + 1) / 2;
    const auto add = [&](const std::string& label, int size, std::vector<Change> more) {
        const int64_t apart = larger(kSeedsApart, seeds) * static_cast<int64_t>(runs.size());
        more.insert(more.end(), {{"pool_size", size}, {"seed", settings.integer("seed") + apart}});
        runs.push_back(config_with(label, settings, more));
    };
    for (const int size : kPools) add(fmt::format("K = {}", size), size, {});
    for (const OtherSize& other : kOtherSizes)
        for (const int size : kPoolsElsewhere)
            add(fmt::format("{}, K = {}", other.label, size), size,
                {{other.field, other.value}, {"bank_size", 100}, {"seeds", half}});
    return runs;
}

}  // namespace

FigureInfo figure_of_pools() {
    return figure_of(
        {.name = "pool",
         .title = "How many worlds until it stops memorising",
         .page = {"How many worlds until it stops memorising?", {1, 1, 1}, {1}, 16, 4.2},
         .plan = pool_runs,
         .start = {{"pool_size", kPools[0]}, {"seed", kFirstFreshSeed}, {"seeds", 30}, {"log_interval", 40}},
         .draw = draw_pools});
}

}  // namespace emergence
