#pragma once
// Judges of networks without a label, networks whose algorithm is known that were put before them, and how far the
// judges can be trusted: the verdict in every world, and judges beside each other in one.

#include <functional>
#include <string>
#include <vector>

#include "core/base/statistics.h"
#include "core/measures/known_networks.h"
#include "core/tasks/task.h"

namespace emergence {

/// What judges may use: prompts of a world, nothing of the networks.
struct BenchPrompts {
    BenchPrompts(const BankOptions& options, int layers);

    VerdictPrompts verdict;
    std::vector<Landmark> landmarks;
    /// Whole contexts, to trace.
    std::vector<Transitions> contexts;
    /// Random networks: what a probe finds anyway.
    std::vector<KnownNetwork> controls;
};

/// An opinion of one network.
struct Opinion {
    /// The name that it gives if it is sure enough, else `none`.
    VerdictName name = VerdictName::none;
    /// How sure it is: it gives the name from a threshold on, which half of the networks set.
    double sure = 0;
    /// How much it holds the network for TD, by which networks are ranked.
    double td = 0;
};

struct Judge {
    const char* name;
    const char* label;
    /// Whether it knows no other name than TD.
    bool only_td;
    std::function<Opinion(const KnownNetwork&, const BenchPrompts&)> judge;
};
/// The pattern of the weights, IWS, the verdict, two probes, interchange.
const std::vector<Judge>& bench_judges();

/// What a verdict is worth: right; ambiguous, and the truth is among its ties or has no name; between or none although
/// the network has a name; another name.
enum class VerdictScore { right, open, missed, wrong };
VerdictScore score_of(const KnownNetwork& network, const NetworkVerdict& verdict,
                      const std::vector<Landmark>& landmarks);

/// A known network and its verdict.
struct JudgedNetwork {
    KnownNetwork network;
    NetworkVerdict verdict;
    VerdictScore score;
    bool wrecked;  // noise changed what it computes
};
/// A world with the networks that were put before the verdict in it.
struct JudgedWorld {
    std::string label;
    std::vector<JudgedNetwork> networks;
};
/// The worlds with L = 3 and d = 4; and those in which L or d differs, of which few networks are made. Computed once.
const std::vector<JudgedWorld>& judged_worlds();
const std::vector<JudgedWorld>& judged_sizes();
/// The same with one layer.
const JudgedWorld& judged_with_one_layer();

/// A number with its 95 % interval.
struct Score {
    double value = 0, low = 0, high = 0;
};
/// A judge on the half of the default world's networks that tests; the other half sets its threshold.
struct JudgeScores {
    const Judge* judge;
    /// The mean over the truths of the share that gets the right name; NaN for judges that know TD alone.
    double named_right;
    /// The mean of the share of TD that is called TD, and of the others that are not.
    double balanced;
    /// How often a network that runs TD ranks before one that does not bootstrap (area under the ROC curve), or before
    /// any other.
    Score above_no_bootstrap;
    double above_others;
    /// Of networks that use no TD error, but in which one is planted, those that are called TD.
    Fraction false_alarms;
    int tested;
};
const std::vector<JudgeScores>& judge_scores();

}  // namespace emergence
