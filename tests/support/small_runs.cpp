#include "tests/support/small_runs.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace emergence::testing {

const std::vector<SmallRun>& small_runs() {
    // clang-format off
    static const Changes td = {{"d", "2"}, {"log_interval", "5"}, {"bank_size", "16"}};
    static const auto td_with = [](const Changes& more) {
        Changes all = td;
        all.insert(all.end(), {{"num_layers", "2"}, {"n", "12"}});
        all.insert(all.end(), more.begin(), more.end());
        return SmallRun{"td", all};
    };
    static const auto improvement = [](const char* name, const Changes& more) {
        Changes all = {{"log_interval", "2"}, {"frames", "4"}, {"d", "2"}, {"loop_mdps", "4"}, {"loop_updates", "20"},
                       {"drive_updates", "10"}, {"edit_at", "3"}, {"edit_bonus", "1"}};
        all.insert(all.end(), more.begin(), more.end());
        return SmallRun{name, all};
    };
    static const auto bandit_train = [](const char* layers) {
        return SmallRun{"bandit-train", {{"layers", layers}, {"log_interval", "2"}, {"bank_size", "4"}, {"rounds", "10"}, {"d", "2"},
                                         {"arms", "2"}, {"width", "4"}, {"heads", "2"}, {"hidden", "4"}, {"batch", "2"},
                                         {"played_by_others", "8"}}};
    };
    static const std::vector<SmallRun> runs = {
        {"td", {{"d", "2"}, {"log_interval", "5"}, {"bank_size", "16"}, {"num_layers", "2"}}},
        {"td", {{"log_interval", "5"}, {"bank_size", "16"}, {"num_layers", "2"}, {"look_inside", "both"}}},
        td_with({{"sequential", "true"}}),
        td_with({{"activation", "softmax"}, {"normalisation", "columns"}}),
        td_with({{"activation", "relu"}, {"sequential", "true"}}),
        td_with({{"activation", "elu"}, {"task", "loop"}}),
        td_with({{"activation", "tanh"}, {"pool_size", "2"}}),
        td_with({{"activation", "softmax"}, {"task", "cart_pole"}, {"d", "4"}}),
        td_with({{"activation", "tanh"}, {"loss", "average_reward"}}),
        td_with({{"loss", "residual_gradient"}, {"optimizer", "sgd"}}),
        td_with({{"loss", "td_lambda"}, {"task", "loop"}}),
        td_with({{"loss", "monte_carlo"}, {"fixed_transition", "true"}}),
        td_with({{"updates", "prompt"}, {"fixed_features", "true"}}),
        td_with({{"mask", "td_lambda"}, {"sequential", "true"}}),
        td_with({{"mask", "td_lambda"}, {"mask_lambda", "0.3"}, {"learn_mask_lambda", "true"}}),
        td_with({{"model", "two_heads"}, {"loss", "average_reward"}}),
        td_with({{"model", "two_heads"}, {"learn_W", "true"}, {"share_Q", "true"}}),
        td_with({{"model", "rnn"}}),
        td_with({{"model", "rnn"}, {"rnn_width", "7"}, {"loss", "residual_gradient"}}),
        {"evaluation", {{"max_context_length", "4"}}, 100},
        {"construction", {{"num_layers", "6"}, {"n", "12"}}, 6},
        {"construction", {{"num_layers", "6"}, {"n", "12"}, {"algorithm", "residual_gradient"}}, 6},
        {"construction", {{"num_layers", "6"}, {"n", "12"}, {"algorithm", "td_lambda"}}, 6},
        {"construction", {{"num_layers", "6"}, {"n", "12"}, {"algorithm", "average_reward_td"}}, 6},
        {"invariant-set", {{"d", "2"}, {"distance", "0.1"}, {"samples", "4"}}},
        {"softmax-construction", {{"num_states", "5"}, {"d", "8"}, {"n", "12"}, {"num_layers", "6"}}, 4},
        {"softmax-td", {{"d", "2"}, {"log_interval", "5"}, {"bank_size", "16"}, {"n", "12"}, {"num_states", "5"}}},
        {"softmax-td", {{"log_interval", "5"}, {"bank_size", "8"}, {"n", "12"}, {"num_states", "5"}, {"flip", "true"}, {"flip_at", "7"}}, 15},
        {"softmax-convergence", {{"longest", "20000"}, {"num_states", "5"}, {"gamma", "0.5"}}, 5},
        {"bandit-race", {{"rounds", "150"}, {"master_constants", "both"}, {"probability", "0.1"}}, 150},
        {"bandit-eval", {{"rounds", "20"}, {"num_environments", "12"}}},
        {"bandit-sweep", {{"rounds", "60"}, {"kind", "drift"}, {"num_environments", "6"}}, 6},
        bandit_train("1"),
        bandit_train("2"),
        {"bandit-inside", {{"rounds", "60"}, {"num_environments", "6"}}, 5},
        {"regression", {{"d", "2"}, {"num_prompts", "500"}, {"log_interval", "2"}}},
        {"regression", {{"restriction", "13"}, {"num_layers", "2"}, {"n", "10"}, {"num_prompts", "500"}, {"bank_size", "500"}}},
        {"regression", {{"restriction", "none"}, {"num_layers", "2"}, {"n", "10"}, {"num_prompts", "500"}, {"bank_size", "500"},
                        {"optimizer", "adam"}}},
        improvement("sarsa", {}),
        improvement("actor-critic", {{"m", "2"}}),
        {"policy-flow", {{"windows", "50"}, {"d", "2"}}},
        {"policy-flow", {{"windows", "50"}, {"d", "2"}, {"start", "random"}}},
        {"matrices", {}},
    };
    // clang-format on
    return runs;
}

const SmallRun& small_run(const std::string& experiment) {
    for (const SmallRun& run : small_runs())
        if (run.experiment == experiment) return run;
    FAIL("tests/support/small_runs.cpp has no run of experiment ", experiment);
    return small_runs().front();
}

const FieldInfo* training_length(const ExperimentInfo& info) {
    for (const FieldInfo& field : *info.fields)
        if (field.name.starts_with("num_") && field.help.find("0: untrained") != std::string::npos) return &field;
    return nullptr;
}

std::string text_of(const SmallRun& run) {
    std::string text;
    for (const auto& [field, value] : run.changes) text += (text.empty() ? "" : " ") + std::string(field) + "=" + value;
    return text;
}

Settings settings_with(const std::string& experiment, const Changes& changes) {
    const ExperimentInfo& info = find_experiment(experiment);
    Settings settings(info.fields);
    for (const auto& [field, value] : changes) settings.set_from_text(field, value);
    info.check(settings);
    return settings;
}

void change(Settings& settings, std::string_view changes) {
    while (!changes.empty()) {
        const std::string_view one = changes.substr(0, changes.find(", "));
        const size_t equals = one.find('=');
        settings.set_from_text(std::string(one.substr(0, equals)), std::string(one.substr(equals + 1)));
        changes.remove_prefix(std::min(one.size() + 2, changes.size()));
    }
}

Settings settings_of(const std::string& experiment, std::string_view changes) {
    Settings settings(find_experiment(experiment).fields);
    change(settings, changes);
    find_experiment(experiment).check(settings);
    return settings;
}

Settings settings_of(const SmallRun& run) {
    Changes changes;
    if (Settings(find_experiment(run.experiment).fields).has("seeds")) changes = {{"seeds", "2"}};
    changes.insert(changes.end(), run.changes.begin(), run.changes.end());
    return settings_with(run.experiment, changes);
}

const PlotSpec& required_plot(const Snapshot& snapshot, const std::string& id) {
    for (const PlotSpec& plot : snapshot.plots)
        if (plot.id == id) return plot;
    FAIL("no plot ", id);
    return snapshot.plots.front();
}

}  // namespace emergence::testing
