#pragma once
// What the user prefers, whatever the experiment.

#include "app/gui/session/session.h"
#include "app/gui/shell/preferences.h"
#include "app/gui/shell/theme.h"

namespace emergence {

/// The dialog, where it is `open`. What is chosen acts at once.
void draw_preferences(const Ui& ui, Preferences& preferences, Session& session, bool& open);

}  // namespace emergence
