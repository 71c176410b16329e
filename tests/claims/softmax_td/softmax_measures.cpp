// What `verify` measures of the construction of softmax TD, of its special cases and of the lemmas behind Theorems 2
// and 3.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/base/statistics.h"
#include "core/experiments/figure_recipe.h"
#include "core/experiments/softmax_td/softmax_td.h"
#include "core/measures/bandit_measures.h"
#include "core/measures/construction_errors.h"
#include "core/measures/softmax_td_measures.h"
#include "tests/claims/measures.h"
#include "tests/claims/softmax_td/softmax_td_lemmas.h"
#include "tests/claims/trial_differences.h"

namespace emergence {
namespace {

constexpr int kSpecialTrials = 30;

Measurement special_case(SpecialCase special) {
    const auto differences = [=](uint32_t trial) { return special_case_difference(special, trial); };
    const bool flawed = special == SpecialCase::linear_not_centred || special == SpecialCase::tabular_blurred;
    return {flawed ? least_difference_in(kSpecialTrials, differences)
                   : largest_difference_in(kSpecialTrials, differences)};
}

Measurement flat_scores(bool constant_alone) {
    std::vector<double> widths;
    for (double width = 1.0 / 4096; width > 1e-6; width /= 4) widths.push_back(width);
    std::vector<std::vector<double>> rows;
    for (uint32_t t = 0; t < kSpecialTrials; ++t) rows.push_back(flat_scores_difference(widths, constant_alone, t));
    return measurement_of(fitted_exponent(widths, rows), "", rows.size());
}

// ---- contexts of many chains

constexpr uint64_t kLemmaChains = 24;
constexpr int kShortContext = 1000, kLongContext = 16000, kLemmaLayers = 150;

// Of all contexts the largest number; those without one are left out.
template <class Number>
Measurement largest_in_contexts(const LemmaOptions& options, const Number& number) {
    std::vector<double> found;
    for (uint64_t seed = 0; seed < kLemmaChains; ++seed) {
        const LemmaChain chain(options, seed);
        for (const int n : {kShortContext, kLongContext})
            if (const std::optional<double> one = number(chain, chain.counts(n, 0))) found.push_back(*one);
    }
    return {largest_of(found), fmt::format("{} contexts", found.size())};
}

LemmaOptions sharp() { return {.sharpness = 12.0}; }

Measurement kernel_over_bound() {
    return largest_in_contexts({.sharpness = 1.0}, [](const LemmaChain& chain, const auto& counts) {
        const Deviations found = chain.deviations(counts);
        return found.relative < 1 ? std::optional(found.kernel * (1 - found.relative) / (2 * found.relative))
                                  : std::nullopt;
    });
}
Measurement error_over_bound(bool without_floor) {
    return largest_in_contexts(sharp(), [=](const LemmaChain& chain, const auto& counts) {
        return chain.error_over_bound(counts, kLemmaLayers, without_floor);
    });
}
Measurement decay_over_bound(double step) {
    return largest_in_contexts(sharp(), [=](const LemmaChain& chain, const auto& counts) {
        return chain.decay_over_bound(counts, kLemmaLayers, step);
    });
}
Measurement td_error_over_bound(double current_value) {
    return largest_in_contexts({.sharpness = 12.0, .current_value = current_value},
                               [](const LemmaChain& chain, const auto& counts) -> std::optional<double> {
                                   const Mat shifted = chain.counts(static_cast<int>(counts.sum()), 0, 1);
                                   return chain.td_error_over_bound(counts, shifted, kLemmaLayers);
                               });
}
Measurement gradient_over_bound() {
    return largest_in_contexts(sharp(), [](const LemmaChain& chain, const auto& counts) -> std::optional<double> {
        const auto found = chain.gradients(counts, kLemmaLayers);
        return largest_of(found.norms) / found.bound;
    });
}
Measurement gradient_growth() {
    const LemmaChain flat({.sharpness = 0.0}, 0);
    const std::vector<double> norms = flat.gradients(flat.counts(kLongContext, 0), 400).norms;
    return {norms[399] / norms[199]};
}
Measurement update_over_bound(bool of_context) {
    return largest_in_contexts(sharp(), [=](const LemmaChain& chain, const auto& counts) {
        return chain.update_over_bound(of_context ? counts : chain.population_counts(), kLemmaLayers);
    });
}

// ---- with probability 1 - delta

constexpr uint32_t kTrajectories = 40;
constexpr double kDelta = 0.05;

// The share of the trajectories of so many chains of which something holds.
template <class Holds>
Measurement share_of_trajectories(const LemmaOptions& options, uint64_t chains, const Holds& holds) {
    int count = 0, all = 0;
    for (uint64_t seed = 0; seed < chains; ++seed) {
        const LemmaChain chain(options, seed);
        for (uint32_t t = 0; t < kTrajectories; ++t, ++all) count += holds(chain, t) ? 1 : 0;
    }
    const Fraction share = fraction(count, all);
    return measurement_of(share, fraction_text(share));
}

// Lazy chains' frequencies are within Lemma 4's bound.
Measurement frequencies_within(bool gap) {
    return share_of_trajectories({.laziness = 0.9}, 4, [gap](const LemmaChain& chain, uint32_t t) {
        return chain.deviations(chain.counts(2000, t)).frequency <= chain.frequency_bound(2000, kDelta, gap);
    });
}

// Contexts of n transitions inherit half of the population's margin.
Measurement inherited_margins(int n) {
    return share_of_trajectories(sharp(), kLemmaChains, [n](const LemmaChain& chain, uint32_t t) {
        return chain.deviations(chain.counts(n, t)).margin >= chain.margin() / 2;
    });
}

// The exponent in n of the bias that a share `quantile` of each chain's trajectories keep.
Measurement bias_exponent(double quantile, double current_value) {
    const std::vector<double> lengths = {4000, 16000, 64000};
    std::vector<std::vector<double>> rows;
    for (uint64_t seed = 0; seed < kLemmaChains; ++seed) {
        const LemmaChain chain({.sharpness = 12.0, .current_value = current_value}, seed);
        std::vector<double> row;
        for (const double n : lengths) {
            std::vector<double> biases;
            for (uint32_t t = 0; t < kTrajectories; ++t)
                biases.push_back(chain.deviations(chain.counts(static_cast<int>(n), t)).bias);
            std::sort(biases.begin(), biases.end());
            row.push_back(biases[static_cast<size_t>(quantile * (kTrajectories - 1))]);
        }
        rows.push_back(std::move(row));
    }
    return measurement_of(fitted_exponent(lengths, rows), "", rows.size());
}

Measurement update_exponent() {
    const ExpectedUpdateOptions options{.lengths = {1000, 10000, 100000, 1000000}};
    std::vector<std::vector<double>> rows;
    for (uint32_t chain = 0; chain < kLemmaChains; ++chain)
        if (const auto norms = norm_of_expected_update(options, 3, chain)) {
            const Vec by_length = norms->col(0);
            rows.emplace_back(by_length.begin(), by_length.end());
        }
    return measurement_of(fitted_exponent({options.lengths.begin(), options.lengths.end()}, rows), "", rows.size());
}

Measurement largest_in_trials(double (*ratio)(uint32_t)) { return {largest_over(kSpecialTrials, ratio)}; }

/// Lemma 5: the largest value over chains and lengths of
///     |I - step (M - gamma P)| / (1 - C),
/// which the proof bounds by 1 for a step of 1, with the largest row sum as norm and the context's own margin C.
double largest_contraction_ratio(double step) {
    std::vector<double> ratios;
    for (uint64_t seed = 0; seed < 10; ++seed) {
        const std::vector<int> lengths = {2000, 20000};
        const SoftmaxConvergence chain({.gamma = 0.5, .lengths = lengths}, seed);
        for (size_t i = 0; i < lengths.size(); ++i) {
            const SoftmaxTdOperators& of = chain.operators(i);
            Mat map = step * (Mat::Identity(of.M.rows(), of.M.cols()) - of.M + 0.5 * of.P);
            map.diagonal() += 1 - step;
            const double margin = diagonality_margin(of.M, 0.5);
            if (margin <= 0) continue;
            ratios.push_back(map.cwiseAbs().rowSums().maxCoeff() / (1.0 - margin));
        }
    }
    return largest_of(ratios);
}

constexpr int kSoftmaxTrials = 30;
constexpr uint64_t kSoftmaxSeed = 1;
// Theorem 1 with one kernel.
NamedMeasure theorem_1(const char* name, ScoreKernel kernel) {
    return {name, [options = SoftmaxDifferenceOptions{.kernel = kernel}]() -> Measurement {
                return {largest_difference_in(kSoftmaxTrials, differences_of(options, kSoftmaxSeed)),
                        fmt::format("d = {}, n = {}, {} layers, {} trials", options.d, options.n, options.layers,
                                    kSoftmaxTrials)};
            }};
}

NamedMeasure softmax_control(const char* name, SoftmaxFlaw flaw) {
    return {name, [options = SoftmaxDifferenceOptions{.flaw = flaw}]() -> Measurement {
                return {least_difference_in(kSoftmaxTrials, differences_of(options, kSoftmaxSeed))};
            }};
}

constexpr uint32_t kUpdateChains = 24;
constexpr uint64_t kUpdateSeed = 3;

// The norm of the expected update at the end of a way over that at its beginning: means over the chains with a positive
// margin, which bound the norm over all tasks from above.
struct ShareOfUpdate {
    ExpectedUpdateOptions options;
    Measurement operator()() const {
        std::vector<std::vector<double>> chains;  // first and last
        for (uint32_t chain = 0; chain < kUpdateChains; ++chain)
            if (const auto norms = norm_of_expected_update(options, kUpdateSeed, chain))
                chains.push_back({*norms->begin(), *(norms->end() - 1)});
        return bootstrapped(
            chains.size(),
            [&](const Places& places) {
                return summary_at(chains, places, 1).mean / summary_at(chains, places, 0).mean;
            },
            fmt::format("{:.2g} and {:.2g}, {} of {} chains", summarise(chains, 0).mean, summarise(chains, 1).mean,
                        chains.size(), kUpdateChains));
    }
};

}  // namespace

std::vector<NamedMeasure> softmax_construction_measures() {
    constexpr double kApart = 1e-3;
    return {
        theorem_1("softmax-theorem-1", ScoreKernel::softmax),
        theorem_1("softmax-theorem-1-relu", ScoreKernel::relu),
        theorem_1("softmax-theorem-1-elu", ScoreKernel::elu),
        theorem_1("softmax-theorem-1-rbf", ScoreKernel::rbf),
        softmax_control("softmax-theorem-1-gamma", SoftmaxFlaw::gamma),
        softmax_control("softmax-theorem-1-mask", SoftmaxFlaw::mask),
        softmax_control("softmax-theorem-1-shift", SoftmaxFlaw::shift),
        {"softmax-theorem-3", ShareOfUpdate{}},
        {"softmax-theorem-3-depth", ShareOfUpdate{{.lengths = {1000000}, .layers = {5, 200}}}},
        {"softmax-theorem-3-flat", ShareOfUpdate{{.sharpness = 0.0}}},
        {"softmax-theorem-3-weight", ShareOfUpdate{{.current_value = -1.1}}},
        {"softmax-linear-td", [] { return special_case(SpecialCase::linear); }},
        {"softmax-linear-td-not-centred", [] { return special_case(SpecialCase::linear_not_centred); }},
        {"softmax-linear-td-limit", [] { return flat_scores(false); }},
        {"softmax-linear-td-limit-constant", [] { return flat_scores(true); }},
        {"softmax-tabular-td", [] { return special_case(SpecialCase::tabular); }},
        {"softmax-tabular-td-blurred", [] { return special_case(SpecialCase::tabular_blurred); }},
        {"softmax-lemma-7", [] { return td_error_over_bound(1.0); }},
        {"softmax-lemma-7-weight", [] { return td_error_over_bound(1.1); }},
        {"softmax-lemma-8", [] { return largest_in_trials([](uint32_t t) { return softmax_lipschitz_ratio(t); }); }},
        {"softmax-lemma-8-reached", [] { return Measurement{softmax_lipschitz_of_two(kApart)}; }},
        {"softmax-lemma-8-temperature", [] { return Measurement{softmax_lipschitz_of_two(kApart, 0.5)}; }},
        {"softmax-lemma-9", [] { return largest_in_trials([](uint32_t t) { return attention_derivative_ratio(t); }); }},
        {"softmax-lemma-9-temperature",
         [] { return largest_in_trials([](uint32_t t) { return attention_derivative_ratio(t, 0.25); }); }},
        {"softmax-lemma-10", gradient_over_bound},
        {"softmax-lemma-10-flat", gradient_growth},
        {"softmax-equation-33-n", update_exponent},
        {"softmax-equation-33-layers", [] { return update_over_bound(false); }},
        {"softmax-equation-33-short", [] { return update_over_bound(true); }}};
}

std::vector<NamedMeasure> softmax_convergence_measures() {
    std::vector<NamedMeasure> measures = {
        {"softmax-theorem-2-layers", [] { return decay_over_bound(1.0); }},
        {"softmax-theorem-2-layers-half", [] { return decay_over_bound(0.5); }},
        {"softmax-theorem-2-bound", [] { return error_over_bound(false); }},
        {"softmax-theorem-2-bound-floor", [] { return error_over_bound(true); }},
        {"softmax-theorem-2-probability", [] { return bias_exponent(1 - kDelta, 1.0); }},
        {"softmax-lemma-4", [] { return frequencies_within(true); }},
        {"softmax-lemma-4-gap", [] { return frequencies_within(false); }},
        {"softmax-lemma-4-kernel", kernel_over_bound},
        {"softmax-lemma-5", [] { return inherited_margins(kShortContext); }},
        {"softmax-lemma-5-short", [] { return inherited_margins(30); }},
        {"softmax-lemma-6", [] { return bias_exponent(0.5, 1.0); }},
        {"softmax-lemma-6-weight", [] { return bias_exponent(0.5, 1.1); }}};
    for (const auto& [name, step] :
         {std::pair{"softmax-theorem-2-contraction", 1.0}, {"softmax-theorem-2-contraction-twice", 2.0}})
        measures.push_back({name, [step = step] { return Measurement{largest_contraction_ratio(step)}; }});
    return measures;
}

}  // namespace emergence
