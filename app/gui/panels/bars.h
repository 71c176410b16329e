#pragma once
// The row above all panels: settings, experiment, run, step and the menu; the line below them; the borders between them.

#include "app/gui/commands/asks.h"
#include "app/gui/commands/command.h"
#include "app/gui/panels/experiment_chooser.h"
#include "app/gui/session/session.h"
#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"

namespace emergence {

/// In pixels.
float transport_height(const Ui& ui);
/// Returns the room for messages.
Box draw_transport(const Context& context, const Box& box, ExperimentChooser& chooser, const WhyNot& why_not);

/// The line at the bottom: how the run goes.
void draw_status(const Ui& ui, const Box& box, const Session& session);

/// The same for a class: whether the run trains, how far it is, and, with `emergence`, when seeds emerged.
void draw_status_for_class(const Context& context, const Box& box, bool emergence);

/// "running", "paused", "finished" or "failed".
const char* state_name(RunState state);

/// The borders between panels can be dragged; a double click puts one back. True while one is held. Logged as "splitter
/// 0" and so on, in the layout's order.
bool draw_splitters(const Ui& ui, const Layout& layout, Splits& splits);

}  // namespace emergence
