#pragma once
// How one cell, or one block, of a matrix came to be what it is: its course over a run's moments.

#include <memory>
#include <vector>

#include "core/lab/snapshot.h"
#include "core/pictures/matrix_cells.h"

namespace emergence {

/// A cell, or the whole block that it lies in.
struct MatrixSelection {
    std::string matrix;
    int row = 0;
    int column = 0;
    bool block = false;
    bool operator==(const MatrixSelection&) const = default;
};

/// "Q0[3, 7]" for a cell, counted from 1; "Q0, phi by gamma phi'" for a block.
std::string selection_name(const NamedMatrix& matrix, const MatrixSelection& selection);

/// One row a seed over `moments` (steps ascending), such that the mean over seeds is what the picture of that
/// view shows: a cell's value; for a block its mean |value| and, where it is square, its trace. Where the
/// view scales, all seeds are divided by the largest entry of their mean at that moment; where it subtracts
/// theory or a pinned moment, so is every seed's. In magnitudes (mean |value| is one) a seed is turned where
/// the mean is below zero. Theory's value is a reference line where numbers are scaled. Only the seeds that
/// the view shows: one, those that have emerged by the last moment, or all; failed ones up to their last good
/// state. Moments whose matrix has another size, or that the view shows nothing of, are left out.
PlotSpec history_of(const std::vector<std::shared_ptr<const Snapshot>>& moments, const MatrixSelection& selection,
                    const MatrixView& view);

}  // namespace emergence
