#pragma once
// How the matrices share their room: beside or below each other, whatever gives the largest cells.

#include <imgui.h>

#include <functional>

namespace emergence {

struct MatrixArrangement {
    int matrices_a_row = 1;
    int pictures = 1;      // of each matrix: as learned, run B's, theory's
    bool stacked = false;  // a matrix's pictures lie below, not beside each other
    ImVec2 picture;        // the size of one, in pixels
    bool operator==(const MatrixArrangement& other) const {
        return matrices_a_row == other.matrices_a_row && pictures == other.pictures &&
               stacked == other.stacked && picture.x == other.picture.x && picture.y == other.picture.y;
    }
};

struct ArrangementRoom {
    ImVec2 size;   // pixels
    ImVec2 gap;    // between pictures
    ImVec2 least;  // size of a picture; where the room is too low for that, pictures pass it
};

/// `cell_of` says how large the cells of a picture of this size are. The arrangement `present` is kept unless
/// another's cells are clearly larger, so that matrices do not change places for a pixel.
MatrixArrangement arrange_matrices(int matrices, int pictures, const ArrangementRoom& room,
                                   const std::function<double(ImVec2)>& cell_of,
                                   const MatrixArrangement& present);

}  // namespace emergence
