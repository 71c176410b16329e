#pragma once
// The line at the bottom: how the run goes; and over all panels how fast the window draws (F3).

#include "app/gui/commands/asks.h"
#include "app/gui/session/session.h"
#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"
#include "app/gui/shell/timing.h"

namespace emergence {

void draw_status(const Ui& ui, const Box& box, const Session& session);

/// What a class has to know of the run: whether it trains or its weights rest, how far it is, and, with `emergence`,
/// when seeds emerged.
void draw_status_for_class(const Context& context, const Box& box, bool emergence);

/// "running", "paused", "finished" or "failed".
const char* state_name(RunState state);

void draw_timing(const Ui& ui, const Session& session, const Timing& timing);

}  // namespace emergence
