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
