#include "core/experiments/in_context_td/construction/construction_claims.h"

#include <fmt/format.h>

#include <cmath>

#include "core/experiments/figure_parts.h"
#include "core/measures/construction_difference.h"
#include "core/measures/invariant_set_spectrum.h"

namespace emergence {
namespace {

constexpr int kConstructionTrials = 30;
constexpr uint64_t kConstructionSeed = 1;
// After 40 layers rounding leaves about 1e-14, and the smallest flaw about 1e-8.
constexpr double kConstructionRounding = 1e-12, kConstructionVisible = 1e-9;

const char* const kQuantity =
    "largest |y_l + <phi, w_l>| / (|phi| |w_l|) over 40 layers and 30 trials with arbitrary C_l, in double";
const char* const kControlQuantity = "the same, in the trial that shows the flaw least";

Measurement measured_largest_difference(const ConstructionOptions& options) {
    return {largest_difference(options, kConstructionSeed, kConstructionTrials),
            fmt::format("d = {}, n = {}, {} layers, {} trials", options.d, options.n, options.layers,
                        kConstructionTrials)};
}

Claim identity(const char* name, const char* statement, const char* source, ConstructionOptions options) {
    return {.name = name,
            .statement = statement,
            .source = fmt::format("{}, Wang et al. 2025", source),
            .quantity = kQuantity,
            .agrees = at_most(kConstructionRounding),
            .measure = [options] { return measured_largest_difference(options); }};
}

Claim control(const std::string& name, const char* statement, ConstructionOptions options) {
    return {.name = name,
            .statement = statement,
            .source = kControl,
            .quantity = kControlQuantity,
            .agrees = at_least(kConstructionVisible),
            .measure = [options]() -> Measurement {
                return {least_difference(options, kConstructionSeed, kConstructionTrials), ""};
            }};
}

// The statement with a control for each flaw that every construction must show.
std::vector<Claim> with_controls(const Claim& claim, ConstructionOptions options) {
    const auto flawed = [&](const char* suffix, const char* statement, Flaw flaw) {
        options.flaw = flaw;
        return control(claim.name + suffix, statement, options);
    };
    return {claim, flawed("-gamma", "With gamma off by one part in a million it fails", Flaw::gamma),
            flawed("-mask", "With the query column unmasked it fails", Flaw::mask),
            flawed("-transposed", "With C_l in place of its transpose it fails", Flaw::transposed)};
}

Claim missing_part(const std::string& name, const char* statement, ConstructionOptions options) {
    options.flaw = Flaw::plain_td;
    return control(name, statement, options);
}

Claim as_for_theorem_1(Claim claim) {
    claim.quantity = "as for Theorem 1, one layer";
    return claim;
}

std::vector<Claim> td_and_controls() {
    const ConstructionOptions td, one_layer{.layers = 1, .single_layer_weights = true},
        two_layers{.layers = 2, .single_layer_weights = true};
    return joined(
        {with_controls(
             identity("theorem-1",
                      "The constructed transformer is batch TD(0), preconditioned by C_l, at every layer",
                      "Theorem 1, Eqs. (7) and (8)", td),
             td),
         {as_for_theorem_1(identity("corollary-1",
                                    "With one layer Q's upper-right block, bootstrapping, is not needed",
                                    "Corollary 1, Eq. (9)", one_layer)),
          control("corollary-1-two-layers", "With two layers the block cannot be left out", two_layers)}});
}

Measurement share_with_averaging() {
    return {share_outside_invariant_set(
                expected_update({}, invariant_weights(TaskOptions{}.d, {}), kConstructionSeed)),
            "d = 4, n = 30, 20 MRPs"};
}

double share_without_averaging(int samples) {
    return share_outside_invariant_set(expected_update({.samples = samples, .symmetrised = false},
                                                       invariant_weights(TaskOptions{}.d, {}),
                                                       kConstructionSeed));
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

std::vector<Claim> theorem_2() {
    const char* const slowest =
        "largest real part of the expected update's eigenvalues off the set, over the largest modulus, mean of ten "
        "samples of 2,000 MRPs";
    return {
        {.name = "theorem-2",
         .statement = "The expected update of one layer never leaves the set that holds in-context TD",
         .source = "Theorem 2, Eq. (10), Wang et al. 2025",
         .quantity = "share of the update's norm that leaves the set, each sample averaged over the 384 sign "
                     "flips and permutations of the features",
         .agrees = at_most(kConstructionRounding),
         .measure = share_with_averaging},
        {.name = "theorem-2-monte-carlo",
         .statement = "Without that average the share falls with the number of MRPs, N^-1/2",
         .source = kControl,
         .quantity = "share at 1,000 MRPs over that at 16,000: 4 under the law",
         .agrees = between(2.0, 8.0),
         .measure = []() -> Measurement {
             const double few = share_without_averaging(1000), many = share_without_averaging(16000);
             return {few / many, fmt::format("{:.3f} and {:.3f}", few, many)};
         }},
        {.name = "theorem-2-attracts",
         .statement = "Where the flow on the set rests, the set attracts",
         .source = prediction("2026-11-24"),
         .quantity = slowest,
         .agrees = at_most(0.0),
         .reason = "Known: from 24 starts off the set averaged updates came back towards it.",
         .measure = [] { return slowest_return(1.0); }},
        {.name = "theorem-2-attracts-opposite",
         .statement = "At the point of the opposite values it repels",
         .source = prediction("2026-11-24"),
         .quantity = slowest,
         .agrees = at_least(0.0),
         .reason = "A control that the measurement can say no; never seen.",
         .measure = [] { return slowest_return(-1.0); }}};
}

std::vector<Claim> further_algorithms() {
    const ConstructionOptions residual{.algorithm = BatchAlgorithm::residual_gradient},
        lambda{.algorithm = BatchAlgorithm::td_lambda},
        textbook{.algorithm = BatchAlgorithm::td_lambda, .textbook_trace = true},
        average{.algorithm = BatchAlgorithm::average_reward_td};
    return joined(
        {with_controls(identity("corollary-2", "Two more blocks in Q make it residual gradient",
                                "Corollary 2, Eqs. (12) and (13)", residual),
                       residual),
         {missing_part("corollary-2-blocks", "Without the lower blocks it fails", residual)},
         with_controls(identity("corollary-3",
                                "A mask of powers of lambda makes it TD(lambda), with e = lambda e + phi",
                                "Corollary 3, Eq. (14)", lambda),
                       lambda),
         {missing_part("corollary-3-traces", "Without the mask's powers it fails", lambda),
          identity("corollary-3-textbook",
                   "Powers of gamma lambda make it the textbook's TD(lambda), with e = gamma lambda e + phi",
                   "Section 3 (Sutton 1988)", textbook)},
         with_controls(
             identity("theorem-3", "Two heads and a row of memory make it average-reward TD at every layer",
                      "Theorem 3, Eqs. (15) to (18)", average),
             average),
         {missing_part("theorem-3-centring", "Without the mask that centres rewards it fails", average)}});
}

std::vector<Claim> figure_13() {
    const char* const quantity = "largest relative difference over 40 layers and 30 prompts";
    const Range rounding = at_most(kConstructionRounding);
    return claims_about(
        "wang-13", "Wang et al. 2025",
        {{"wang-13-td", "Transformer and TD(0) differ by rounding alone, some 1e-10", "Figure 13", quantity,
          rounding},
         {"wang-13-residual-gradient", "So do transformer and residual gradient", "Figure 13", quantity,
          rounding},
         {"wang-13-td-lambda", "So do transformer and TD(lambda)", "Figure 13", quantity, rounding},
         {"wang-13-average-reward", "So do transformer and average-reward TD", "Figure 13", quantity,
          rounding}});
}

}  // namespace

std::vector<Claim> construction_claims() {
    return joined({td_and_controls(), theorem_2(), further_algorithms(), figure_13()});
}

}  // namespace emergence
