#pragma once
// The answer to "has it happened?": k of N emerged, when, and one dot a seed.

#include "app/gui/commands/asks.h"
#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"

namespace emergence {

/// `seed_index` is the seed that the matrices show (-1: the mean); a click on a dot asks for another.
void draw_emerged(const Context& context, const Box& box, int seed_index);

/// Pixels by which lamps and read-outs make the panel higher at this width; 0 where there are none.
float emerged_more(const Ui& ui, const Session& session, float width);

}  // namespace emergence
