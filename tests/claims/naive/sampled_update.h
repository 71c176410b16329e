#pragma once
// The expected update of Eq. (10), Wang et al. 2025, sample by sample and over feature maps one by one: the reference
// for the moments and the closed-form average of core/measures/invariant_set.h.

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/measures/invariant_set.h"
#include "tests/claims/naive/attention_gradients.h"

namespace emergence {

/// All 2^d d! signed permutation matrices, d x d. What commutes with all of them is a multiple of I.
inline std::vector<Eigen::MatrixXd> signed_permutations(int d) {
    std::vector<Eigen::MatrixXd> maps;
    std::vector<int> order(d);
    std::iota(order.begin(), order.end(), 0);
    do {
        for (int signs = 0; signs < 1 << d; ++signs) {
            Eigen::MatrixXd map = Eigen::MatrixXd::Zero(d, d);
            for (int i = 0; i < d; ++i) map(i, order[i]) = signs >> i & 1 ? -1.0 : 1.0;
            maps.push_back(std::move(map));
        }
    } while (std::next_permutation(order.begin(), order.end()));
    return maps;
}

/// The mean over samples first .. first + samples - 1 of the update of Eq. (10) at any weights,
///
///     (R + gamma TF(Z') - TF(Z)) grad TF(Z)
///
/// symmetrised: averages each sample over all sign flips and permutations of the features, which do not change their
/// distribution: only rounding is left outside Theta*. Else plain Monte Carlo, whose error falls as samples^-1/2.
inline WeightUpdate sampled_update(const InvariantSetOptions& options, const WeightUpdate& weights, bool symmetrised,
                                   uint64_t seed, uint32_t first = 0) {
    using Eigen::MatrixXd;
    const int d = options.tasks.d, rows = 2 * d + 1;
    AttentionWithGradient<double> net({eigen(weights.P)}, {eigen(weights.Q)}, 1);
    std::vector<MatrixXd> dP(1, MatrixXd::Zero(rows, rows)), dQ = dP;
    const std::vector<MatrixXd> maps =
        symmetrised ? signed_permutations(d) : std::vector<MatrixXd>{MatrixXd::Identity(d, d)};
    for (int number = 0; number < options.samples; ++number) {
        const UpdateSample sample = update_sample(options, seed, first + static_cast<uint32_t>(number));
        for (const MatrixXd& map : maps) {
            const auto mapped = [&](MatrixXd Z) {
                Z.topRows(d) = (map * Z.topRows(d)).eval();
                Z.middleRows(d, d) = (map * Z.middleRows(d, d)).eval();
                return Z;
            };
            net.forward(mapped(eigen(sample.Z_next)));
            const double target = sample.reward + options.tasks.gamma * net.value();
            net.forward(mapped(eigen(sample.Z)));
            // TF(Z) = -Z_1[-1,-1], and backward() differentiates Z_1[-1,-1].
            net.backward(-(target - net.value()), dP, dQ);
        }
    }
    const double count = options.samples * static_cast<double>(maps.size());
    return {mat_of(dP[0] / count), mat_of(dQ[0] / count)};
}

}  // namespace emergence
