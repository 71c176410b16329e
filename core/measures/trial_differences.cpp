#include "core/measures/trial_differences.h"

#include <algorithm>
#include <limits>

namespace emergence {
namespace {

double largest(const std::vector<double>& by_layer) {
    return *std::max_element(by_layer.begin(), by_layer.end());
}

}  // namespace

double largest_difference_in(int trials, const TrialDifferences& differences) {
    double most = 0.0;
    for (int trial = 0; trial < trials; ++trial)
        most = std::max(most, largest(differences(static_cast<uint32_t>(trial))));
    return most;
}

double least_difference_in(int trials, const TrialDifferences& differences) {
    double least = std::numeric_limits<double>::infinity();
    for (int trial = 0; trial < trials; ++trial)
        least = std::min(least, largest(differences(static_cast<uint32_t>(trial))));
    return least;
}

}  // namespace emergence
