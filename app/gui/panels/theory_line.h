#pragma once
// In one quiet line below the matrices: in which blocks the weights that are shown are not theory's, and whether the
// rule of emergence holds all the same. What it says comes from the numbers drawn and the meanings of their blocks.

#include <string>
#include <vector>

#include "app/gui/shell/theme.h"
#include "core/lab/snapshot.h"
#include "core/pictures/describe.h"

namespace emergence {

/// The blocks of one matrix that depart, the largest first.
struct MatrixDepartures {
    std::string matrix;  // as its heading has it
    std::vector<std::string> places;
    std::vector<Departure> blocks;
};

/// Those of `now` that are seen to depart; one of `before` still does a little longer, so that words do not flicker.
std::vector<Departure> seen_departures(std::vector<Departure> now, const std::vector<Departure>& before);

/// The line and what is said where it is pointed at; both "" while nothing departs, or no seed that is shown has
/// emerged and the run trains on.
struct TheoryLine {
    std::vector<std::string> sentences;  // the same in ever fewer words
    std::string details;
};
TheoryLine theory_line(const Snapshot& snapshot, const MatrixView& view, const std::vector<MatrixDepartures>& all);

/// How high its slot is, which it keeps while it says nothing.
float theory_line_height(const Ui& ui);
/// Draws it at the cursor. Logged as "theory line".
void draw_theory_line(const Ui& ui, const TheoryLine& line, float width);

}  // namespace emergence
