#pragma once
// The answer to "has it happened?": k of N emerged, when, and one dot a seed.

#include <string>
#include <vector>

#include "app/gui/commands/asks.h"
#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"
#include "core/lab/snapshot.h"

namespace emergence {

// The numbers that a snapshot names, in a line or two: the same that the command line prints at a run's end.

/// "0.312", "7 of 8 seeds", "–" while it is not known.
std::string scalar_text(const Scalar& scalar);

/// Room that they need in a strip of this width, in pixels; 0 where the snapshot has none.
float readouts_height(const Ui& ui, const Snapshot& snapshot, float width);

/// Each with its label, what it means under the pointer; those for which two lines have no room behind an
/// ellipsis that names them. Logged as "SIDEreadout NAME". `beside_one`: a seed is chosen, so that it is said whose
/// they are, as "SIDEreadout whose".
void draw_readouts(const Ui& ui, const Snapshot& snapshot, const Box& box, const std::string& side,
                   bool beside_one = false);

// The signs of emergence that a snapshot names, each as a lamp: lit, not lit, or lit in some seeds.

/// Room that the lamps need below the count of emerged seeds, in pixels; 0 where the snapshot has none.
float lamps_height(const Ui& ui, const Snapshot& snapshot);

/// One seed's lamps, or with `seed_index` -1 in how many seeds each is lit. Logged as "SIDElamp NAME".
void draw_lamps(const Ui& ui, const Snapshot& snapshot, const Box& box, int seed_index, const std::string& side);

// What the headline says of a run beside the count (core/lab/views/run_views.h): since when, and how good the run is.

/// times_of(), or a sentence that says that no network has emerged.
std::vector<std::string> times_in_words(const Snapshot& snapshot);

/// The read-out by which two runs are compared first, "value error 0.312 (MSVE at n = 30)", then in fewer words; empty
/// if none. `beside`: see compared_in_words().
std::vector<std::string> chief_in_words(const Snapshot& snapshot, const std::string& beside = "");

/// In how many seeds that read-out is lower than the other run's of the same seed, ", lower in 7 of 8 seeds"; "" unless
/// both have it, measured on the same tasks.
std::string compared_in_words(const Snapshot& snapshot, const Snapshot& other);

/// `seed_index` is the seed that the matrices show (-1: the mean); a click on a dot asks for another.
void draw_emerged(const Context& context, const Box& box, int seed_index);

/// Pixels by which lamps and read-outs make the panel higher at this width; 0 where there are none.
float emerged_more(const Ui& ui, const Session& session, float width);

}  // namespace emergence
