#pragma once
// Experiment "bandit-inside": looks into a trained network, a shipped one or a weights.npz of "bandit-train". Nothing
// is trained. One step plays one environment of each stream, to compare its regret with the classical algorithms'.

#include "core/experiments/bandits/bandit_eval.h"
#include "core/experiments/bandits/bandit_train.h"
#include "core/settings/toml.h"

namespace emergence {

/// Every setting of experiment "bandit-inside".
struct BanditInsideConfig : BanditWorldFields, BanditPlayerFields, BanditStreamFields, BanditLookFields {
    BanditInsideConfig() {
        num_environments = 100;
        seeds = 1;
    }
    std::string network = "cosine";
    std::string network_file;
    std::string temperature = "chosen";

    void fields(Fields& f);
};

/// Settings that show the network of this file in the test environments of its training. Throws InputError if
/// read_bandit_network() does.
SettingsFile bandit_inside_settings(const std::filesystem::path& weights);

/// The experiment's entry in the registry.
ExperimentInfo bandit_inside();

}  // namespace emergence
