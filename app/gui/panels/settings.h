#pragma once
// All fields of the experiment, by group.

#include "app/gui/layout.h"
#include "app/gui/session.h"
#include "app/gui/theme.h"

namespace emergence {

void draw_settings(const Ui& ui, const Box& box, Session& session);

}  // namespace emergence
