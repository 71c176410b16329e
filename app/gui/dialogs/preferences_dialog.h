#pragma once
// What the user prefers, whatever the experiment.

#include "app/gui/commands/asks.h"
#include "app/gui/shell/preferences.h"

namespace emergence {

/// The dialog, where it is `open`. What is chosen acts at once.
void draw_preferences(const Context& context, Preferences& preferences, bool& open);

}  // namespace emergence
