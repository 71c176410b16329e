#pragma once

#include <imgui.h>
#include <imgui_internal.h>

#include <string>
#include <vector>

#include "app/gui/shell/theme.h"

namespace emergence {

/// Buttons side by side of which one is chosen. True where the choice has changed. Each is logged as "ID
/// label". What cannot be chosen has its reason in `refusals`, the others "". All can be chosen if `refusals` is empty.
bool draw_segments(const Ui& ui, const char* id, const std::vector<const char*>& labels, int& chosen,
                   const std::vector<std::string>& refusals = {});

/// A button that says more under the pointer; logged under its id. `strong` for the one that matters most.
bool draw_button(const Ui& ui, const std::string& id, const std::string& label, ImVec2 size, const std::string& tooltip,
                 bool strong = false, bool enabled = true);

/// A place that can be pressed, of at least one pixel; what is drawn there is somebody else's. Logged under its name.
bool draw_place(const Ui& ui, const std::string& name, ImVec2 at, ImVec2 size);

// The controls of forms. Each is logged under its id, and says more under the pointer.

/// What stands before a control, in the same line; the control begins at `width`, a length of the design, or behind it.
void draw_caption(const Ui& ui, const char* text, float width = 0.0F);
bool draw_check(const Ui& ui, const std::string& id, const char* label, bool& value, const std::string& help);
/// `width` in pixels; -1: all that is left. True where the text was changed, or with EnterReturnsTrue where it is done.
bool draw_text_field(const Ui& ui, const std::string& id, const char* hint, std::string& text, float width,
                     const std::string& help = {}, ImGuiInputTextFlags flags = ImGuiInputTextFlags_None);
/// A list that opens on a click: true while it is open, then ImGui::EndCombo() ends it.
bool begin_choices(const Ui& ui, const std::string& id, const std::string& shown, float width,
                   const std::string& help = {});
/// An entry of a list. True where it is chosen now.
bool draw_choice(const Ui& ui, const std::string& id, const std::string& label, bool chosen,
                 const std::string& help = {});

/// Of an entry, wrapped.
struct EntryText {
    const ImFont* font = nullptr;
    ImU32 color = 0;
    std::string text;
    float indent = 0.0F;
    int most_lines = 2;
};
/// An entry of several texts below each other, across a width in pixels (0: all that is left) whose
/// right end is somebody else's. True where it is clicked.
bool draw_entry(const Ui& ui, const std::string& id, const std::vector<EntryText>& texts, bool chosen,
                float width = 0.0F, float right = 0.0F);

// Keys in a list.

bool key_pressed(ImGuiKey key);
bool enter_pressed();
/// +1 for the arrow down, -1 for the arrow up.
int arrows_pressed();

/// − VALUE +, with `width` (lengths of the design) for the value. The steps that were asked for: -1, 0 or 1.
/// Logged as "less ID" and "more ID".
int draw_stepper(const Ui& ui, const std::string& id, const std::string& value, float width);

/// Whether the mouse wheel is for the item under the pointer, which was the last one and zooms with it: while Ctrl is
/// held. Else the wheel scrolls the panel.
bool takes_wheel();

// Every control by the keyboard: a ring goes from one control to the next in the order in which they are drawn, the
// pointer goes with it, and a key presses the one that has the ring.

class ControlWalk {
  public:
    /// To the next control, or the one before; begins with the first or the last.
    void move(int by);
    /// Presses the control that has the ring. False if none has it.
    bool press();
    /// Takes the ring away. False if there was none.
    bool leave();
    /// The log is needed in this frame.
    bool active() const { return on_; }
    /// As logged; "" if no control has the ring.
    const std::string& name() const { return name_; }
    /// After everything is drawn: moves and draws the ring. Only what lies inside the panel `top`, and is drawn after
    /// it, can have it; "" for the whole window. While a list or menu is open, its entries alone.
    void draw(const Ui& ui, const WidgetLog& log, const std::string& top);

  private:
    bool on_ = false;
    int steps_ = 0;
    ImGuiID id_ = 0;
    std::string name_;
};

// What Dear ImGui has renamed since 1.86, Debian 12's version: Ubuntu 24.04 has 1.90.

#if IMGUI_VERSION_NUM >= 18700
inline constexpr ImGuiKey kKeypadEnter = ImGuiKey_KeypadEnter;
#else
inline constexpr ImGuiKey kKeypadEnter = ImGuiKey_KeyPadEnter;
#endif

}  // namespace emergence
