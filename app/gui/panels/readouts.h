#pragma once
// The numbers that a snapshot names, in a line or two: the same that the command line prints at a run's end.

#include <string>

#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"
#include "core/lab/snapshot.h"

namespace emergence {

/// "0.312", "7 of 8 seeds", "–" while it is not known.
std::string scalar_text(const Scalar& scalar);

/// Room that they need in a strip of this width, in pixels; 0 where the snapshot has none.
float readouts_height(const Ui& ui, const Snapshot& snapshot, float width);

/// Each with its label, what it means under the pointer; those for which two lines have no room behind an
/// ellipsis that names them. Logged as "SIDEreadout NAME". `beside_one`: a seed is chosen, so that it is said whose they
/// are, as "SIDEreadout whose".
void draw_readouts(const Ui& ui, const Snapshot& snapshot, const Box& box, const std::string& side,
                   bool beside_one = false);

}  // namespace emergence
