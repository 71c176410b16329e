#pragma once
// Linear and tabular TD as special cases of weighted softmax TD (abstract of the softmax paper), in the constructed
// transformer, in double. States are one-hot, so that Q holds any scores q(s, s') of two states.

#include <cstdint>
#include <vector>

namespace emergence {

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

}  // namespace emergence
