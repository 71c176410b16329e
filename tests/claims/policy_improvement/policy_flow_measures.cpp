// What `verify` measures of gradient flow.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/base/statistics.h"
#include "core/experiments/policy_improvement/policy_flow.h"
#include "core/pictures/axis.h"
#include "tests/claims/measures.h"
#include "tests/claims/policy_improvement/quick_flow.h"

namespace emergence {
namespace {

struct Flows {
    std::shared_ptr<const FlowWorld> world;
    std::vector<std::unique_ptr<FlowSeed>> seeds;
};

Flows flow_from(const PolicyFlowConfig& config) {
    Flows flows{std::make_shared<const FlowWorld>(config), {}};
    std::vector<MetricRow> rows;
    for (int k = 0; k < config.seeds; ++k) {
        flows.seeds.push_back(std::make_unique<FlowSeed>(config, k, flows.world));
        flows.seeds.back()->advance(config.num_steps, rows);
    }
    return flows;
}

Measurement rate_error(const PolicyFlowConfig& config) {
    double largest = 0;
    std::string each;
    for (const auto& seed : flow_from(config).seeds) {
        const FlowRates rates = flow_rates(*seed);
        const double error = std::abs(rates.measured / rates.theory - 1);
        largest = larger(largest, error);
        each += fmt::format("{}{} and {}", each.empty() ? "" : ", ", readout(rates.measured), readout(rates.theory));
    }
    return {largest, each};
}

// The Polyak-Lojasiewicz inequality, Lemma C.2: the least value along the flows of
//     1/2 |grad L|^2 / (mu L),  mu = m_0^2 / M_0
Measurement least_gradient_share() {
    const PolicyFlowConfig config = quick_flow(0.1);
    const FlowWorld world(config);
    const double mu = world.curvature(config.scale).guaranteed_rate() / 2;
    const Objective objective = world.population().objective();
    double least = std::numeric_limits<double>::infinity();
    Eigen::VectorXd gradient;
    for (int k = 0; k < kStarts; ++k) {
        Stream stream(static_cast<uint64_t>(k), Purpose::initial_weights);
        GradientFlow flow(flat_blocks(off_manifold(world.population().target(), config.scale, config.distance, stream)),
                          1e-2);
        for (int64_t step = 0; step <= config.num_steps; step += 10) {
            flow.advance(objective, config.interval * static_cast<double>(step));
            const double loss = objective(flow.x(), gradient);
            least = smaller(least, 0.5 * gradient.squaredNorm() / loss / mu);
        }
    }
    return {least, fmt::format("mu = {}", readout(mu))};
}

Measurement balance_error() {
    double largest = 0;
    for (const auto& seed : flow_from(quick_flow(0.5)).seeds) {
        const EffectiveBlocks& target = seed->world().population().target();
        const double c = std::abs(fit_manifold(seed->blocks(), target).c);
        largest = larger(largest, std::abs(c / scale_of_balance(target, block_balance(seed->start())) - 1));
    }
    return {largest, ""};
}

Measurement arrived_share(const PolicyFlowConfig& config) {
    const Flows flows = flow_from(config);
    int arrived = 0;
    for (const auto& seed : flows.seeds) arrived += seed->status().emerged ? 1 : 0;
    const Fraction share = fraction(arrived, config.seeds);
    return {share.value, fmt::format("{} of {}", arrived, config.seeds), Range{share.low, share.high}, config.seeds};
}

// Actor-critic, 88 weights.
PolicyFlowConfig actor_critic_flow() {
    PolicyFlowConfig config = quick_flow(0.1);
    config.shape.sizes.algorithm = Improvement::actor_critic;
    config.shape.sizes.d = 2;
    config.seeds = 2;
    return config;
}

// The least of its starts' rates over twice the least curvature, which is reached in the end.
Measurement actor_critic_rate() {
    double least = std::numeric_limits<double>::infinity();
    for (const auto& seed : flow_from(actor_critic_flow()).seeds) {
        const FlowRates rates = flow_rates(*seed);
        least = smaller(least, rates.measured / rates.theory);
    }
    return {least, ""};
}

Measurement actor_critic_curvature() {
    const PolicyFlowConfig config = actor_critic_flow();
    const Eigen::VectorXd all = FlowWorld(config).population().curvatures(config.scale);
    const double largest = all(all.size() - 1);
    return {all(1) / largest, fmt::format("along the manifold {:.1g}", std::abs(all(0)) / largest)};
}

Measurement gradient_at_zero() {
    const FlowWorld world(quick_flow(0.1));
    const ImprovementShape& shape = world.population().shape();
    Eigen::VectorXd gradient;
    const double loss =
        world.population().loss(Eigen::VectorXd::Zero(shape.context() * (shape.query() + shape.outputs())), gradient);
    return {gradient.norm(), fmt::format("the loss is {}", readout(loss))};
}

}  // namespace

std::vector<NamedMeasure> policy_flow_measures() {
    std::vector<NamedMeasure> measures = policy_bound_measures();
    for (NamedMeasure& measure :
         std::vector<NamedMeasure>{{"policy-theorem-3.2", [] { return rate_error(quick_flow(0.1)); }},
                                   {"policy-theorem-3.2-pl", least_gradient_share},
                                   {"policy-theorem-3.2-arrives", [] { return arrived_share(quick_flow(0.1)); }},
                                   {"policy-flow-actor-critic", actor_critic_rate},
                                   {"policy-flow-actor-critic-curvature", actor_critic_curvature},
                                   {"policy-theorem-3.2-zero", gradient_at_zero},
                                   {"policy-flow-balance", balance_error}})
        measures.push_back(std::move(measure));
    return measures;
}

}  // namespace emergence
