#pragma once
// The line at the bottom: how the run goes.

#include "app/gui/commands/asks.h"
#include "app/gui/session/session.h"
#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"

namespace emergence {

void draw_status(const Ui& ui, const Box& box, const Session& session);

/// What a class has to know of the run: whether it trains or its weights rest, how far it is, and, with `emergence`,
/// when seeds emerged.
void draw_status_for_class(const Context& context, const Box& box, bool emergence);

/// "running", "paused", "finished" or "failed".
const char* state_name(RunState state);

}  // namespace emergence
