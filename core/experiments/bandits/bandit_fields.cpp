#include "core/experiments/bandits/bandit_fields.h"

#include "core/experiments/common_fields.h"

namespace emergence {

void BanditWorldFields::fields(Fields& f) {
    kind_fields(f);
    f.group("environment");
    f(d, "d", "features d", "Entries of an action vector, each uniform from -1 to 1.").log_range(1, 128);
    f(arms, "arms", "arms A", "Action vectors of an environment, the same in all its rounds.").log_range(2, 50);
    play_fields(f);
}

void BanditWorldFields::kind_fields(Fields& f) {
    f.group("environment");
    f.choice(kind, words_of<BanditKind>(bandit_kind_names()), "kind", "non-stationarity",
             "Cosine: all rewards times cos(2\u03c0bt). Elevated: in 0 to 1, plus 3 in windows of rounds, "
             "which never changes the best arm. Abrupt: a new w* at every change. Drift: w* turns.");
    f(frequency, "frequency", "cosine: b",
      "Periods per round. Chen et al. 2025 train at 0.005 to 0.02 and test at 0.018 and 0.025.")
        .range(0, 0.06)
        .acts_while("kind", {"cosine"});
    f(windows, "windows", "elevated: N",
      "Windows N, which begin evenly in rounds 50 to 649. 2 are those of Chen et al. 2025, 50 to 100 and 350 to 400; other numbers are "
      "ours. Each is 51 rounds long, or half of the spacing.")
        .range(0, kMostElevatedWindows)
        .acts_while("kind", {"elevated"});
    f(segments, "segments", "abrupt: segments J", "Segments J, equally long, each with its own w*: J - 1 changes.")
        .log_range(1, 32)
        .acts_while("kind", {"abrupt"});
    f(angle, "angle", "drift: angle",
      "How far w* turns over all rounds. The variation budget \u0394 of Definition 1 grows with it: "
      "about 2 per radian at d = 32 and A = 10.")
        .unit("rad")
        .range(0, 50)
        .acts_while("kind", {"drift"});
}

void BanditWorldFields::play_fields(Fields& f) {
    f.group("environment");
    f(rounds, "rounds", "rounds T", "How long an environment is played.").log_range(20, 4000);
    f(noise, "noise", "noise",
      "Standard deviation of a reward's noise, before the environment scales it: "
      "the cosine multiplies it too, elevated rewards divide it by the range of the means.")
        .range(0.01, 5);
}

std::vector<std::pair<std::string, std::string>> bandit_algorithm_labels() {
    std::vector<std::pair<std::string, std::string>> labels;
    for (const BanditAlgorithmInfo& one : bandit_algorithms()) labels.emplace_back(one.name, one.label);
    return labels;
}

void BanditPlayerFields::fields(Fields& f) {
    classical_fields(f);
    f.group("algorithms");
    f(transformer, "transformer", "transformer",
      "Which of the shipped networks plays. Auto: for cosines the one trained on them, for more than 200 elevated "
      "rounds the one trained on those, else the one trained on a mixture. Weights fix d and A, and the greatest T.")
        .choices({"auto", "none", "cosine", "low", "mixture", "memorise"});
    constants_fields(f);
}

void BanditPlayerFields::classical_fields(Fields& f) {
    f.group("algorithms");
    f(play_linucb, "play_linucb", "LinUCB", "Uses all rounds alike, and so forgets nothing.");
    f(play_thompson, "play_thompson", "Thompson sampling (TS)",
      "Plays a sample of its posterior; v is a variance, as in Chen et al. 2025.");
    f(play_sliding_window, "play_sliding_window", "sliding-window LinUCB", "LinUCB on the last W rounds.");
    f(play_discounted, "play_discounted", "D-LinUCB",
      "Discounted LinUCB: the past counts \u03b3 times less with each round.");
    f(play_master_linucb, "play_master_linucb", "MASTER+LinUCB",
      "LinUCB at several time scales with tests that restart it (Appendix C; Wei and Luo 2021).");
    f(play_master_thompson, "play_master_thompson", "MASTER+TS", "The same over Thompson sampling.");
    f(master_constants, "master_constants", "MASTER's constants",
      "theory: with them no test fires at such horizons. practical: our calibration, first blocks of 128 rounds and "
      "thresholds of 3 standard errors.")
        .choices({"practical", "theory", "both"});
    f(play_oracle_restart, "play_oracle_restart", "restarted (oracle)",
      "LinUCB restarted at every change, whose times it receives. Not a bound: restarting also forgets. With drift it "
      "restarts at every quarter turn (ours).");
    f(play_cosine_thompson, "play_cosine_thompson", "cosine-aware TS (oracle)",
      "Thompson sampling that receives the cosine and the prior: the true upper bound. Cosine only.");
    f(play_random, "play_random", "random", "Every arm with the same probability.");
}

void BanditPlayerFields::constants_fields(Fields& f) {
    f.group("constants");
    f(constants, "constants", "constants",
      "default: as set below, with the values of Chen et al. 2025 where they name one. tuned: for the kind of non-stationarity, on "
      "a validation stream that is not shown.")
        .choices({"default", "tuned"});
    const auto constant = [&f](auto& member, const char* name, const char* label, const char* help, double least,
                               double most) {
        return f(member, name, label, help).range(least, most).advanced().acts_while("constants", {"default"});
    };
    const auto log_constant = [&](auto& member, const char* name, const char* label, const char* help, double least,
                                  double most) {
        constant(member, name, label, help, least, most).log_range(least, most);
    };
    log_constant(alpha, "alpha", "LinUCB \u03b1", "Width of its confidence bound.", 0.01, 10);
    log_constant(restart_alpha, "restart_alpha", "restarted \u03b1",
                 "The same within MASTER and for the oracle's restarts.", 0.01, 10);
    log_constant(v, "v", "TS v", "Variance of rewards that Thompson sampling assumes, and its prior's weight.", 0.001,
                 10);
    log_constant(window, "window", "window W", "Rounds that sliding-window LinUCB remembers.", 2, 1000);
    log_constant(window_alpha, "window_alpha", "its \u03b1", "Width of sliding-window LinUCB's confidence bound.", 0.01,
                 10);
    constant(discount, "discount", "discount \u03b3", "Factor of the weight of discounted LinUCB's past, per round.",
             0.5, 1);
    log_constant(discounted_alpha, "discounted_alpha", "its \u03b1", "Width of discounted LinUCB's confidence bound.",
                 0.01, 10);
    constant(probability, "probability", "MASTER's q",
             "Practical constants: an order-m instance begins with probability q 2^(-(n-m)/2).", 0, 1);
}

void BanditStreamFields::fields(Fields& f) {
    stop_after_field(f, num_environments, "num_environments", "environments", "Environments of each stream.", 1e5)
        .live();
    first_seed_field(f, seed, "Each is its own stream of environments.");
    num_seeds_field(f, seeds, "How many independent streams of environments.");
    log_interval_field(f, log_interval, "environments");
}

void BanditLookFields::fields(Fields& f) {
    f.group("look inside");
    f(shown_environment, "shown_environment", "environment",
      "The environment of the test that is shown: expected rewards, the network's choices and its attention.")
        .range(0, 1999)
        .live();
    f(shown_layer, "shown_layer", "attention of layer", "Counted from 1; the last if there are fewer.")
        .range(1, 24)
        .live();
    f(shown_head, "shown_head", "of head", "Counted from 1; the last if there are fewer.").range(1, 24).live();
}

}  // namespace emergence
