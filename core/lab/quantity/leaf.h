#pragma once
// Inside core/lab/quantity: one name of a quantity read off one seed, and operations on numbers.

#include <cstddef>

#include "core/lab/quantity/quantity.h"

namespace emergence {

/// The value of a quantity without operands; NaN if it is not known, or if the seed, by its place, has failed.
double leaf_value(const Quantity& leaf, const RunView& run, size_t seed);

/// The operation of a quantity with operands on their values; `right` counts if it has two. NaN of NaN.
double combined(Quantity::Kind kind, double left, double right);

/// The place of the run that `quantity`, of kind run, names; runs.size() if no run has that name or place.
size_t place_of_run(const Quantity& quantity, const std::vector<RunView>& runs);

}  // namespace emergence
