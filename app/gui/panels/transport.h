#pragma once
// The row above all: the way to the settings, the experiment, run and step, and the menu of everything else.

#include "app/gui/commands/command.h"
#include "app/gui/panels/experiment_chooser.h"
#include "app/gui/shell/layout.h"

namespace emergence {

/// The height that the panel needs, in pixels.
float transport_height(const Ui& ui);
/// Returns the room for what the window has to say.
Box draw_transport(const Context& context, const Box& box, ExperimentChooser& chooser, const WhyNot& why_not);

}  // namespace emergence
