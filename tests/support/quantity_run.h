#pragma once
// Small runs whose numbers are known.

#include <cstdint>
#include <vector>

#include "core/lab/study.h"

namespace emergence::testing {

/// Seeds with these numbers, and for each its losses at steps 0, 10, 20, ...; metric `twice` is twice the loss. Matrix
/// P and plot `by length` are the same times 1, 2, ...
FinishedRun quantity_run(const std::vector<uint64_t>& numbers, const std::vector<std::vector<double>>& losses);

}  // namespace emergence::testing
