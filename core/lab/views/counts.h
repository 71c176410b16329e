#pragma once
// What is said of a run's networks: how many compute what. Every place that counts or words them calls this.

#include <string>
#include <utility>
#include <vector>

#include "core/lab/snapshot.h"

namespace emergence {

/// Networks by what they compute, and by the rule of emergence.
struct NetworkCounts {
    int all = 0, failed = 0;
    /// Those with a verdict, and of these those that compute their loss's algorithm.
    int judged = 0, own = 0;
    /// Those that the rule of emergence counts.
    int emerged = 0;
    /// The other verdicts' labels, the most frequent first.
    std::vector<std::pair<std::string, int>> others;
};
NetworkCounts count_networks(const Snapshot& snapshot);

/// Whether the headline counts verdicts, instead of networks that have emerged by the experiment's rule.
bool counts_verdicts(const Snapshot& snapshot);
/// Whether a network is one of those that the headline counts, and the logged step since when; -1: not known.
bool is_counted(const SeedStatus& seed);
int64_t counted_since(const SeedStatus& seed);
/// Since when, in ever fewer words: "first after 410, half of the networks after 830 MRPs"; empty while none is counted.
std::vector<std::string> times_of(const Snapshot& snapshot);

/// "P's corner is 0.22, not above 0.33"
std::string words_of(const Lack& lack);

/// The count in ever fewer words: "networks compute TD; 1 no named algorithm". number: "7 of 8"; "" if nothing is counted.
struct CountWords {
    std::string number;
    std::vector<std::string> what;
};
CountWords count_words(const Snapshot& snapshot);
/// The result in one line, "7 of 8 networks compute TD; 1 no named algorithm"; "" if there is nothing to say.
std::string result_words(const Snapshot& snapshot);
/// What one network is and computes: its verdict, and what its weights look like, each on a line.
std::string network_words(const Snapshot& snapshot, const SeedStatus& seed);
/// Of one network in one or two words: "TD", "emerged", "stopped".
std::string state_words(const Snapshot& snapshot, const SeedStatus& seed);

}  // namespace emergence
