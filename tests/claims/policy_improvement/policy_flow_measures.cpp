// What `verify` measures of gradient flow, of Assumption 1 and of Theorem 3.2's bounds: along gradient flow from within
// the theorem's own starts, with the tightest constants of the sample.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/base/eigen.h"
#include "core/base/linear_algebra.h"
#include "core/base/statistics.h"
#include "core/experiments/figure_recipe.h"
#include "core/experiments/policy_improvement/policy_improvement.h"
#include "core/pictures/axis.h"
#include "tests/claims/measures.h"
#include "tests/claims/policy_improvement/richness.h"

namespace emergence {

inline constexpr int kStarts = 4;

/// A flow that takes seconds: 49 weights.
inline PolicyFlowConfig quick_flow(double distance) {
    PolicyFlowConfig config;
    config.shape.sizes.num_states = 3;
    config.shape.sizes.d = 3;
    config.windows = 300;
    config.seeds = kStarts;
    config.distance = distance;
    return config;
}

namespace {

// The columns that are orthogonal to `direction` and to each other: n x (n-1), by a Householder reflection.
Mat complement_of(Vec direction) {
    const auto n = direction.size();
    direction /= direction.norm();
    direction[0] += direction[0] < 0 ? -1 : 1;
    const Mat reflection = Mat::Identity(n, n) - 2 / direction.squaredNorm() * direction * direction.transpose();
    return reflection.rightCols(n - 1);
}

// The largest of x'Cy / sqrt(x'Ax y'By).
double largest_correlation(const Mat& A, const Mat& B, const Mat& C) {
    const Mat squares = inverse(A) * C * inverse(B) * C.transpose();
    return std::sqrt(eigen(squares).eigenvalues().real().maxCoeff<Eigen::PropagateNaN>());
}

}  // namespace

Richness richness_of(const ImprovementPopulation& population) {
    const ImprovementShape& shape = population.shape();
    const Mat &hessian = population.hessian(), &queries = population.queries();
    const std::vector<Mat>& moments = population.moments();
    const EffectiveBlocks& target = population.target();
    const int r = shape.context(), d = shape.sizes.d, of_U = r * shape.query();
    const auto of_W = hessian.rows() - of_U;
    const auto count = static_cast<double>(moments.size());
    Mat RR = Mat::Zero(r, r), bb = RR;
    for (size_t i = 0; i < moments.size(); ++i) {
        const Vec b = moments[i] * (target.P12 * queries.col(static_cast<Index>(i)));
        RR += moments[i].topRows(d).transpose() * moments[i].topRows(d) / count;
        bb += b * b.transpose() / count;
    }
    Richness found;
    found.query = symmetric_eigenvalues(queries * queries.transpose() / count)(0);
    found.regressor = symmetric_eigenvalues(RR)(0);
    found.target = symmetric_eigenvalues(bb)(0);
    const Mat A = hessian.topLeftCorner(of_U, of_U), B = hessian.bottomRows(of_W).rightCols(of_W),
              C = hessian.topRows(of_U).rightCols(of_W);
    const Vec p = ConstMatView::column(target.P12.data(), target.P12.size()),
              v = ConstMatView::column(target.V21.data(), target.V21.size());
    found.aligned = p.dot(C * v) / std::sqrt(p.dot(A * p) * v.dot(B * v));
    // Normal pairs, at any scales, have <U, P12*> and <W, V21*> of one sign. The only pairs that cancel at a maximum
    // are the manifold's own, of opposite signs, so the largest correlation of the others has one of the two products
    // 0.
    const Mat N = complement_of(p), K = complement_of(v);
    found.cancelling = larger(largest_correlation(N.transpose() * A * N, B, N.transpose() * C),
                              largest_correlation(A, K.transpose() * B * K, C * K));
    return found;
}

namespace {

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
    Vec blocks;
};

std::vector<FlowPoint> flow_points(const PolicyFlowConfig& config, const FlowWorld& world, double distance, int number,
                                   int64_t every = 2) {
    Stream stream(static_cast<uint64_t>(number), Purpose::initial_weights);
    const Objective objective = world.population().objective();
    GradientFlow flow(flat_blocks(off_manifold(world.population().target(), config.scale, distance, stream)), 1e-2);
    std::vector<FlowPoint> points;
    for (int64_t step = 0; step <= config.num_steps; step += every) {
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
    for (int k = 0; k < kStarts; ++k) {
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
    for (int k = 0; k < kStarts; ++k) {
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

Measurement of_richness(const std::function<double(const Richness&)>& number) {
    const FlowWorld world(quick_flow(0.1));
    const Richness of = richness_of(world.population());
    return {number(of), fmt::format("query {}, regressor {}, target {}", readout(of.query), readout(of.regressor),
                                    readout(of.target))};
}

// m_0 of Theorem 3.2, with the rho that its proof needs, over the least curvature that it bounds.
Measurement curvature_bound() {
    const PolicyFlowConfig config = quick_flow(0.1);
    const FlowWorld world(config);
    const Richness of = richness_of(world.population());
    const double c = config.scale, alpha = config.agent.alpha;
    const double m =
        (1 - of.cancelling) * smaller(alpha * alpha / (c * c) * of.regressor * of.query, c * c * of.target);
    return {m / world.curvature(c).least, fmt::format("m_0 = {}", readout(m))};
}

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
    std::vector<double> errors;
    std::string each;
    for (const auto& seed : flow_from(config).seeds) {
        const FlowRates rates = flow_rates(seed->world(), seed->trace().rows());
        errors.push_back(std::abs(rates.measured / rates.theory - 1));
        each += fmt::format("{}{} and {}", each.empty() ? "" : ", ", readout(rates.measured), readout(rates.theory));
    }
    return {largest_of(errors), each};
}

// The Polyak-Lojasiewicz inequality, Lemma C.2: the least value along the flows of
//     1/2 |grad L|^2 / (mu L),  mu = m_0^2 / M_0
Measurement least_gradient_share() {
    const PolicyFlowConfig config = quick_flow(0.1);
    const FlowWorld world(config);
    const double mu = world.curvature(config.scale).guaranteed_rate() / 2;
    const Objective objective = world.population().objective();
    std::vector<double> shares;
    Vec gradient;
    for (int k = 0; k < kStarts; ++k)
        for (const FlowPoint& at : flow_points(config, world, config.distance, k, 10)) {
            const double loss = objective(at.blocks, gradient);
            shares.push_back(0.5 * gradient.squaredNorm() / loss / mu);
        }
    return {least_of(shares), fmt::format("mu = {}", readout(mu))};
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
    return measurement_of(fraction(arrived, config.seeds), fmt::format("{} of {}", arrived, config.seeds));
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
        const FlowRates rates = flow_rates(seed->world(), seed->trace().rows());
        least = smaller(least, rates.measured / rates.theory);
    }
    return {least, ""};
}

Measurement actor_critic_curvature() {
    const PolicyFlowConfig config = actor_critic_flow();
    const Vec all = FlowWorld(config).population().curvatures(config.scale);
    const double largest = all(all.size() - 1);
    return {all(1) / largest, fmt::format("along the manifold {:.1g}", std::abs(all(0)) / largest)};
}

Measurement gradient_at_zero() {
    const FlowWorld world(quick_flow(0.1));
    const ImprovementShape& shape = world.population().shape();
    Vec gradient;
    const double loss =
        world.population().loss(Vec::Zero(shape.context() * (shape.query() + shape.outputs())), gradient);
    return {gradient.norm(), fmt::format("the loss is {}", readout(loss))};
}

}  // namespace

std::vector<NamedMeasure> policy_flow_measures() {
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
            {"policy-theorem-3.2-distance-rate", distance_rate_error},
            {"policy-theorem-3.2", [] { return rate_error(quick_flow(0.1)); }},
            {"policy-theorem-3.2-pl", least_gradient_share},
            {"policy-theorem-3.2-arrives", [] { return arrived_share(quick_flow(0.1)); }},
            {"policy-flow-actor-critic", actor_critic_rate},
            {"policy-flow-actor-critic-curvature", actor_critic_curvature},
            {"policy-theorem-3.2-zero", gradient_at_zero},
            {"policy-flow-balance", balance_error}};
}

}  // namespace emergence
