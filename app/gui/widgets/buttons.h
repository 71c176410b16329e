#pragma once

#include <imgui.h>
#include <imgui_internal.h>

#include <string>
#include <vector>

#include "app/gui/shell/theme.h"

namespace emergence {

/// Buttons side by side, one of which is chosen. True if the choice has changed. Each is logged as "ID label".
/// `refusals`: why a button cannot be chosen, "" for the others; empty: all can be chosen.
bool draw_segments(const Ui& ui, const char* id, const std::vector<const char*>& labels, int& chosen,
                   const std::vector<std::string>& refusals = {});

/// A button with a tooltip, also while it is not enabled. Logged under its id. `strong`: the most important one.
bool draw_button(const Ui& ui, const std::string& id, const std::string& label, ImVec2 size, const std::string& tooltip,
                 bool strong = false, bool enabled = true);

/// The width of a button with this label in ImGui's present font.
float button_width(const std::string& label);
/// The next item stands `gap` pixels behind the last one if a width of `width` fits there, otherwise below it.
void same_line_if_fits(float gap, float width);

/// A place of at least one pixel that can be pressed; the caller draws it. Logged under its name.
bool draw_place(const Ui& ui, const std::string& name, ImVec2 at, ImVec2 size);

// The controls of forms. Each is logged under its id, and has a tooltip.

/// The caption before a control, which begins at `width`, a length of the design, or behind the caption.
void draw_caption(const Ui& ui, const char* text, float width = 0.0F);
bool draw_check(const Ui& ui, const std::string& id, const char* label, bool& value, const std::string& help);
/// `width` in pixels; -1: all that is left. True if the text was changed, or with EnterReturnsTrue if Enter was pressed.
bool draw_text_field(const Ui& ui, const std::string& id, const char* hint, std::string& text, float width,
                     const std::string& help = {}, ImGuiInputTextFlags flags = ImGuiInputTextFlags_None);
/// A list that opens on a click. True while it is open; then ImGui::EndCombo() ends it.
bool begin_choices(const Ui& ui, const std::string& id, const std::string& shown, float width,
                   const std::string& help = {});
/// An entry of a list. True if it was clicked.
bool draw_choice(const Ui& ui, const std::string& id, const std::string& label, bool chosen,
                 const std::string& help = {});

/// A wrapped text of an entry.
struct EntryText {
    const ImFont* font = nullptr;
    ImU32 color = 0;
    std::string text;
    float indent = 0.0F;
    int most_lines = 2;
};
/// An entry of several texts below each other. `width` in pixels, 0: all that is left, of which the caller draws `right`
/// pixels at the right end. True if it was clicked.
bool draw_entry(const Ui& ui, const std::string& id, const std::vector<EntryText>& texts, bool chosen,
                float width = 0.0F, float right = 0.0F);

// Keys in a list.

bool key_pressed(ImGuiKey key);
bool enter_pressed();
/// +1 for the arrow down, -1 for the arrow up.
int arrows_pressed();

/// − VALUE +, with `width`, a length of the design, for the value. Returns -1, 0 or 1. Logged as "less ID" and "more ID".
int draw_stepper(const Ui& ui, const std::string& id, const std::string& value, float width);

/// Whether the mouse wheel zooms the last item instead of scrolling its panel: while Ctrl is held.
bool takes_wheel();

/// Every control by the keyboard: a ring goes from one control to the next in the order of drawing, the pointer goes with
/// it, and a key presses the control with the ring.
class ControlWalk {
  public:
    /// To the next control, or the one before; begins with the first or the last.
    void move(int by);
    /// Presses the control with the ring. False if there is no ring.
    bool press();
    /// Takes the ring away. False if there was none.
    bool leave();
    bool active() const { return on_; }
    /// The control with the ring, as logged; "" for none.
    const std::string& name() const { return name_; }
    /// After everything is drawn: moves and draws the ring. It stays inside the panel `top`, or "" in the whole window; and
    /// inside a list or menu while one is open.
    void draw(const Ui& ui, const WidgetLog& log, const std::string& top);

  private:
    bool on_ = false;
    int steps_ = 0;
    ImGuiID id_ = 0;
    std::string name_;
};

// Debian 12 has Dear ImGui 1.86, Ubuntu 24.04 has 1.90 with another name.

#if IMGUI_VERSION_NUM >= 18700
inline constexpr ImGuiKey kKeypadEnter = ImGuiKey_KeypadEnter;
#else
inline constexpr ImGuiKey kKeypadEnter = ImGuiKey_KeyPadEnter;
#endif

}  // namespace emergence
