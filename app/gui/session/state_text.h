#pragma once
// The window's state as text: to be shared, and inside pictures of the window.

#include <string>

#include "app/gui/session/session.h"
#include "core/settings/toml.h"

namespace emergence {

/// The experiment, the settings that differ from their defaults, how it is looked at and, if the run rests, its step.
std::string state_text(const Session& session, const ViewValues& view);

/// The settings and the step of the shown moment, with which a picture of the window opens again; "" before the first.
std::string settings_in_screenshot(const Session& session, const ViewValues& view = {});

}  // namespace emergence
