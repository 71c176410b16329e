#pragma once
// Judges of networks without a label. A judge is a function of the weights, or of the forward traces that they give.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/experiments/bench/known_network.h"
#include "core/measures/map_follower.h"
#include "core/tasks/mrp.h"

namespace emergence {

/// What judges may use: prompts of their own tasks, nothing of the networks.
struct BenchPrompts {
    BenchPrompts(const BankOptions& options, int layers);

    /// Averages of contexts, to fit and to judge.
    std::shared_ptr<const LineUpPrompts> fit, judge;
    /// The first ones of those to fit, and all to judge.
    std::shared_ptr<const MapBench> few;
    /// Whole contexts, to trace.
    std::vector<Transitions> contexts;
    /// Random networks, what a probe finds anyway.
    std::vector<BenchNetwork> controls;
};

/// What gives a network its name on the map: a landmark, or, if that is `none`, the region of its place.
struct MapPosition {
    MapVerdict landmark = MapVerdict::none;
    double beta = 0, c = 0;
};

/// An opinion of one network.
struct Opinion {
    /// The name that it gives if it is sure enough, and what it says otherwise.
    MapVerdict name = MapVerdict::none, otherwise = MapVerdict::none;
    /// How sure it is: it gives the name from a threshold on, which half of the networks calibrate.
    double sure = 0;
    /// How much it holds the network for TD, by which networks are ranked.
    double td = 0;
    /// Of the map alone.
    MapPosition position = {};
};

using Judge = std::function<Opinion(const BenchNetwork&, const BenchPrompts&)>;

struct NamedJudge {
    /// "probe_errors": of files and claims.
    const char* name;
    const char* label;
    /// Where there is little room.
    const char* brief;
    /// What it reads, and how it comes to a name.
    const char* help;
    /// Whether it knows no other name than TD.
    bool only_td;
    Judge judge;
};
/// The judges of the bench; the map is number kMapJudge.
const std::vector<NamedJudge>& bench_judges();
inline constexpr int kMapJudge = 3;

/// The reading on which the map's opinion rests.
MapReading bench_reading(const BenchNetwork& network, const BenchPrompts& prompts);
/// And the opinion.
Opinion opinion_of(const MapReading& reading);

/// Linear probes, on traces: of batch TD's weight vector after each layer, from the averages of that layer's Z; of its TD
/// errors, from the columns of Z. How sure: the explained share of the variance on other prompts, less that of random
/// networks, at the best layer.
Opinion probe_weights(const BenchNetwork& network, const BenchPrompts& prompts);
Opinion probe_errors(const BenchNetwork& network, const BenchPrompts& prompts);
/// Interchange: the errors in one prompt's Z_l, its last row, are put into another prompt's, for each layer between; the
/// value that follows is compared with what each algorithm makes of the same exchange.
Opinion interchange(const BenchNetwork& network, const BenchPrompts& prompts);

}  // namespace emergence
