#pragma once
// Experiment "bandit-inside": looks into a trained network, a shipped one or a weights.npz of "bandit-train".
// Nothing is trained. One step plays one environment of each stream, to compare its regret with the classical
// algorithms'.

#include <filesystem>

#include "core/experiments/bandits/bandit_eval.h"
#include "core/experiments/bandits/bandit_train_fields.h"
#include "core/settings/toml.h"

namespace emergence {

/// Every setting of experiment "bandit-inside".
struct BanditInsideConfig : BanditWorldFields, BanditPlayerFields {
    std::string network = "cosine";
    std::string network_file;
    std::string temperature = "chosen";
    int shown_environment = 0;
    int shown_layer = 2;
    int shown_head = 1;
    int64_t num_environments = 100;
    int64_t seed = 0;
    int seeds = 1;
    int log_interval = 5;
};

template <class Visitor>
void visit_fields(BanditInsideConfig& c, Visitor&& visit) {
    visit(
        FieldInfo{
            .name = "network",
            .label = "weights",
            .help =
                "One of the networks that ship, or those in a file. Their optimiser's state is not saved, so "
                "that their training cannot be resumed; the presets bandit-cosine, -low and -mixture "
                "train them again.",
            .group = "network",
            .choices = {"cosine", "low", "mixture", "memorise", "file"}},
        c.network);
    visit(FieldInfo{.name = "network_file",
                    .label = "file",
                    .help = "A weights.npz that a run of bandit-train left; its first seed.",
                    .group = "network",
                    .acts_while = {{"network", {"file"}}}},
          c.network_file);
    visit(
        FieldInfo{.name = "temperature",
                  .label = "temperature",
                  .help =
                      "It draws its arm from softmax(logits / temperature). Chosen: by the validation stream "
                      "of its training. 0: the most probable arm.",
                  .group = "network",
                  .choices = {"chosen", "1", "0.5", "0"}},
        c.temperature);
    visit_look_fields(c, visit);
    visit_bandit_kind(c, visit);
    visit_bandit_play(c, visit);
    visit_bandit_classical(c, visit);
    visit_bandit_constants(c, visit);
    visit_bandit_run(c, visit);
}

/// Settings that show the network of this file in the test environments of its training. Throws InputError if
/// read_bandit_network() does.
SettingsFile bandit_inside_settings(const std::filesystem::path& weights);

/// The experiment's entry in the registry.
ExperimentInfo bandit_inside();

}  // namespace emergence
