#pragma once
// The signs of emergence that a snapshot names, each as a lamp: lit, not lit, or lit in some seeds.

#include <string>

#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"
#include "core/lab/snapshot.h"

namespace emergence {

/// Room that the lamps need below the count of emerged seeds, in pixels; 0 where the snapshot has none.
float lamps_height(const Ui& ui, const Snapshot& snapshot);

/// One seed's lamps, or with `seed_index` -1 in how many seeds each is lit. Logged as "SIDElamp NAME".
void draw_lamps(const Ui& ui, const Snapshot& snapshot, const Box& box, int seed_index, const std::string& side);

}  // namespace emergence
