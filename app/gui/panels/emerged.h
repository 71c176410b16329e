#pragma once
// The headline: how many networks have emerged, and when, with a dot for each; its read-outs and lamps.

#include <string>
#include <vector>

#include "app/gui/commands/asks.h"
#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"
#include "core/lab/snapshot.h"

namespace emergence {

// The read-outs: the snapshot's scalars in at most two lines, as the command line prints them at a run's end.

/// The height of the read-outs in a strip of this width, in pixels; 0 for none.
float readouts_height(const Ui& ui, const Snapshot& snapshot, float width);

/// Each with its label, and its meaning as a tooltip. An ellipsis names those without room. Logged as "SIDEreadout NAME".
/// `beside_one`: a seed is chosen elsewhere, so "of all seeds" follows, logged as "SIDEreadout whose".
void draw_readouts(const Ui& ui, const Snapshot& snapshot, const Box& box, const std::string& side,
                   bool beside_one = false);

// The snapshot's signs of emergence as lamps: lit, not lit, or lit in some seeds.

/// The height of the lamps in pixels; 0 for none.
float lamps_height(const Ui& ui, const Snapshot& snapshot);

/// The lamps of one seed, or with `seed_index` -1 how many seeds light each. Logged as "SIDElamp NAME".
void draw_lamps(const Ui& ui, const Snapshot& snapshot, const Box& box, int seed_index, const std::string& side);

// The words beside the count: since when, and how good the run is.

/// times_of(), or why there is no time.
std::vector<std::string> times_in_words(const Snapshot& snapshot);

/// The main read-out for a comparison of two runs, "value error 0.312 (MSVE at n = 30)", then in fewer words; empty if the
/// snapshot has none. `beside`: compared_in_words().
std::vector<std::string> chief_in_words(const Snapshot& snapshot, const std::string& beside = "");

/// ", lower in 7 of 8 seeds": in how many seeds the main read-out is lower than the other run's of the same seed. "" unless
/// both runs have it, measured on the same tasks.
std::string compared_in_words(const Snapshot& snapshot, const Snapshot& other);

/// `seed_index` is the seed that the matrices show (-1: the mean); a click on a dot asks for another.
void draw_emerged(const Context& context, const Box& box, int seed_index);

/// The pixels by which lamps and read-outs make the headline higher at this width.
float emerged_more(const Ui& ui, const Session& session, float width);

}  // namespace emergence
