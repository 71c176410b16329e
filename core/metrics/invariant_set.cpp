#include "core/metrics/invariant_set.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/base/rng.h"
#include "core/models/linear_attention_naive.h"
#include "core/prompts/td_prompt.h"
#include "core/tasks/boyan_chain.h"

namespace emergence {
namespace {

using Eigen::MatrixXd;

// R_{n+2} and both prompts of Eq. (11).
struct Sample {
    double reward = 0.0;
    MatrixXd Z;
    MatrixXd Z_next;
};

Sample draw_sample(const InvariantSetOptions& options, uint64_t seed, uint32_t number) {
    Mrp mrp;
    draw_boyan_chain({.num_states = options.num_states, .d = options.d}, seed, number, mrp);
    Stream stream(seed, Purpose::trajectory, number);
    const int n = options.n;
    const Transitions all = draw_transitions(mrp, options.gamma, n + 3, stream);
    const auto part = [&](int first) {
        const Transitions context{all.phi.middleCols(first, n), all.gamma_phi_next.middleCols(first, n),
                                  all.reward.segment(first, n)};
        return td_prompt(context, all.phi.col(first + n + 1));
    };
    return {all.reward[n + 1], part(0), part(1)};
}

// (R + gamma TF(Z') - TF(Z)) grad TF(Z), added to `sum`.
void add_update(const Sample& sample, const MatrixXd& features_map, double gamma,
                NaiveLinearAttention<double>& net, std::vector<MatrixXd>& dP, std::vector<MatrixXd>& dQ) {
    const auto d = features_map.rows();
    const auto mapped = [&](MatrixXd Z) {
        Z.topRows(d) = (features_map * Z.topRows(d)).eval();
        Z.middleRows(d, d) = (features_map * Z.middleRows(d, d)).eval();
        return Z;
    };
    net.forward(mapped(sample.Z_next));
    const double target = sample.reward + gamma * net.value();
    net.forward(mapped(sample.Z));
    net.backward(-(target - net.value()), dP, dQ);  // the value is minus the entry that backward() follows
}

// All signed permutation matrices, or the identity alone.
std::vector<MatrixXd> feature_maps(int d, bool symmetrised) {
    if (!symmetrised) return {MatrixXd::Identity(d, d)};
    std::vector<MatrixXd> maps;
    std::vector<int> order(static_cast<size_t>(d));
    std::iota(order.begin(), order.end(), 0);
    do {
        for (int signs = 0; signs < 1 << d; ++signs) {
            MatrixXd map = MatrixXd::Zero(d, d);
            for (int i = 0; i < d; ++i) map(i, order[static_cast<size_t>(i)]) = signs >> i & 1 ? -1.0 : 1.0;
            maps.push_back(std::move(map));
        }
    } while (std::next_permutation(order.begin(), order.end()));
    return maps;
}

}  // namespace

WeightUpdate expected_update(const InvariantSetOptions& options, uint64_t seed) {
    const int d = options.d, rows = 2 * d + 1;
    constexpr double kEta = 1.3, kC = -0.8, kCPrime = 0.5;
    MatrixXd P = MatrixXd::Zero(rows, rows), Q = P;
    P(rows - 1, rows - 1) = kEta;
    Q.block(0, 0, d, d) = kC * MatrixXd::Identity(d, d);
    Q.block(d, 0, d, d) = kCPrime * MatrixXd::Identity(d, d);
    NaiveLinearAttention<double> net({P}, {Q}, 1);
    std::vector<MatrixXd> dP(1, MatrixXd::Zero(rows, rows)), dQ = dP;
    const std::vector<MatrixXd> maps = feature_maps(d, options.symmetrised);
    for (int number = 0; number < options.samples; ++number) {
        const Sample sample = draw_sample(options, seed, static_cast<uint32_t>(number));
        for (const MatrixXd& map : maps) add_update(sample, map, options.gamma, net, dP, dQ);
    }
    const double count = options.samples * static_cast<double>(maps.size());
    return {dP[0] / count, dQ[0] / count};
}

double share_outside_invariant_set(const WeightUpdate& update) {
    const auto rows = update.P.rows(), d = (rows - 1) / 2;
    MatrixXd P = update.P, Q = update.Q;
    P(rows - 1, rows - 1) = 0.0;
    for (const auto block : {Eigen::Index{0}, d}) {
        const double mean = Q.block(block, 0, d, d).trace() / static_cast<double>(d);
        Q.block(block, 0, d, d).diagonal().array() -= mean;
    }
    return std::sqrt((P.squaredNorm() + Q.squaredNorm()) / (update.P.squaredNorm() + update.Q.squaredNorm()));
}

}  // namespace emergence
