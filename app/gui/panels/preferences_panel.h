#pragma once
// What the user prefers, whatever the experiment.

#include "app/gui/preferences.h"
#include "app/gui/session.h"
#include "app/gui/theme.h"

namespace emergence {

/// The dialog, where it is `open`. What is chosen acts at once.
void draw_preferences(const Ui& ui, Preferences& preferences, Session& session, bool& open);

}  // namespace emergence
