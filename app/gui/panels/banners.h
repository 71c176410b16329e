#pragma once
// Drawn over the panels: the frame times (F3) and bad news.

#include "app/gui/commands/asks.h"
#include "app/gui/shell/layout.h"
#include "app/gui/shell/timing.h"

namespace emergence {

void draw_timing(const Ui& ui, const Session& session, const Timing& timing);
/// The height that bad news needs at a width, in pixels; 0 without any.
float banners_height(const Ui& ui, const Session& session, float width);
/// Bad news, one below the other, each with a button that removes it.
void draw_banners(const Context& context, const Box& box);

}  // namespace emergence
