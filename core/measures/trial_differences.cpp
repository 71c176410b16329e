#include "core/measures/trial_differences.h"

#include <limits>

#include "core/base/statistics.h"

namespace emergence {
namespace {

double largest(const std::vector<double>& by_layer) {
    double most = by_layer.front();
    for (const double difference : by_layer) most = larger(most, difference);
    return most;
}

}  // namespace

double largest_difference_in(int trials, const TrialDifferences& differences) {
    double most = 0.0;
    for (int trial = 0; trial < trials; ++trial)
        most = larger(most, largest(differences(static_cast<uint32_t>(trial))));
    return most;
}

double least_difference_in(int trials, const TrialDifferences& differences) {
    double least = std::numeric_limits<double>::infinity();
    for (int trial = 0; trial < trials; ++trial)
        least = smaller(least, largest(differences(static_cast<uint32_t>(trial))));
    return least;
}

}  // namespace emergence
