#include "core/tasks/random_parts.h"

namespace emergence {

void draw_initial(uint64_t seed, uint32_t index, int m, Mrp& mrp) {
    Stream stream(seed, Purpose::initial_distribution, index);
    mrp.initial.resize(m);
    for (double& p : mrp.initial) p = stream.uniform(kLowProbability, kHighProbability);
    mrp.initial /= mrp.initial.sum();
}

void draw_features(uint64_t seed, uint32_t index, int d, int m, Mrp& mrp) {
    mrp.features.resize(d, m);
    for (int s = 0; s < m; ++s) {
        Stream stream(seed, Purpose::features, index, static_cast<uint32_t>(s));
        for (int i = 0; i < d; ++i) mrp.features(i, s) = stream.uniform(-1.0, 1.0);
    }
}

void draw_reward(uint64_t seed, uint32_t index, int m, Mrp& mrp) {
    Stream stream(seed, Purpose::reward, index);
    mrp.reward.resize(m);
    for (double& r : mrp.reward) r = stream.uniform(-1.0, 1.0);
}

void draw_representable_reward(uint64_t seed, uint32_t index, double gamma, bool normal, Mrp& mrp) {
    Stream stream(seed, Purpose::true_weights, index);
    Eigen::VectorXd w(mrp.d());
    for (double& x : w) x = normal ? stream.normal() : stream.uniform(-1.0, 1.0);
    const Eigen::VectorXd v = mrp.features.transpose() * w;
    mrp.reward = v - gamma * (mrp.transition * v);
}

}  // namespace emergence
