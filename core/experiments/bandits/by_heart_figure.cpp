// Our figure: which networks learn their training frequencies by heart. Four frequencies or all, in one phase or any.
#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "core/experiments/bandits/bandit_train.h"
#include "core/experiments/figure_recipe.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

struct ByHeartCell {
    const char *label, *frequencies;
};
constexpr ByHeartCell kCells[] = {{"four b, one phase", "four"},
                                  {"four b, any phase", "four_any_phase"},
                                  {"all b, one phase", "continuous_one_phase"},
                                  {"all b, any phase", "continuous"}};
constexpr int64_t kFirstByHeartSeed = 100, kNetworks = 10;  // no finding was made from these seeds

void draw_by_heart(Draft& draft) {
    Plot seen("seen", "On environments like training's"), unseen("unseen", "At the unseen b = 0.018");
    for (Plot* plot : {&seen, &unseen}) {
        plot->x("updates").from(0.0);
        plot->y("regret").from(0.0);
    }
    for (size_t i = 0; i < std::size(kCells); ++i) {
        const FinishedRun& run = draft.run(i);
        const int color = static_cast<int>(i);
        seen.line(kCells[i].label, run.history.steps(), logged_values(run, "validation_regret")).color(color);
        unseen.line(kCells[i].label, run.history.steps(), logged_values(run, "test_regret")).color(color);
    }
    // All runs and networks share the test environments.
    const double classical = scalar_of(draft.run(), "best_classical_test").value;
    unseen.level("best classical", classical);
    draft.add(seen);
    draft.add(unseen);
    const Settings& settings = draft.settings;
    draft.caption = fmt::format(
        "Ours: networks trained on the four frequencies of Chen et al. 2025 or on all up to {}, always in phase 0 or in any; {} "
        "networks each, never b = 0. A small bandit: d = {}, A = {}, noise {}, T = {}. Mean and "
        "standard error over networks, {} environments each. The test is in phase 0.",
        settings.number("max_frequency"), draft.run().snapshot.seeds.size(), settings.integer("d"),
        settings.integer("arms"), settings.number("noise"), settings.integer("rounds"), settings.integer("bank_size"));
}

std::vector<RecipeRun> by_heart_runs() {
    std::vector<RecipeRun> runs;
    for (const ByHeartCell& cell : kCells) runs.push_back({cell.label, {{"frequencies", cell.frequencies}}});
    return runs;
}

}  // namespace

FigureInfo figure_of_learning_by_heart() {
    return figure_of({.name = "nonstationary-by-heart",
                      .title = "Which training frequencies are learned by heart (ours)",
                      .page = {"Which training frequencies are learned by heart?", {1, 1}, {1}, 12, 4.4},
                      .runs = by_heart_runs(),
                      .start = {{"seed", kFirstByHeartSeed}, {"seeds", kNetworks}},
                      .draw = draw_by_heart});
}

}  // namespace emergence
