#pragma once
// A construction against its algorithm over many trials: the two numbers by which every such check is judged.

#include "core/base/statistics.h"
#include "core/measures/construction_errors.h"
#include "core/measures/softmax_td_measures.h"
#include "tests/claims/measures.h"

namespace emergence {

/// The largest difference over layers and trials 0 .. trials-1: a right construction leaves rounding.
/// differences(trial): after each layer; at least one.
template <class Differences>
double largest_difference_in(uint32_t trials, const Differences& differences) {
    return largest_over(trials, [&](uint32_t trial) { return largest_of(differences(trial)); });
}
/// The minimum over trials of the largest difference over layers: a flaw must show in every trial.
template <class Differences>
double least_difference_in(uint32_t trials, const Differences& differences) {
    return least_over(trials, [&](uint32_t trial) { return largest_of(differences(trial)); });
}

/// The relative differences of one construction in trial `trial` of a seed, and both of the softmax construction.
inline auto differences_of(const ConstructionOptions& options, uint64_t seed) {
    return [=](uint32_t trial) { return construction_difference(options, draw_trial(options, seed, trial)).relative; };
}
inline auto differences_of(const SoftmaxDifferenceOptions& options, uint64_t seed) {
    return [=](uint32_t trial) {
        SoftmaxDifferences found = softmax_td_difference(options, seed, trial);
        std::vector<double>& both = found.to_algorithm;
        // A flaw must show beside the algorithm; two forms that share it may agree.
        if (options.flaw == SoftmaxFlaw::none)
            both.insert(both.end(), found.between_forms.begin(), found.between_forms.end());
        return both;
    };
}

}  // namespace emergence
