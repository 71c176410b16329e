#pragma once
// A snapshot as lines of text, so that two can be compared whole: missing values are equal there.

#include <string>
#include <vector>

#include "core/lab/snapshot.h"

namespace emergence::testing {

/// Everything that a snapshot tells, with all numbers in full; of its settings and its place in a run only the step.
std::vector<std::string> lines_of(const Snapshot& snapshot);
/// The rows of a history.
std::vector<std::string> lines_of(const std::vector<MetricRow>& rows);
/// The first line of each in which they differ; "" if none.
std::string difference_of(const std::vector<std::string>& a, const std::vector<std::string>& b);
template <class Told>
std::string difference_of(const Told& a, const Told& b) {
    return difference_of(lines_of(a), lines_of(b));
}

}  // namespace emergence::testing
