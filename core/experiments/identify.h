#pragma once
// Which algorithm does each network of a run compute? Numbers and words of measures/algorithm_map.h, as programs show
// them.

#include "core/experiments/own_td.h"
#include "core/lab/snapshot.h"

namespace emergence {

/// A fitted coefficient with its interval of 95 %; low and high are infinite if the values do not determine it.
struct IdentifiedNumber {
    double value = 0, low = 0, high = 0;
};

/// What one network computes. NaN: not known, since the network has failed or predicts zero.
struct IdentifiedNetwork {
    /// The seed's number.
    int64_t seed = 0;
    /// Of the weights after the operations of the setting `surgery`, not of those learned.
    bool operated = false;
    /// td, residual_gradient, no_bootstrap, reward_correlation, between or none; of a mask of traces or two heads
    /// td_lambda, average_reward, between or none.
    std::string verdict = "none";
    /// "bootstraps 0.78 of the way, takes none of the target's gradient; 6 % unexplained"
    std::string sentence;
    /// How much it bootstraps, and how much of the target's gradient it takes; for the latter has a mask of traces
    /// lambda, and two heads have rho, how much of the mean reward they subtract.
    IdentifiedNumber beta, c;
    std::string second = "c";
    /// The step sizes, ascending.
    std::vector<double> alphas;
    /// The share of the network's mean square value that the point leaves unexplained; the median of the prompts'
    /// own shares; the share that TD with a matrix for each step leaves, NaN if the point explains the network. Of a
    /// mask of traces and two heads the first alone.
    double unexplained = 0, median_unexplained = 0, unexplained_by_matrices = 0;
    /// Names, as in `verdict`, of algorithms that explain the network as well.
    std::vector<std::string> ties;
    /// The same for sentences.
    std::vector<std::string> ties_in_words;
    /// Whether the fit came to rest, after how many steps of least squares, with what gradient.
    bool converged = false;
    int steps = 0;
    double gradient = 0;
};

/// Identifies every network of a snapshot, and behind them the operated ones if its settings have `surgery`, on held-out
/// prompts of its own settings and of the worlds of `own`, with `threads` threads. Throws InputError if the snapshot's
/// experiment is not `td` or its network is not linear.
std::vector<IdentifiedNetwork> identify(const Snapshot& snapshot, int threads, const OwnTd& own = {});

}  // namespace emergence
