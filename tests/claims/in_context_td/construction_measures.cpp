#include "core/experiments/in_context_td/construction/construction_pictures.h"

#include <fmt/format.h>

#include <cmath>

#include "core/experiments/figure_parts.h"
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

// The largest real part of the spectrum off the set, over the largest modulus, for each of ten samples of 2,000 MRPs. At
// `times` the rest of the flow on the set; eta^2 = d (c^2 + c'^2).
Measurement slowest_return(double times) {
    constexpr int kSamples = 10;
    const InvariantSetOptions options{.samples = 2000};
    const int d = options.tasks.d;
    const FeatureAverage average(d);
    std::vector<std::vector<double>> slowest;
    for (uint64_t k = 0; k < kSamples; ++k) {
        const Eigen::Vector2d ab = times * invariant_flow(options, kConstructionSeed + k).rest();
        const double eta = std::pow(d * ab.squaredNorm(), 0.25);
        const Eigen::VectorXcd spectrum =
            spectrum_off_invariant_set(average(update_moments(options, kConstructionSeed + k)),
                                       invariant_weights(d, {eta, ab(0) / eta, ab(1) / eta}));
        slowest.push_back({spectrum(spectrum.size() - 1).real() / spectrum.cwiseAbs().maxCoeff()});
    }
    return bootstrapped(
        slowest.size(), [&](const Places& samples) { return summary_at(slowest, samples).mean; },
        fmt::format("d = {}, n = {}", d, options.n));
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
        average{.algorithm = BatchAlgorithm::average_reward_td};
    std::vector<NamedMeasure> measures = {identity("corollary-1", one_layer),
                                          control("corollary-1-two-layers", two_layers, Flaw::none),
                                          {"theorem-2", share_with_averaging},
                                          {"theorem-2-monte-carlo", fall_of_the_share},
                                          {"theorem-2-attracts", [] { return slowest_return(1.0); }},
                                          {"theorem-2-attracts-opposite", [] { return slowest_return(-1.0); }},
                                          control("corollary-2-blocks", residual, Flaw::plain_td),
                                          control("corollary-3-traces", lambda, Flaw::plain_td),
                                          identity("corollary-3-textbook", textbook),
                                          control("theorem-3-centring", average, Flaw::plain_td)};
    for (const auto& [name, options] :
         {std::pair{"theorem-1", td}, {"corollary-2", residual}, {"corollary-3", lambda}, {"theorem-3", average}})
        for (NamedMeasure& one : with_controls(name, options)) measures.push_back(std::move(one));
    return measures;
}

}  // namespace emergence
