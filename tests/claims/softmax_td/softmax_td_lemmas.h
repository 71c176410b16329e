#pragma once
// The lemmas behind Theorems 2 and 3 of the softmax paper, each measured on trajectories of one chain; and linear and
// tabular TD as special cases of weighted softmax TD. Where the paper's text lacks a formula the form is ours.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/algorithms/context_algorithms.h"
#include "core/tasks/task.h"

namespace emergence {

/// The chain and its one-hot scores.
struct LemmaOptions {
    int num_states = 10;
    double gamma = 0.9, sharpness = 8.0;
    // The chance that a state holds for a step: a lazier chain has a smaller spectral gap.
    double laziness = 0.0;
    double current_value = 1.0;  // a factor on the current value, -1 in Eq. (15): a deliberate error
};

/// What one trajectory says about the population.
struct Deviations {
    double frequency = 0, relative = 0;  // max_s |dhat(s) - d(s)|, Lemma 4, and that over d's least entry, eta
    double kernel = 0;                   // the largest row sum of |Mhat - M|, at most 2 eta / (1 - eta)
    double margin = 0;                   // the margin C of Mhat, Lemma 5
    double bias = 0;                     // max_s |That v - v| at the true values, Lemma 6
};

/// A chain, from its stationary distribution.
class LemmaChain {
  public:
    LemmaChain(const LemmaOptions& options, uint64_t seed);

    /// Trajectory number `trajectory` of n transitions, as counts(s, s'). skip: transitions left out at its beginning.
    Mat counts(int n, uint32_t trajectory, int skip = 0) const;
    Deviations deviations(const Mat& counts) const;

    /// Lemmas 2 and 4: the deviation of a frequency that has at most the chance delta in some state, by Hoeffding's
    /// inequality for Markov chains (Fan et al. 2021), with lambda the second eigenvalue of (p + time-reversed p) / 2:
    ///
    ///     sqrt((1 + lambda) / (1 - lambda) log(2 m / delta) / (2 n))
    ///
    /// gap = false: as if states were independent, lambda = 0.
    double frequency_bound(int n, double delta, bool gap = true) const;

    /// Theorem 2: the largest over layers of
    ///
    ///     |v_l - v| / ((1 - C)^l |v| + bias / C)       C, bias: of this context
    ///
    /// without_floor: without the second term. nullopt if C is not positive.
    std::optional<double> error_over_bound(const Mat& counts, int layers, bool without_floor = false) const;
    /// The largest over layers of the distance to the fixed point over (1 - C)^l times that at the start: geometric
    /// decay. step: of a layer.
    std::optional<double> decay_over_bound(const Mat& counts, int layers, double step = 1.0) const;

    /// Lemma 7: the largest over states and layers of the TD error's expectation, between a context and the one shifted
    /// by one transition, over (1 + gamma) times the larger error of both.
    double td_error_over_bound(const Mat& context, const Mat& shifted, int layers) const;

    /// Lemma 10: the gradient of v_l by the parameters of Eq. (32) after each layer, m x (3 + m m): reward, next value,
    /// current value, then the scores by columns.
    struct Gradients {
        std::vector<Vec> values;
        std::vector<Mat> by_layer;
        std::vector<double> norms;  // the largest norm of a state's gradient, after each layer
        double bound = 0;           // of these norms: sup_l |d(That v_l)| / C, infinite if C is not positive
    };
    Gradients gradients(const Mat& counts, int layers) const;

    /// Eq. (33) in L: the largest over layers of the norm of the expected update over what Lemmas 5, 7 and 10 leave of
    /// it without a floor, (1 + gamma) (1 - C)^l |v| times the gradient's bound. nullopt if C is not positive.
    std::optional<double> update_over_bound(const Mat& counts, int layers) const;

    /// The transitions of an infinite context, up to a factor, and the population's margin C.
    Mat population_counts() const;
    double margin() const;
    const Mrp& mrp() const { return mrp_; }
    Mat scores() const;

  private:
    Mat layer_map(const SoftmaxTdOperators& of) const;

    LemmaOptions options_;
    Mrp mrp_;
    StateSampler sampler_;
    uint64_t seed_;
    Vec stationary_, values_;
    Mat population_;
    double lambda_ = 0;
};

/// Lemma 8, in trial number `trial`: the largest column sum of |A - A'| of the attention over the largest difference of
/// its scores, for random prompts and Q; at most 1. Two sources of equal score, moved apart, come to 1 as they move
/// less. temperature: divides the scores, not the bound.
double softmax_lipschitz_ratio(uint32_t trial, double temperature = 1.0);
double softmax_lipschitz_of_two(double apart, double temperature = 1.0);

/// Lemma 9, in trial number `trial`: the largest column sum of |dA / dQ_ab|, by central differences, over the largest
/// |z_ai z_bj|; at most 1. temperature: divides the scores, not the bound.
double attention_derivative_ratio(uint32_t trial, double temperature = 1.0);

/// With scores of mean weight 1 over the context the softmax is the kernel itself, and a layer is a step of linear TD:
///
///     q(s, s') = log(1 + width phi(s)' phi(s'))      phi centred over the context's n sources
///     features psi = (1, sqrt(width) phi), weights w of batch TD
///
/// Very sharp scores leave each state its own transitions: a table, each state by the mean TD error of its visits.
enum class SpecialCase {
    linear,
    // phi as it is: the weights' sum differs from state to state.
    linear_not_centred,
    tabular,
    // Sharpness 8: a state learns a little from others.
    tabular_blurred,
};

/// After layers 0 .. 40 the largest distance of the transformer's values from the algorithm's over the states of trial
/// number `trial`, over the algorithm's largest value so far.
std::vector<double> special_case_difference(SpecialCase special, uint32_t trial);

/// The same distance after 40 layers with the scores of Eq. (15), q = width x'x of centred features, for each width;
/// from linear TD with psi, or with the constant feature alone.
std::vector<double> flat_scores_difference(const std::vector<double>& widths, bool constant_alone, uint32_t trial);

// The norm of the expected update (NEU) of a transformer that runs weighted softmax TD on one chain: the loss of
// Theorem 3, Eq. (31), softmax paper.

/// The chain, its contexts and the looped transformer. States are one-hot.
struct ExpectedUpdateOptions {
    int num_states = 10;
    double gamma = 0.9;
    // Ascending context lengths: each context is the start of the next.
    std::vector<int> lengths = {1000, 1000000};
    std::vector<int> layers = {200};
    double sharpness = 8.0;       // the construction has Q = sharpness I; 0 is a flat kernel
    double current_value = -1.0;  // a change of the construction: the weight of the current value, -1 in Eq. (15)
};

/// The NEU of chain number `chain` of the world `seed`, lengths x layers:
///
///     | sum_s d(s) (r(s) + gamma sum_s' p(s, s') v(s') - v(s)) grad v(s) |
///
/// v is the value after the last layer and d the stationary distribution. The gradient is by the parameters of the
/// theorem's space, Eq. (32), whose formula the paper's text lacks and which we read as the last three entries of P's
/// last row and Q's upper left block. Both values are read from one context. nullopt if the margin of Assumption 5.1 is
/// not positive for the construction's own kernel.
std::optional<Mat> norm_of_expected_update(const ExpectedUpdateOptions& options, uint64_t seed, uint32_t chain);

}  // namespace emergence
