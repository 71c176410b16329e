#pragma once
// What lies on top: the help (F1) and the frame times (F3).

#include "app/gui/layout.h"
#include "app/gui/session.h"
#include "app/gui/theme.h"

namespace emergence {

/// How the window itself does.
struct Timing {
    float frame_ms = 0.0F;           // time that the last frame took
    float frames_per_second = 0.0F;  // over the last second, of those that were drawn
};

void draw_help(const Ui& ui, const Session& session, const Timing& timing, bool& open);
void draw_timing(const Ui& ui, const Session& session, const Timing& timing);
/// The room that bad news needs at a width, in pixels; 0 where there is none.
float banners_height(const Ui& ui, const Session& session, float width);
/// Bad news, one after the other, each with a button that takes it away.
void draw_banners(const Ui& ui, const Box& box, Session& session);

}  // namespace emergence
