#pragma once
// Inside core/lab/quantity: one name of a quantity read off one seed, and operations on numbers.

#include <cstddef>

#include "core/lab/quantity/quantity.h"

namespace emergence {

/// The plot of a curve, or null; the series that has the curve's name or, if none has, the first that begins so.
const PlotSpec* plot_of(const Quantity& curve, const Snapshot& snapshot);
const Series* curve_of(const Quantity& curve, const Snapshot& snapshot);
/// How many rows a curve's plot has that are not the run's seeds, but MDPs or environments; 0 if they are.
size_t own_rows(const Quantity& curve, const RunView& run);

/// The value of a quantity without operands; NaN if it is not known, or if the seed, by its place, has failed. `seed`: the
/// row of a curve with rows of its own.
double leaf_value(const Quantity& leaf, const RunView& run, size_t seed);

/// The operation of a quantity with operands on their values; `right` counts if it has two. NaN of NaN.
double combined(Quantity::Kind kind, double left, double right);

/// The quantity with an operand for each x of `over x`.
Quantity expanded(Quantity quantity, const std::vector<RunView>& runs, size_t of_run);

/// The place of the run that `quantity`, of kind run, names; runs.size() if no run has that name or place.
size_t place_of_run(const Quantity& quantity, const std::vector<RunView>& runs);

}  // namespace emergence
