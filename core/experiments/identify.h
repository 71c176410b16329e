#pragma once
// Experiment "td" with a program's own loss or worlds.

#include <optional>
#include <string>
#include <vector>

#include "core/lab/snapshot.h"
#include "core/lab/study.h"
#include "core/measures/verdict.h"
#include "core/tasks/task.h"
#include "core/training/multi_task_td.h"

namespace emergence {

/// A program's own loss and worlds; each may be empty.
struct OwnTd {
    std::shared_ptr<const OwnLoss> loss;
    /// See TaskOptions::own; the worlds have as many features as the settings say.
    decltype(TaskOptions::own) world;
};

/// The experiment whose networks learn with these parts. Emergence is judged as with the setting `loss`. Settings do
/// not record these parts, so a run of it must not be saved as one of "td".
ExperimentInfo td_with(const OwnTd& own);

// Which algorithm does each network of a run compute? The verdict of measures/verdict.h, as programs show it.

/// A fitted coefficient with its interval of 95 %; low and high are infinite if the values do not determine it.
struct IdentifiedNumber {
    double value = 0, low = 0, high = 0;
};

/// The share that a named algorithm leaves unexplained, with its interval of 95 %.
struct IdentifiedShare {
    std::string name, label;
    double value = 0, low = 0, high = 0;
};

/// The algorithm that a network's loss itself prefers: the star of measures/star.h.
struct IdentifiedStar {
    /// "td"
    std::string loss;
    /// beta and c, with the same meaning as a network's.
    IdentifiedNumber beta, c;
    /// Ascending.
    std::vector<double> alphas;
    /// Whether the network's layers can reach these step sizes; one shared layer does not reach more than about 4.5.
    bool reachable = true;
    std::string sentence;
};

/// What one network computes. NaN: not known, since the network has failed or predicts zero.
struct IdentifiedNetwork {
    /// The seed's number.
    int64_t seed = 0;
    /// Whether these are the weights after the operations of the setting `surgery`, not the learned ones.
    bool operated = false;
    /// td, residual_gradient, no_bootstrap, reward_correlation, td_lambda, average_reward, wrong_sign, ambiguous,
    /// between or none; and of `wrong_sign` the algorithm.
    std::string verdict = "none", of;
    /// What the network is called where networks are counted: "TD".
    std::string label;
    /// "computes TD, best described with discount 0.68 instead of 0.9; 3 % unexplained"
    std::string sentence;
    /// beta: how much it bootstraps. c: how much of the residual gradient it takes; with a mask of traces this is
    /// lambda instead, with two heads rho, how much of the mean reward they subtract. discount: beta gamma.
    IdentifiedNumber beta, c, discount;
    std::string second = "c";
    std::vector<IdentifiedShare> leaves;
    /// The algorithms of `ambiguous`.
    std::vector<std::string> ties;
    /// The step sizes, the unexplained shares, and whether the fit came to rest.
    NetworkVerdict fit = {};
    /// Absent if the loss has none or no stable point was found.
    std::optional<IdentifiedStar> star = {};
};

/// A verdict as programs show it. gamma: the discount in prompts.
IdentifiedNetwork identified_as(const NetworkVerdict& verdict, const std::vector<Landmark>& landmarks, PlaceAxis axis,
                                double gamma);

/// Identifies every network of a snapshot, and behind them the operated ones if its settings have `surgery`, on
/// held-out prompts of its own settings and of the worlds of `own`, with `threads` threads. Throws InputError if the
/// snapshot's experiment is not `td` or its network is not linear.
std::vector<IdentifiedNetwork> identify(const Snapshot& snapshot, int threads, const OwnTd& own = {});

}  // namespace emergence
