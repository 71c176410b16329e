// Figures 2 to 4 of Liang and Lai, and our figure of thirty seeds in small MDPs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/base/statistics.h"
#include "core/experiments/figure_file.h"
#include "core/experiments/figure_recipe.h"
#include "core/experiments/policy_improvement/improvement_study.h"

namespace emergence {
namespace {

constexpr const char* kAlgorithms[] = {"sarsa", "actor-critic"};
constexpr const char* kTitles[] = {"SARSA", "actor-critic"};

// Actor-critic with SARSA's settings, except alpha and d, for which it has its own defaults.
Settings for_actor_critic(const ExperimentInfo& info, const Settings& sarsa) {
    Settings settings(info.fields);
    for (const FieldInfo& field : sarsa.fields())
        if (settings.has(field.name) && field.name != "d" && field.name != "alpha")
            settings.set(field.name, sarsa.value(field.name));
    return settings;
}

// Both algorithms, SARSA first.
std::vector<GridConfig> both_algorithms(const ExperimentInfo&, const Settings& sarsa) {
    const auto other = std::make_shared<const ExperimentInfo>(actor_critic());
    return {{kTitles[0], sarsa}, {kTitles[1], for_actor_critic(*other, sarsa), {}, other}};
}

// Both algorithms, each followed by a control with a constant rate.
std::vector<GridConfig> both_with_controls(const ExperimentInfo& info, const Settings& sarsa) {
    std::vector<GridConfig> runs;
    for (const GridConfig& run : both_algorithms(info, sarsa)) {
        runs.push_back(run);
        runs.push_back(config_with(run.label + ", constant rate", run.settings, {{"rate_decay", 1.0}}));
        runs.back().experiment = run.experiment;
    }
    return runs;
}

// A run's plot with the control's transformer line added.
PlotSpec with_control(const FinishedRun& run, const FinishedRun& control, const std::string& id,
                      const std::string& title, const std::string& as) {
    PlotSpec plot = plot_of_run(run, id, title, as);
    plot.series[0].name = "rate decays";
    Series other = plot_of_run(control, id, title).series[0];
    other.name = "constant rate";
    other.color = 3;
    plot.series.insert(plot.series.begin() + 1, std::move(other));
    return plot;
}

// Correlation of log loss with MDPs, mean over seeds that logged losses.
double log_correlation(const FinishedRun& run) {
    SeedRows rows;
    for (const std::vector<double>& losses : logged_values(run, "loss")) {
        std::vector<double> log_loss;
        for (const double loss : losses) log_loss.push_back(std::log(loss));
        rows.push_back({fit_line(run.history.steps(), log_loss).correlation});
    }
    return summarise(rows, 0).mean;
}

void draw_policy_4(Draft& draft) {
    for (int column = 0; column < 2; ++column) {
        const auto first = static_cast<size_t>(2 * column);
        const FinishedRun &run = draft.run(first), &control = draft.run(first + 1);
        int row = 0;
        for (const char* id : {"loss", "loss_by_rate"})
            draft.add(with_control(run, control, id, kTitles[column], fmt::format("{}_{}", kAlgorithms[column], id)),
                      row++, column);
        draft.measure(fmt::format("policy-4-{}-exponential", kAlgorithms[column]), log_correlation(run));
    }
}

std::vector<GridConfig> both_in_small_mdps(const ExperimentInfo&, const Settings& sarsa) {
    const auto other = std::make_shared<const ExperimentInfo>(actor_critic());
    const Settings settings = for_actor_critic(*other, sarsa);
    const int64_t states = settings.integer("num_states"), pairs = states * settings.integer("num_actions");
    GridConfig second = config_with("actor-critic", settings, {{"d", states}, {"m", pairs}});
    second.experiment = other;
    return {{"SARSA", sarsa}, second};
}

// How far the transformer ends from its teacher in unseen MDPs, over the width of the teacher's band, for the seed that
// ends farthest.
Measurement largest_gap_to_teacher(const FinishedRun& run, const ImprovementConfig& config) {
    const ClosedLoop loop({.shape = config.shape,
                           .agent = config.agent,
                           .mdps = config.loop_mdps,
                           .updates = config.loop_updates,
                           .every = config.loop_updates,
                           .rollouts = 0});
    const size_t last = loop.measured_at().size() - 1;
    const Summary teacher = summarise(loop.teacher(), last);
    const double band = teacher.upper_quartile - teacher.lower_quartile;
    std::vector<double> gaps;
    for (const size_t seed : live_seeds(run.snapshot)) {
        const LoopReturns returns = loop.transformer(improvement_weights(config.shape, run.snapshot, seed).data());
        gaps.push_back(std::abs(summarise(returns, last).mean - teacher.mean) / band);
    }
    const double largest = largest_of(gaps), median = summarise(gaps, true).median;
    return {largest, fmt::format("median {:.2g}, band {:.3f}, {} seeds", median, band, gaps.size())};
}

void measure_policy_seeds(Draft& draft) {
    draft.measure("policy-seeds-sarsa-loop",
                  largest_gap_to_teacher(draft.run(0), config_from<SarsaConfig>(draft.run(0).snapshot.settings)));
    draft.measure("policy-seeds-actor-critic-loop",
                  largest_gap_to_teacher(draft.run(1), config_from<ActorCriticConfig>(draft.run(1).snapshot.settings)));
}

}  // namespace

std::vector<FigureInfo> improvement_figures() {
    return {shipped_figure("policy-2", {.plan = both_algorithms}),
            shipped_figure("policy-3", {.plan = both_algorithms}),
            shipped_figure("policy-4", {.plan = both_with_controls,
                                        .measures = {"policy-4-sarsa-exponential", "policy-4-actor-critic-exponential"},
                                        .draw = draw_policy_4}),
            shipped_figure("policy-seeds", {.plan = both_in_small_mdps,
                                            .measures = {"policy-seeds-sarsa-loop", "policy-seeds-actor-critic-loop"},
                                            .draw = measure_policy_seeds})};
}

}  // namespace emergence
