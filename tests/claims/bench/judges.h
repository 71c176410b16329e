#pragma once
// Judges of networks without a label, and networks whose algorithm is known that were put before them.

#include <functional>
#include <string>
#include <vector>

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

/// Linear probes, on traces: of batch TD's weight vector after each layer, from the averages of that layer's Z; of its TD
/// errors, from the columns of Z. How sure: the explained share of the variance on other prompts, less that of random
/// networks, at the best layer.
Opinion probe_weights(const KnownNetwork& network, const BenchPrompts& prompts);
Opinion probe_errors(const KnownNetwork& network, const BenchPrompts& prompts);
/// Interchange: the errors in one prompt's Z_l, its last row, are put into another prompt's, for each layer between; the
/// value that follows is compared with what each algorithm makes of the same exchange.
Opinion interchange(const KnownNetwork& network, const BenchPrompts& prompts);

}  // namespace emergence
