#pragma once
// What one sees inside a network that plays bandits, in one environment: expected rewards, what it would do,
// where it looks; how far back; which algorithm is near.

#include <cstdint>
#include <string>
#include <vector>

#include "core/lab/snapshot.h"
#include "core/measures/bandit_inside.h"
#include "core/models/causal_transformer.h"

namespace emergence {

/// One seed's network as a snapshot holds it.
struct TrainedBandit {
    std::vector<float> weights;  // flat
    double temperature = 1.0;
};

/// Which attention is shown, and whose randomness the network plays with, see policy_stream().
struct BanditView {
    CausalTransformerShape shape;
    int layer = 1, head = 1;  // from 1; the last one where there are fewer
    uint64_t seed = 0;
    uint32_t index = 0;
};

/// The pictures of one environment, a network a seed.
struct BanditInsidePictures {
    std::vector<NamedMatrix> matrices;
    std::vector<PlotSpec> plots;
};
BanditInsidePictures look_inside(const BanditView& view, const BanditTrajectory& world,
                                 const std::vector<TrainedBandit>& seeds);

}  // namespace emergence
