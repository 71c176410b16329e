#pragma once
// Settings that all bandit experiments share: the environment and its players. A Config derives from these
// structs and calls their functions in its own `fields`.

#include "core/algorithms/bandit_policy.h"
#include "core/settings/fields.h"
#include "core/tasks/bandit.h"

namespace emergence {

/// The environment, Section 5 of Chen et al. 2025; b = 0.018 is their test frequency.
struct BanditWorldFields : BanditOptions {
    BanditWorldFields() { segments = 8; }

    void fields(Fields& f);
    /// The kind of non-stationarity and its amount.
    void kind_fields(Fields& f);
    /// The number of rounds and the noise.
    void play_fields(Fields& f);
};

/// The algorithms that play, and their constants, if not tuned: LinUCB and TS have the paper's.
struct BanditPlayerFields : BanditConstants {
    std::string transformer = "auto";
    bool play_random = true;
    bool play_linucb = true;
    bool play_thompson = true;
    bool play_sliding_window = true;
    bool play_discounted = true;
    bool play_master_linucb = true;
    bool play_master_thompson = true;
    std::string master_constants = "practical";
    bool play_oracle_restart = true;
    bool play_cosine_thompson = true;
    std::string constants = "default";

    void fields(Fields& f);
    /// The switches of the classical algorithms.
    void classical_fields(Fields& f);
    void constants_fields(Fields& f);
};

/// The name and the label of each classical algorithm, for Field::called().
std::vector<std::pair<std::string, std::string>> bandit_algorithm_labels();

/// How many environments are played: several streams of them.
struct BanditStreamFields {
    int64_t num_environments = 50;
    int64_t seed = 0;
    int seeds = 4;
    int log_interval = 5;

    void fields(Fields& f);
};

/// The environment and the attention of a network that are shown.
struct BanditLookFields {
    int shown_environment = 0;
    int shown_layer = 2;
    int shown_head = 1;

    void fields(Fields& f);
};

}  // namespace emergence
