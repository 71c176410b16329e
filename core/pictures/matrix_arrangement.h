#pragma once
// How matrices share their room, in the window and on a page: as their cells are largest. In pixels or points.

#include <functional>
#include <string>
#include <vector>

#include "core/pictures/geometry.h"

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
    Size picture;                     // the size of one
    double cell = 0.0;                // of the pictures if nothing had to be scrolled
    std::vector<MatrixPlace> places;  // a matrix each
};

/// The groups of matrices by their names: those that end with the same number, a layer's, belong together.
std::vector<int> groups_by_layer(const std::vector<std::string>& names);

struct ArrangementRoom {
    Size size;
    Size gap;    // between pictures
    Size least;  // size of a picture; where the room is too low for that, pictures pass it
};

/// `pictures` says how many each matrix has: as learned, run B's, theory's; `groups`, of the same length,
/// which matrices belong together, a layer's P and Q: neighbours with the same number, which are not parted
/// by the end of a row where they fit in one. `cell_of` says how large the cells of a picture of this size
/// are. The arrangement `present` is kept unless another's cells are clearly larger, so that matrices do not
/// change places for a pixel.
MatrixArrangement arrange_matrices(const std::vector<int>& pictures, const std::vector<int>& groups,
                                   const ArrangementRoom& room, const std::function<double(Size)>& cell_of,
                                   const MatrixArrangement& present);

/// What was learned, large, and theory's small: the first of each and the way to the next on its grid.
struct TheoryPlace {
    int columns = 1, theory_columns = 1;
    Size learned, theory;  // of a picture
    Size step, theory_step;
    Point theory_at;     // of the first, from the room's corner
    bool below = false;  // it lies below what was learned, not beside it
    double cell = 0.0;   // of what was learned; 0: there is no room for both
};

/// For matrices of these groups, each with theory's: where what was learned has the largest cells, and theory's at least
/// two fifths of those in pictures of `room.least`. Groups that are equally large are not parted by the end of a row.
/// With `each_own` every matrix has theory's right beside or below it, otherwise theory's all stand together.
TheoryPlace place_theory(const std::vector<int>& groups, bool each_own, const ArrangementRoom& room,
                         const std::function<double(Size)>& cell_of);

}  // namespace emergence
