#pragma once
// Pictures of a network that plays one bandit environment: expected rewards, its probabilities, its
// attention, how far back it attends, and which algorithm it resembles.

#include "core/lab/snapshot.h"
#include "core/measures/bandit_measures.h"
#include "core/models/causal_transformer.h"

namespace emergence {

/// One seed's network as a snapshot holds it.
struct TrainedBandit {
    std::vector<float> weights;  // flat
    double temperature = 1.0;
};

/// The attention shown, and the keys of the randomness with which the network plays, see policy_stream().
struct BanditView {
    CausalTransformerShape shape;
    /// Counted from 1; the last one if the network has fewer.
    int layer = 1, head = 1;
    uint64_t seed = 0;
    uint32_t index = 0;
};

/// Pictures of one environment, with one network per seed.
struct BanditInsidePictures {
    std::vector<NamedMatrix> matrices;
    std::vector<PlotSpec> plots;
};

/// Lets the networks of `seeds` play `world`, and draws what they do and attend to.
BanditInsidePictures look_inside(const BanditView& view, const BanditTrajectory& world,
                                 const std::vector<TrainedBandit>& seeds);

}  // namespace emergence
