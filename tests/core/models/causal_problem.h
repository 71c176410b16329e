#pragma once
// A small bandit trajectory and random weights for tests of the causal transformer.

#include <vector>

#include "core/base/rng.h"
#include "core/models/causal_transformer.h"

namespace emergence {

template <class T>
struct CausalProblem {
    CausalTransformerShape shape;
    std::vector<T> weights, actions, rewards;
    std::vector<int> arms, labels;

    CausalProblem(const CausalTransformerShape& s, int rounds, uint32_t number = 0) : shape(s) {
        Stream stream(7, Purpose::testing, number);
        for (const float w : initial_causal_weights(s, 3))
            weights.push_back(static_cast<T>(static_cast<double>(w) + 0.1 * stream.normal()));
        for (int k = 0; k < s.arms * s.d; ++k) actions.push_back(static_cast<T>(stream.uniform(-1, 1)));
        for (int t = 0; t < rounds; ++t) {
            rewards.push_back(static_cast<T>(2 * stream.normal()));
            arms.push_back(static_cast<int>(stream.uniform() * s.arms));
            labels.push_back(static_cast<int>(stream.uniform() * s.arms));
        }
    }
    BanditHistory<T> view() const {
        return {static_cast<int>(rewards.size()), actions.data(), arms.data(), rewards.data(), labels.data()};
    }
};

}  // namespace emergence
