#pragma once
// What all panels share: the frame around them and a few small controls.

#include <imgui.h>

#include <string>
#include <vector>

#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"

namespace emergence {

/// Begins a fixed panel; ends it on destruction. Its box is logged as "panel NAME".
class Panel {
  public:
    Panel(const Ui& ui, const char* name, const Box& box, bool scrolls = false);
    ~Panel();
    Panel(const Panel&) = delete;
    Panel& operator=(const Panel&) = delete;
};

/// Paints what lies between the panels, `gap` pixels wide, with rounded corners. The panels themselves have
/// no ground: the window is cleared in their colour.
void draw_gaps(const Ui& ui, const std::vector<Box>& panels, float gap);

/// Buttons side by side of which one is chosen. True where the choice has changed. Each is logged as "ID
/// label". What cannot be chosen has its reason in `refusals`, the others "" (or there are none).
bool draw_segments(const Ui& ui, const char* id, const std::vector<const char*>& labels, int& chosen,
                   const std::vector<std::string>& refusals = {});
/// How wide draw_segments will be, in pixels.
float segments_width(const Ui& ui, const std::vector<const char*>& labels);

/// A button that says more under the pointer; logged under its id. `strong` for the one that matters most.
bool draw_button(const Ui& ui, const char* id, const std::string& label, ImVec2 size, const char* tooltip,
                 bool strong = false);

/// A paragraph in small type, and a heading in bold.
void small_text(const Ui& ui, ImU32 color, const std::string& text);
void heading_text(const Ui& ui, const char* text);

/// Of a window that can be moved: as much of the present one stays on the display that it can be taken hold
/// of.
void keep_in_reach(const Ui& ui);

/// Whether the last item is to be explained: it is pointed at, neither held nor pressed since the pointer came, and the
/// window does not present.
bool may_explain_item(const Ui& ui);
/// A sentence for the last item while it is pointed at, beside it.
void explain_item(const Ui& ui, const std::string& text);
/// The same beside a place that is pointed at.
void explain_beside(const Ui& ui, ImVec2 min, ImVec2 max, const std::string& text);
/// The same for whatever is under the pointer.
void explain_now(const Ui& ui, const std::string& text);

/// "410", "3.2 k", "14:05" for read-outs.
std::string rate_text(double per_second);
std::string duration_text(double seconds);

}  // namespace emergence
