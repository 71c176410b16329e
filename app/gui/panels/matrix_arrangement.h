#pragma once
// How the matrices share their room: beside or below each other, whatever gives the largest cells.

#include <imgui.h>

#include <functional>
#include <vector>

namespace emergence {

/// Where a matrix's first picture stands, counted in pictures from the left and from above.
struct MatrixPlace {
    int column = 0;
    int row = 0;
};

struct MatrixArrangement {
    int columns = 0;                  // pictures in a row; 0: nothing is arranged yet
    int rows = 0;                     // of pictures, the scrolled ones too
    bool stacked = false;             // a matrix's pictures lie below, not beside each other
    ImVec2 picture;                   // the size of one, in pixels
    double cell = 0.0;                // of the pictures if nothing had to be scrolled, in pixels
    std::vector<MatrixPlace> places;  // a matrix each
};

struct ArrangementRoom {
    ImVec2 size;   // pixels
    ImVec2 gap;    // between pictures
    ImVec2 least;  // size of a picture; where the room is too low for that, pictures pass it
};

/// `pictures` says how many each matrix has: as learned, run B's, theory's; `groups`, of the same length,
/// which matrices belong together, a layer's P and Q: neighbours with the same number, which are not parted
/// by the end of a row where they fit in one. `cell_of` says how large the cells of a picture of this size
/// are. The arrangement `present` is kept unless another's cells are clearly larger, so that matrices do not
/// change places for a pixel.
MatrixArrangement arrange_matrices(const std::vector<int>& pictures, const std::vector<int>& groups,
                                   const ArrangementRoom& room, const std::function<double(ImVec2)>& cell_of,
                                   const MatrixArrangement& present);

/// What was learned, large, and theory's small beside or below it: sizes of both, and where theory's begins.
struct TheoryPlace {
    ImVec2 learned, theory, at;
};

/// Shares a picture's room between both so that what was learned has the largest cells, and theory's `least` pixels.
TheoryPlace place_theory(ImVec2 room, ImVec2 gap, float least, const std::function<double(ImVec2)>& cell_of);

}  // namespace emergence
