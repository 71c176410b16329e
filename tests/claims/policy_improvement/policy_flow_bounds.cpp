// What `verify` measures of Assumption 1 and of Theorem 3.2's bounds: along gradient flow from within the theorem's own
// starts, with the tightest constants of the sample.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/base/statistics.h"
#include "core/experiments/figure_recipe.h"
#include "core/experiments/policy_improvement/policy_flow.h"
#include "core/pictures/axis.h"
#include "tests/claims/measures.h"
#include "tests/claims/policy_improvement/quick_flow.h"

namespace emergence {
namespace {

constexpr int kBoundStarts = 4;

// The constants of Theorem 3.2 at scale c, c_- = c_+ = c, for a tube of half the largest radius.
struct TheoremConstants {
    double m, M, C_Q, radius, mu, K;
    // The largest start of Eq. (12); Eq. (11)'s distance is the radius away from the manifold's ends.
    double start;

    TheoremConstants(const FlowWorld& world, double c) {
        const ImprovementPopulation& population = world.population();
        const Curvature curvature = world.curvature(c);
        const double product = population.largest_square() * population.largest_query();
        const auto d = static_cast<double>(population.shape().sizes.d);
        m = curvature.least;
        M = curvature.largest;
        C_Q = 0.5 * product;
        radius = 0.5 * std::sqrt(m) / (3 * C_Q);
        const double reach = std::sqrt(M) + C_Q * radius;
        mu = std::pow((m - 3 * C_Q * std::sqrt(m) * radius) / reach, 2);
        K = std::sqrt(2.0) * product * std::hypot(c * std::sqrt(2 * d + 1) + radius, std::sqrt(d) / c + radius);
        start = smaller(radius, radius / (1 + K * reach / std::sqrt(2 * mu)));
    }
};

struct FlowPoint {
    double time, loss;
    Eigen::VectorXd blocks;
};

std::vector<FlowPoint> flow_points(const PolicyFlowConfig& config, const FlowWorld& world, double distance,
                                   int number) {
    Stream stream(static_cast<uint64_t>(number), Purpose::initial_weights);
    const Objective objective = world.population().objective();
    GradientFlow flow(flat_blocks(off_manifold(world.population().target(), config.scale, distance, stream)), 1e-2);
    std::vector<FlowPoint> points;
    for (int64_t step = 0; step <= config.num_steps; step += 2) {
        flow.advance(objective, config.interval * static_cast<double>(step));
        points.push_back({flow.time(), flow.loss(), flow.x()});
    }
    return points;
}

double norm_at(const FlowWorld& world, double c) {
    return flat_blocks(rescaled(world.population().target(), c)).norm();
}

// Of four flows from the largest starts of Eq. (12) the largest number of a point; `end` is where its flow ends.
using PointNumber = std::function<double(const TheoremConstants&, const FlowPoint&, const std::vector<FlowPoint>&)>;

Measurement largest_within_theorem(const PointNumber& number) {
    const PolicyFlowConfig config = quick_flow(0.1);
    const FlowWorld world(config);
    const TheoremConstants constants(world, config.scale);
    const double distance = constants.start / norm_at(world, config.scale);
    std::vector<double> found;
    for (int k = 0; k < kBoundStarts; ++k) {
        const std::vector<FlowPoint> points = flow_points(config, world, distance, k);
        for (size_t i = 0; 2 * i < points.size(); ++i) found.push_back(number(constants, points[i], points));
    }
    return {largest_of(found), fmt::format("mu {}, radius {}", readout(constants.mu), readout(constants.radius))};
}

// |theta(t) - theta(inf)| over Theorem 3.2's bound.
Measurement distance_over_bound() {
    return largest_within_theorem([](const TheoremConstants& of, const FlowPoint& at, const auto& points) {
        const double bound = of.K / of.mu * std::sqrt(points.front().loss) * std::exp(-of.mu * at.time);
        return (at.blocks - points.back().blocks).norm() / bound;
    });
}

// The distance to the manifold over the tube's radius.
Measurement distance_over_radius() {
    const ImprovementShape shape = quick_flow(0.1).shape;
    const EffectiveBlocks target = constructed_blocks(shape, PolicyFlowConfig().agent.alpha, 0);
    return largest_within_theorem([&](const TheoremConstants& of, const FlowPoint& at, const auto&) {
        return fit_manifold(shaped_blocks(shape, at.blocks), target).distance / of.radius;
    });
}

// How large the starts of Eq. (12) are, over their point's norm.
Measurement largest_start() {
    const PolicyFlowConfig config = quick_flow(0.1);
    const FlowWorld world(config);
    const TheoremConstants constants(world, config.scale);
    const double norm = norm_at(world, config.scale);
    return {constants.start / norm, fmt::format("the tube's radius {}", readout(constants.radius / norm))};
}

// The rate at which the distance to the end falls over the least curvature, less 1; from distance 0.1, the last part of
// the way that is not rounding.
Measurement distance_rate_error() {
    const PolicyFlowConfig config = quick_flow(0.1);
    const FlowWorld world(config);
    std::vector<double> errors;
    std::string each;
    for (int k = 0; k < kBoundStarts; ++k) {
        const std::vector<FlowPoint> points = flow_points(config, world, config.distance, k);
        std::vector<double> times, logs;
        const double first = (points.front().blocks - points.back().blocks).norm();
        for (const FlowPoint& at : points) {
            const double distance = (at.blocks - points.back().blocks).norm() / first;
            if (distance > 1e-2 || distance < 1e-5) continue;
            times.push_back(at.time);
            logs.push_back(std::log(distance));
        }
        const double c = std::abs(
            fit_manifold(shaped_blocks(world.population().shape(), points.back().blocks), world.population().target())
                .c);
        const double rate = -fit_line(times, logs).slope, curvature = world.curvature(c).least;
        errors.push_back(std::abs(rate / curvature - 1));
        each += fmt::format("{}{} and {}", each.empty() ? "" : ", ", readout(rate), readout(curvature));
    }
    return {largest_of(errors), each};
}

Measurement of_richness(const std::function<double(const ImprovementPopulation::Richness&)>& number) {
    const FlowWorld world(quick_flow(0.1));
    const ImprovementPopulation::Richness of = world.population().richness();
    return {number(of), fmt::format("query {}, regressor {}, target {}", readout(of.query), readout(of.regressor),
                                    readout(of.target))};
}

// m_0 of Theorem 3.2, with the rho that its proof needs, over the least curvature that it bounds.
Measurement curvature_bound() {
    const PolicyFlowConfig config = quick_flow(0.1);
    const FlowWorld world(config);
    const ImprovementPopulation::Richness of = world.population().richness();
    const double c = config.scale, alpha = config.agent.alpha;
    const double m =
        (1 - of.cancelling) * smaller(alpha * alpha / (c * c) * of.regressor * of.query, c * c * of.target);
    return {m / world.curvature(c).least, fmt::format("m_0 = {}", readout(m))};
}

}  // namespace

std::vector<NamedMeasure> policy_bound_measures() {
    using Richness = ImprovementPopulation::Richness;
    return {{"policy-assumption-1",
             [] {
                 return of_richness([](const Richness& of) { return smaller({of.query, of.regressor, of.target}); });
             }},
            {"policy-assumption-1-rho", [] { return of_richness([](const Richness& of) { return of.aligned; }); }},
            {"policy-assumption-1-cancelling",
             [] { return of_richness([](const Richness& of) { return of.cancelling; }); }},
            {"policy-theorem-3.2-m0", curvature_bound},
            {"policy-theorem-3.2-start", largest_start},
            {"policy-theorem-3.2-tube", distance_over_radius},
            {"policy-theorem-3.2-distance", distance_over_bound},
            {"policy-theorem-3.2-distance-rate", distance_rate_error}};
}

}  // namespace emergence
