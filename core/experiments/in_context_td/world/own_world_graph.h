#pragma once
// The editable world's graph: states on a ring, sized by how often they are visited, and their transitions,
// those of the chosen state in front.

#include "core/experiments/in_context_td/world/own_world.h"
#include "core/pictures/drawing.h"

namespace emergence {

/// Adds the graph to the drawing's upper left corner, with a heading; a click on a state chooses it.
void add_world_graph(const TdWorld& world, DrawingSpec& drawing);

/// A region in which a click chooses a state (live setting `world_state`); logs name it `where` with the
/// state's number.
DrawnHandle state_handle(const TdWorld& world, int state, DrawnPlace lower, DrawnPlace upper, const char* where);

}  // namespace emergence
