#include "core/tasks/boyan_chain.h"

#include "core/base/check.h"

namespace emergence {
namespace {

constexpr double kLow = 0.01, kHigh = 0.99;

Eigen::VectorXd true_weights(const BoyanChainOptions& options, uint64_t seed, uint32_t index) {
    Stream stream(seed, Purpose::true_weights, index);
    Eigen::VectorXd w(options.d);
    for (double& x : w) x = options.normal_true_weights ? stream.normal() : stream.uniform(-1.0, 1.0);
    return w;
}

}  // namespace

void draw_boyan_chain(const BoyanChainOptions& options, uint64_t seed, uint32_t index, Mrp& mrp) {
    const int m = options.num_states;
    check(m >= 3, "a Boyan chain has at least 3 states");
    mrp.initial.resize(m);
    mrp.transition.setZero(m, m);
    mrp.reward.resize(m);
    mrp.features.resize(options.d, m);

    Stream initial(seed, Purpose::initial_distribution, index);
    for (double& p : mrp.initial) p = initial.uniform(kLow, kHigh);
    mrp.initial /= mrp.initial.sum();

    Stream step(seed, Purpose::transition, index, 0), back(seed, Purpose::transition, index, 1);
    for (int i = 0; i < m - 2; ++i) {
        const double eps = step.uniform(kLow, kHigh);
        mrp.transition(i, i + 1) = eps;
        mrp.transition(i, i + 2) = 1.0 - eps;
    }
    mrp.transition(m - 2, m - 1) = 1.0;
    for (int s = 0; s < m; ++s) mrp.transition(m - 1, s) = back.uniform(kLow, kHigh);
    mrp.transition.row(m - 1) /= mrp.transition.row(m - 1).sum();

    for (int s = 0; s < m; ++s) {
        Stream features(seed, Purpose::features, index, static_cast<uint32_t>(s));
        for (int i = 0; i < options.d; ++i) mrp.features(i, s) = features.uniform(-1.0, 1.0);
    }
    if (options.representable) {
        const Eigen::VectorXd v = mrp.features.transpose() * true_weights(options, seed, index);
        mrp.reward = v - options.gamma * (mrp.transition * v);
    } else {
        Stream reward(seed, Purpose::reward, index);
        for (double& r : mrp.reward) r = reward.uniform(-1.0, 1.0);
    }
}

}  // namespace emergence
