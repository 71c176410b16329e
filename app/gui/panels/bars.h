#pragma once
// The row above all: the way to the settings, the experiment, run and step, and the menu of everything else.

#include "app/gui/commands/asks.h"
#include "app/gui/commands/command.h"
#include "app/gui/panels/experiment_chooser.h"
#include "app/gui/session/session.h"
#include "app/gui/shell/clock.h"
#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"

namespace emergence {

/// The height that the panel needs, in pixels.
float transport_height(const Ui& ui);
/// Returns the room for what the window has to say.
Box draw_transport(const Context& context, const Box& box, ExperimentChooser& chooser, const WhyNot& why_not);

// The line at the bottom: how the run goes; and over all panels how fast the window draws (F3).

void draw_status(const Ui& ui, const Box& box, const Session& session);

/// What a class has to know of the run: whether it trains or its weights rest, how far it is, and, with `emergence`,
/// when seeds emerged.
void draw_status_for_class(const Context& context, const Box& box, bool emergence);

/// "running", "paused", "finished" or "failed".
const char* state_name(RunState state);

void draw_timing(const Ui& ui, const Session& session, const Timing& timing);

// The borders between the panels.

/// Lets the borders be dragged; a double click on one puts it back where the layout would have it. True while
/// one is held. Logged as "splitter 0", in the layout's order.
bool draw_splitters(const Ui& ui, const Layout& layout, Splits& splits);

}  // namespace emergence
