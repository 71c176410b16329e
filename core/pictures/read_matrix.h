#pragma once
// What is said of one cell of a matrix.

#include <string>
#include <vector>

#include "core/pictures/matrix_cells.h"

namespace emergence {

/// Which block an index falls into, in words: "R", or "phi, 3 of 4" where the block is longer than one.
std::string block_text(const std::vector<Block>& blocks, int index);

/// What theory expects in the block of a cell, in words; "" where nothing is known about this matrix.
std::string expectation_text(const HeatmapSpec& spec, CellPosition cell);

/// A block in which a matrix as learned is not theory's, each divided by its largest entry.
struct Departure {
    BlockPosition block;
    /// The Frobenius norm of the difference over the root of the shorter side: c if a diagonal is off by c.
    double size = 0.0;
    /// "part of the target's gradient, which TD leaves out", "bootstrapping at 0.6 of theory's".
    std::string what;
    /// "0.42 on the diagonal, theory 0".
    std::string measured;
};
/// From this size on a block is seen to depart; one that did still does down to the second.
inline constexpr double kDeparts = 0.15, kStillDeparts = 0.12;
/// Of all blocks, the largest first. None if the matrices are not of one size or one of them is 0.
std::vector<Departure> departures(const HeatmapSpec& learned, const HeatmapSpec& theory);
/// "γφ' by φ"
std::string block_name(const HeatmapSpec& spec, BlockPosition block);

struct CellReading {
    std::string value;                 // as shown: "-0.83"
    std::string unit;                  // "scaled"
    std::string others;                // "raw -4.6, theory -1"
    std::string row, column;           // "row 3: phi, 3 of 4"
    std::vector<std::string> remarks;  // theory's expectation, whether its colour is clipped
};

/// `companion`, named "theory" or "learned", is another picture of the same cells; may be null, and is not
/// read where its size differs.
CellReading read_cell(const HeatmapSpec& spec, CellPosition cell, const HeatmapSpec* companion,
                      const std::string& companion_name);

}  // namespace emergence
