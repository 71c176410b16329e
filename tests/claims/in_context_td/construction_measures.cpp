#include "core/experiments/in_context_td/construction.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "core/experiments/figure_recipe.h"
#include "core/measures/construction_errors.h"
#include "tests/claims/in_context_td/invariant_set_spectrum.h"
#include "tests/claims/measures.h"

namespace emergence {
namespace {

constexpr int kConstructionTrials = 30;
constexpr uint64_t kConstructionSeed = 1;
Measurement measured_largest_difference(const ConstructionOptions& options) {
    return {
        largest_difference(options, kConstructionSeed, kConstructionTrials),
        fmt::format("d = {}, n = {}, {} layers, {} trials", options.d, options.n, options.layers, kConstructionTrials)};
}

NamedMeasure identity(const char* name, const ConstructionOptions& options) {
    return {name, [options] { return measured_largest_difference(options); }};
}

NamedMeasure control(const std::string& name, ConstructionOptions options, Flaw flaw) {
    options.flaw = flaw;
    return {name,
            [options]() -> Measurement { return {least_difference(options, kConstructionSeed, kConstructionTrials)}; }};
}

// The theorem with a control for each flaw that every construction must show.
std::vector<NamedMeasure> with_controls(const std::string& name, const ConstructionOptions& options) {
    return {identity(name.c_str(), options), control(name + "-gamma", options, Flaw::gamma),
            control(name + "-mask", options, Flaw::mask), control(name + "-transposed", options, Flaw::transposed)};
}

Measurement share_with_averaging() {
    return {share_outside_invariant_set(expected_update({}, invariant_weights(TaskOptions{}.d, {}), kConstructionSeed)),
            "d = 4, n = 30, 20 MRPs"};
}

double share_without_averaging(int samples) {
    return share_outside_invariant_set(expected_update({.samples = samples, .symmetrised = false},
                                                       invariant_weights(TaskOptions{}.d, {}), kConstructionSeed));
}

const InvariantSetOptions kFlow{.samples = 2000};

// The mean over ten samples of 2,000 MRPs. of: the sample's seed and the rest of its flow on the set, (eta c, eta c').
Measurement mean_at_rest(const std::function<double(uint64_t, const Eigen::Vector2d&)>& of) {
    constexpr int kSamples = 10;
    std::vector<std::vector<double>> found;
    for (uint64_t k = kConstructionSeed; k < kConstructionSeed + kSamples; ++k)
        found.push_back({of(k, invariant_flow(kFlow, k).rest())});
    return bootstrapped(
        found.size(), [&](const Places& samples) { return summary_at(found, samples).mean; },
        fmt::format("d = {}, n = {}", kFlow.tasks.d, kFlow.n));
}

// The largest real part of the spectrum off the set, over the largest modulus. At `times` the rest; eta^2 = d (c^2 + c'^2).
Measurement slowest_return(double times) {
    const int d = kFlow.tasks.d;
    const FeatureAverage average(d);
    return mean_at_rest([&](uint64_t seed, const Eigen::Vector2d& rest) {
        const Eigen::Vector2d ab = times * rest;
        const double eta = std::pow(d * ab.squaredNorm(), 0.25);
        const Eigen::VectorXcd spectrum = spectrum_off_invariant_set(
            average(update_moments(kFlow, seed)), invariant_weights(d, {eta, ab(0) / eta, ab(1) / eta}));
        return spectrum(spectrum.size() - 1).real() / spectrum.cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
    });
}

// TD(1) with the textbook's trace on a trial's context, at a random w, against steps towards the discounted returns:
//
//     sum_j (R_{j+1} + gamma w' phi_{j+1} - w' phi_j) e_j = sum_j (G_j - w' phi_j) phi_j,   G_j = R_{j+1} + gamma G_{j+1}
//
// where the context ends, G_n = w' phi_n. The difference over the size of the right side.
double monte_carlo_difference(const ConstructionOptions& options, uint32_t trial) {
    const ConstructionTrial drawn = draw_trial(options, kConstructionSeed, trial);
    const Transitions& context = drawn.context;
    const BatchUpdate update = td_lambda_update(context, options.gamma);
    const Eigen::VectorXd &w = drawn.query, v = context.phi.transpose() * w;
    const Eigen::VectorXd v_next = context.gamma_phi_next.transpose() * w;
    Eigen::VectorXd returns = update.reward;
    for (int j = options.n - 1; j >= 0; --j)
        returns(j) += j + 1 < options.n ? options.gamma * returns(j + 1) : v_next(j);
    const Eigen::VectorXd of_returns = context.phi * (returns - v);
    return (update.direction * (update.reward + v_next - v) - of_returns).norm() / of_returns.norm();
}

// 4 under the law N^-1/2.
Measurement fall_of_the_share() {
    const double few = share_without_averaging(1000), many = share_without_averaging(16000);
    return {few / many, fmt::format("{:.3f} and {:.3f}", few, many)};
}

}  // namespace

std::vector<NamedMeasure> construction_measures() {
    const ConstructionOptions td, one_layer{.layers = 1, .single_layer_weights = true},
        two_layers{.layers = 2, .single_layer_weights = true}, residual{.algorithm = BatchAlgorithm::residual_gradient},
        lambda{.algorithm = BatchAlgorithm::td_lambda},
        textbook{.algorithm = BatchAlgorithm::td_lambda, .textbook_trace = true},
        online{.n = 1, .preconditioner = Preconditioner::step_size},
        online_residual{
            .algorithm = BatchAlgorithm::residual_gradient, .n = 1, .preconditioner = Preconditioner::step_size},
        average{.algorithm = BatchAlgorithm::average_reward_td};
    std::vector<NamedMeasure> measures = {
        identity("corollary-1", one_layer),
        control("corollary-1-two-layers", two_layers, Flaw::none),
        {"theorem-2", share_with_averaging},
        {"theorem-2-monte-carlo", fall_of_the_share},
        {"theorem-2-attracts", [] { return slowest_return(1.0); }},
        {"theorem-2-attracts-opposite", [] { return slowest_return(-1.0); }},
        control("corollary-2-blocks", residual, Flaw::plain_td),
        control("corollary-3-traces", lambda, Flaw::plain_td),
        identity("corollary-3-textbook", textbook),
        control("theorem-3-centring", average, Flaw::plain_td),
        identity("equation-5", online),
        identity("equation-6", online_residual),
        {"td-lambda-0",
         [] {
             constexpr int kColumns = 100;
             const Eigen::MatrixXd td_0 = td_lambda_mask(kColumns, 0.0);
             return Measurement{(td_0 - context_mask(kColumns)).cwiseAbs().maxCoeff<Eigen::PropagateNaN>()};
         }},
        {"td-lambda-1",
         [textbook] {
             return Measurement{largest_difference_in(kConstructionTrials, [&](uint32_t trial) {
                 return std::vector{monte_carlo_difference(textbook, trial)};
             })};
         }},
        {"theorem-2-subset", [] {
             return mean_at_rest([](uint64_t, const Eigen::Vector2d& rest) { return std::abs(rest(1) / rest(0)); });
         }}};
    for (const auto& [name, options] :
         {std::pair{"theorem-1", td}, {"corollary-2", residual}, {"corollary-3", lambda}, {"theorem-3", average}})
        for (NamedMeasure& one : with_controls(name, options)) measures.push_back(std::move(one));
    return measures;
}

}  // namespace emergence
