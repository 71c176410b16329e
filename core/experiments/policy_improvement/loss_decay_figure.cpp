// Our figure: the pace at which the loss falls against that of the learning rate.
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <vector>

#include "core/base/statistics.h"
#include "core/base/types.h"
#include "core/experiments/figure_recipe.h"
#include "core/experiments/policy_improvement/improvement_figures.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

// The factors of the learning rate at each decay: none, half the paper's pace, the paper's, twice it.
struct RateSchedule {
    const char* label;
    double decay;
    // Its claim; "" for the constant rate.
    const char* claim;
};
constexpr RateSchedule kSchedules[] = {{"constant rate", 1.0, ""},
                                       {"times 0.995", 0.995, "policy-decay-slow"},
                                       {"times 0.99, the paper's", 0.99, "policy-decay-paper"},
                                       {"times 0.98", 0.98, "policy-decay-fast"}};
constexpr size_t kConstant = 0, kSlow = 1, kFast = 3;
constexpr int64_t kFirstDecaySeed = 100;  // no finding was made from these seeds
// Powers and paces are fitted where every decaying schedule has been: late enough to follow its rate, and above the
// rounding of float32.
constexpr double kLargestRate = 1e-4, kSmallestRate = 1e-6;

// Slope of a seed's log loss over log rate, or over MDPs, between the two rates.
double slope_of(const FinishedRun& run, const std::vector<double>& loss, const std::vector<double>& rate,
                bool over_rate) {
    std::vector<double> x, y;
    for (size_t i = 0; i < loss.size(); ++i)
        if (rate[i] <= kLargestRate && rate[i] >= kSmallestRate) {
            x.push_back(over_rate ? std::log(rate[i]) : run.history.steps()[i]);
            y.push_back(std::log(loss[i]));
        }
    return fit_line(x, y).slope;
}

SeedRows slopes_of(const FinishedRun& run, const std::vector<size_t>& seeds, bool over_rate) {
    SeedRows slopes;
    for (const size_t k : seeds) {
        const auto column = [&](const char* metric) { return run.history.column(metric, static_cast<int>(k)); };
        slopes.push_back({slope_of(run, column("loss"), column("learning_rate"), over_rate)});
    }
    return slopes;
}

// How many times faster the loss falls with the fast schedule than with the slow one, of the same seeds.
Measurement ratio_of_paces(const FinishedRun& fast, const FinishedRun& slow) {
    std::vector<size_t> of_both[2];
    for (const size_t k : live_seeds(fast.snapshot))
        for (const size_t other : live_seeds(slow.snapshot))
            if (fast.snapshot.seeds[k].seed == slow.snapshot.seeds[other].seed) {
                of_both[0].push_back(k);
                of_both[1].push_back(other);
            }
    const SeedRows of_fast = slopes_of(fast, of_both[0], false), of_slow = slopes_of(slow, of_both[1], false);
    return bootstrapped(
        of_fast.size(),
        [&](const Places& seeds) { return summary_at(of_fast, seeds).mean / summary_at(of_slow, seeds).mean; },
        fmt::format("the rate's own ratio {:.2f}",
                    std::log(kSchedules[kFast].decay) / std::log(kSchedules[kSlow].decay)));
}

void draw_decays(Draft& draft) {
    Plot falls("loss", "The loss while training"),
        follows("loss_by_learning_rate", "The loss against its learning rate");
    falls.x("MDPs").from(0.0);
    falls.y("loss").logarithmic();
    follows.x("learning rate").logarithmic();
    follows.y("loss").logarithmic();
    falls.spread(Spread::median);
    follows.spread(Spread::median);
    for (size_t i = 0; i < std::size(kSchedules); ++i) {
        const FinishedRun& run = draft.run(i);
        const RateSchedule& schedule = kSchedules[i];
        SeedRows losses = logged_values(run, "loss");
        for (std::vector<double>& loss : losses) loss[0] = kMissing;  // nothing has been trained on
        falls.line(schedule.label, run.history.steps(), losses).color(static_cast<int>(i));
        if (i == kConstant || losses.empty()) continue;
        follows.line(schedule.label, logged_values(run, "learning_rate").front(), losses).color(static_cast<int>(i));
        draft.measure(schedule.claim,
                      summary_at(slopes_of(run, live_seeds(run.snapshot), true), all_places(losses.size())));
    }
    follows.path("slope of a square", {kSmallestRate, kLargestRate}, {1e-9, 1e-5}).color(7).dashed();
    draft.measure("policy-decay-pace", ratio_of_paces(draft.run(kFast), draft.run(kSlow)));
    draft.add(falls);
    draft.add(follows);
    draft.caption = fmt::format(
        "Ours: SARSA's loss with four schedules of Adam's rate, {} MDPs of {} windows (those of Liang and Lai have "
        "1,000). The rate is multiplied every {} MDPs. Median and quartiles over seeds. Right: without the constant rate, "
        "which is one point of the axis; dashed: the slope of a square.",
        draft.settings.integer("num_mdps"), draft.settings.integer("frames"), draft.settings.integer("decay_every"));
}

std::vector<RecipeRun> decay_runs() {
    std::vector<RecipeRun> runs;
    for (const RateSchedule& schedule : kSchedules) runs.push_back({schedule.label, {{"rate_decay", schedule.decay}}});
    return runs;
}

}  // namespace

FigureInfo figure_of_loss_decay() {
    return figure_of({.name = "policy-decay",
                      .title = "The loss and its learning rate",
                      .page = {"The loss and its learning rate", {1, 1}, {1}, 12, 4.4},
                      .runs = decay_runs(),
                      .start = {{"rate_decay", kSchedules[0].decay}, {"seed", kFirstDecaySeed}},
                      .measures = {"policy-decay-slow", "policy-decay-paper", "policy-decay-fast", "policy-decay-pace"},
                      .draw = draw_decays});
}

}  // namespace emergence
