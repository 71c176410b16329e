#pragma once
// Settings that all bandit experiments share: the environment and its players. A Config derives from these
// structs and calls their visit functions in its visit_fields.

#include <string>

#include "core/settings/fields.h"
#include "core/tasks/bandit.h"

namespace emergence {

/// The environment, Section 5 of Chen et al. 2025; b = 0.018 is their test frequency.
struct BanditWorldFields {
    std::string kind = "cosine";
    double frequency = 0.018;
    int segments = 8;
    double angle = 5.0;
    int windows = 2;
    int d = 32;
    int arms = 10;
    int rounds = 200;
    double noise = 1.5;
};

/// The algorithms that play, and their constants: LinUCB and TS have the paper's.
struct BanditPlayerFields {
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
    double alpha = 1.0;
    double restart_alpha = 1.0;
    double v = 0.3;
    int window = 20;
    double window_alpha = 1.0;
    double discount = 0.9;
    double discounted_alpha = 1.0;
    double probability = 0.0;
};

/// Visits the kind of non-stationarity and its amount.
template <class Visitor, class Config>
void visit_bandit_kind(Config& c, Visitor&& visit) {
    visit(
        FieldInfo{.name = "kind",
                  .label = "non-stationarity",
                  .help =
                      "Cosine: all rewards times cos(2\u03c0bt). Elevated: in 0 to 1, plus 3 in windows of "
                      "rounds, which never changes the best arm. Abrupt: a new w* at every change. Drift: w* "
                      "turns.",
                  .group = "environment",
                  .choices = {"cosine", "elevated", "abrupt", "drift"}},
        c.kind);
    visit(
        FieldInfo{.name = "frequency",
                  .label = "cosine: b",
                  .help = "Periods a round. The paper trains at 0.005 to 0.02 and tests at 0.018 and 0.025.",
                  .group = "environment",
                  .minimum = 0,
                  .maximum = 0.06,
                  .acts_while = {{"kind", {"cosine"}}}},
        c.frequency);
    visit(
        FieldInfo{
            .name = "windows",
            .label = "elevated: N",
            .help =
                "Windows N: how many begin in rounds 50 to 649, evenly: 2 are the paper's, 50 to 100 and 350 "
                "to 400; other numbers are ours. Each is 51 rounds long, or half of the spacing.",
            .group = "environment",
            .minimum = 0,
            .maximum = kMostElevatedWindows,
            .acts_while = {{"kind", {"elevated"}}}},
        c.windows);
    visit(FieldInfo{.name = "segments",
                    .label = "abrupt: J",
                    .help = "Segments J, equally long, each with a w* of its own: J - 1 changes.",
                    .group = "environment",
                    .minimum = 1,
                    .maximum = 32,
                    .logarithmic = true,
                    .acts_while = {{"kind", {"abrupt"}}}},
          c.segments);
    visit(FieldInfo{.name = "angle",
                    .label = "drift: angle",
                    .help = "How far w* turns over all rounds. The variation budget \u0394 of Definition 1 "
                            "grows with it: "
                            "about 2 a radian at d = 32 and A = 10.",
                    .group = "environment",
                    .unit = "rad",
                    .minimum = 0,
                    .maximum = 50,
                    .acts_while = {{"kind", {"drift"}}}},
          c.angle);
}

/// Visits the number of rounds and the noise.
template <class Visitor, class Config>
void visit_bandit_play(Config& c, Visitor&& visit) {
    visit(FieldInfo{.name = "rounds",
                    .label = "rounds T",
                    .help = "How long an environment is played.",
                    .group = "environment",
                    .minimum = 20,
                    .maximum = 4000,
                    .logarithmic = true},
          c.rounds);
    visit(
        FieldInfo{.name = "noise",
                  .label = "noise",
                  .help =
                      "Standard deviation of a reward's noise, before the environment scales it: the cosine "
                      "multiplies it too, elevated rewards divide it by the range of the means.",
                  .group = "environment",
                  .minimum = 0.01,
                  .maximum = 5},
        c.noise);
}

/// Visits the settings of the environment.
template <class Visitor, class Config>
void visit_bandit_world(Config& c, Visitor&& visit) {
    visit_bandit_kind(c, visit);
    visit(FieldInfo{.name = "d",
                    .label = "features d",
                    .help = "Entries of an action vector, each U[-1, 1].",
                    .group = "environment",
                    .minimum = 1,
                    .maximum = 128,
                    .logarithmic = true},
          c.d);
    visit(FieldInfo{.name = "arms",
                    .label = "arms A",
                    .help = "Action vectors of an environment, the same in all its rounds.",
                    .group = "environment",
                    .minimum = 2,
                    .maximum = 50,
                    .logarithmic = true},
          c.arms);
    visit_bandit_play(c, visit);
}

/// Visits the switches of the classical algorithms.
template <class Visitor, class Config>
void visit_bandit_classical(Config& c, Visitor&& visit) {
    const auto one = [&visit](auto& member, const char* name, const char* label, const char* help) {
        visit(FieldInfo{.name = name, .label = label, .help = help, .group = "algorithms"}, member);
    };
    one(c.play_linucb, "play_linucb", "LinUCB", "Remembers everything, and so forgets nothing.");
    one(c.play_thompson, "play_thompson", "Thompson sampling (TS)",
        "Plays a sample of its posterior; v is a variance, as in the paper.");
    one(c.play_sliding_window, "play_sliding_window", "sliding-window LinUCB",
        "LinUCB on the last W rounds.");
    one(c.play_discounted, "play_discounted", "D-LinUCB",
        "Discounted LinUCB: its past fades by \u03b3 a round.");
    one(c.play_master_linucb, "play_master_linucb", "MASTER+LinUCB",
        "LinUCB at several time scales with tests that restart it (Appendix C; Wei and Luo 2021).");
    one(c.play_master_thompson, "play_master_thompson", "MASTER+TS", "The same over Thompson sampling.");
    visit(
        FieldInfo{
            .name = "master_constants",
            .label = "MASTER's constants",
            .help = "Theory's, with which no test fires at such horizons, or our own practical calibration: "
                    "first blocks of 128 rounds and thresholds of 3 standard errors.",
            .group = "algorithms",
            .choices = {"practical", "theory", "both"}},
        c.master_constants);
    one(c.play_oracle_restart, "play_oracle_restart", "restarted (oracle)",
        "LinUCB restarted at every change; it receives their times. Not a bound: restarting also forgets. "
        "Drift has no changes; there it restarts at every quarter turn, by our own choice.");
    one(c.play_cosine_thompson, "play_cosine_thompson", "cosine-aware TS (oracle)",
        "Thompson sampling that is told the cosine and the prior: the real ceiling there. Cosine only.");
    one(c.play_random, "play_random", "random", "Every arm with the same probability.");
}

/// Visits the settings that choose the players.
template <class Visitor, class Config>
void visit_bandit_choice(Config& c, Visitor&& visit) {
    visit_bandit_classical(c, visit);
    visit(FieldInfo{.name = "transformer",
                    .label = "transformer",
                    .help = "Which of the shipped networks plays. Auto: for cosines the one trained on them, "
                            "for more than 200 elevated rounds the one trained on those, else the one "
                            "trained on a mixture. Weights fix d and A, and the greatest T.",
                    .group = "algorithms",
                    .choices = {"auto", "none", "cosine", "low", "mixture", "memorise"}},
          c.transformer);
}

/// Visits the constants of the classical algorithms.
template <class Visitor, class Config>
void visit_bandit_constants(Config& c, Visitor&& visit) {
    visit(
        FieldInfo{
            .name = "constants",
            .label = "constants",
            .help =
                "As set below (the defaults are the paper's where it names any), or tuned for the kind of "
                "non-stationarity on a validation stream that is never shown.",
            .group = "constants",
            .choices = {"default", "tuned"}},
        c.constants);
    const auto number = [&visit](auto& member, const char* name, const char* label, const char* help,
                                 double minimum, double maximum, bool logarithmic) {
        visit(FieldInfo{.name = name,
                        .label = label,
                        .help = help,
                        .group = "constants",
                        .minimum = minimum,
                        .maximum = maximum,
                        .logarithmic = logarithmic,
                        .advanced = true,
                        .acts_while = {{"constants", {"default"}}}},
              member);
    };
    number(c.alpha, "alpha", "LinUCB \u03b1", "Width of its confidence bound.", 0.01, 10, true);
    number(c.restart_alpha, "restart_alpha", "restarted \u03b1",
           "The same within MASTER and for the oracle's restarts.", 0.01, 10, true);
    number(c.v, "v", "TS v", "Variance of rewards that Thompson sampling assumes, and its prior's weight.",
           0.001, 10, true);
    number(c.window, "window", "window W", "Rounds that sliding-window LinUCB remembers.", 2, 1000, true);
    number(c.window_alpha, "window_alpha", "its \u03b1", "Width of sliding-window LinUCB's confidence bound.",
           0.01, 10, true);
    number(c.discount, "discount", "discount \u03b3",
           "What is left of discounted LinUCB's past after a round.", 0.5, 1, false);
    number(c.discounted_alpha, "discounted_alpha", "its \u03b1",
           "Width of discounted LinUCB's confidence bound.", 0.01, 10, true);
    number(c.probability, "probability", "MASTER's q",
           "Practical constants: an order-m instance begins with probability q 2^(-(n-m)/2).", 0, 1, false);
}

}  // namespace emergence
