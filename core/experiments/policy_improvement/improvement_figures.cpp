#include "core/experiments/policy_improvement/improvement_figures.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "core/base/error.h"
#include "core/base/statistics.h"
#include "core/experiments/figure_file.h"
#include "core/experiments/policy_improvement/improvement_study.h"

namespace emergence {
namespace {

constexpr const char* kAlgorithms[] = {"sarsa", "actor-critic"};
constexpr const char* kTitles[] = {"SARSA", "actor-critic"};

// Both algorithms, SARSA first.
std::vector<GridConfig> both_algorithms(const ExperimentInfo&, const Settings& sarsa) {
    const auto other = std::make_shared<const ExperimentInfo>(actor_critic());
    return {{kTitles[0], sarsa}, {kTitles[1], for_actor_critic(*other, sarsa), {}, other}};
}

// Each with a control of constant rate.
std::vector<GridConfig> both_with_controls(const ExperimentInfo& info, const Settings& sarsa) {
    std::vector<GridConfig> runs;
    for (const GridConfig& run : both_algorithms(info, sarsa)) {
        runs.push_back(run);
        runs.push_back(config_with(run.label + ", constant rate", run.settings, {{"rate_decay", 1.0}}));
        runs.back().experiment = run.experiment;
    }
    return runs;
}

std::string settings_text(const Settings& preset) {
    return fmt::format("{} MDPs of {} windows of {} transitions, an update of Adam each.", preset.integer("num_mdps"),
                       preset.integer("frames"), preset.integer("n"));
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
    draft.caption = settings_text(draft.settings) +
                    " Below: against the sum of learning rates (ours), with a control whose rate stays constant.";
}

}  // namespace

Settings for_actor_critic(const ExperimentInfo& info, const Settings& sarsa) {
    Settings settings(info.fields);
    for (const FieldInfo& field : sarsa.fields())
        if (settings.has(field.name) && field.name != "d" && field.name != "alpha")
            settings.set(field.name, sarsa.value(field.name));
    return settings;
}

std::vector<FigureInfo> improvement_figures() {
    return {figure_of(shipped_recipe("policy-2", {.plan = both_algorithms})),
            figure_of(shipped_recipe("policy-3", {.plan = both_algorithms})),
            figure_of({.name = "policy-4",
                       .title = "Figure 4: the loss while training, both algorithms",
                       .page = {"How the loss falls, and what of that is the learning rate's", {1, 1}, {1, 1}, 12, 8},
                       .after = "Figure 4 of Liang and Lai",
                       .plan = both_with_controls,
                       .measures = {"policy-4-sarsa-exponential", "policy-4-actor-critic-exponential"},
                       .draw = draw_policy_4}),
            figure_of_policy_seeds()};
}

}  // namespace emergence
