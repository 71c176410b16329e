#include "core/experiments/registry.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/experiments/bandits/bandits.h"
#include "core/experiments/in_context_td/settings/published_run.h"
#include "core/experiments/in_context_td/settings/worlds.h"
#include "core/experiments/in_context_td/td.h"
#include "core/experiments/matrices/matrices.h"
#include "core/experiments/policy_improvement/policy_improvement.h"
#include "core/experiments/regression/regression.h"
#include "core/experiments/softmax_td/softmax_td.h"
#include "core/files/folders.h"
#include "core/settings/embedded_settings.h"

namespace emergence {

const std::vector<ExperimentInfo>& experiments() {
    // clang-format off
    static const std::vector<ExperimentInfo> table = {
        in_context_td(),
        policy_evaluation(),
        construction(),
        invariant_set(),
        softmax_construction(),
        softmax_td(),
        softmax_convergence(),
        bandit_race(),
        bandit_eval(),
        bandit_sweep(),
        bandit_train(),
        bandit_inside(),
        regression(),
        sarsa(),
        actor_critic(),
        policy_flow(),
        matrices(),
    };
    // clang-format on
    return table;
}

const ExperimentInfo& find_experiment(const std::string& name) { return named(experiments(), name, "experiment"); }

SettingsFile settings_of_file(const std::filesystem::path& path) {
    if (is_world_file(path)) return world_settings(path);
    if (is_world_folder(path)) return world_folder_settings(path);
    if (published_run_folder(path).empty()) {
        if (holds_matrices(path)) return matrices_settings(path);
        if (kind_of_file(path) == std::filesystem::file_type::directory)
            throw InputError(path.string() + ": is a folder without a run, a sweep, worlds or matrices");
    }
    return holds_bandit_network(path) ? bandit_inside_settings(path) : settings_that_made(path);
}

SettingsFile settings_that_made(const std::filesystem::path& path) {
    return published_run_folder(path).empty() ? read_config_of(path) : published_settings(path);
}

const std::vector<Paper>& papers() {
    static const std::vector<Paper> table = {
        {"in-context-td", {"td", "evaluation", "construction", "invariant-set"}},
        {"softmax-td", {"softmax-td", "softmax-convergence", "softmax-construction"}},
        {"bandits", {"bandit-race", "bandit-eval", "bandit-sweep", "bandit-train", "bandit-inside"}},
        {"regression", {"regression"}},
        {"policy-improvement", {"sarsa", "actor-critic", "policy-flow"}},
    };
    return table;
}

}  // namespace emergence
