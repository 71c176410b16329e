#pragma once
// Run, pause, step, reset, new seed, pace and stop condition.

#include "app/gui/layout.h"
#include "app/gui/session.h"
#include "app/gui/theme.h"

namespace emergence {

/// The height that the panel needs, in pixels.
float transport_height(const Ui& ui, const Session& session);
void draw_transport(const Ui& ui, const Box& box, Session& session);

}  // namespace emergence
