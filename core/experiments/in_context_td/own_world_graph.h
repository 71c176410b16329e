#pragma once
// The editable world's graph in its drawing: states on a ring, as large as often they are visited, with the
// transitions of the chosen one.

#include "core/experiments/in_context_td/own_world.h"
#include "core/pictures/drawing.h"

namespace emergence {

/// Adds the graph to the drawing's upper left corner, with a heading; a click on a state chooses it.
void add_world_graph(const TdWorld& world, DrawingSpec& drawing);

/// A place that a click chooses a state by, the live field `world_state`; `where` comes before its number in
/// logs.
DrawnHandle state_handle(const TdWorld& world, int state, DrawnPlace lower, DrawnPlace upper,
                         const char* where);

}  // namespace emergence
