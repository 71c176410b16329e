#pragma once

#include <imgui.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"

namespace emergence {

/// Begins a window with a border, over the panels: a dialog, a sheet, a strip, a message. Ends it on destruction. Logged as
/// "panel NAME".
class Floating {
  public:
    /// For windows that appear without taking the keyboard.
    static constexpr ImGuiWindowFlags kQuiet =
        ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;

    Floating(const Ui& ui, const char* name, ImU32 border, ImGuiWindowFlags flags, bool movable = false);
    ~Floating();
    Floating(const Floating&) = delete;
    Floating& operator=(const Floating&) = delete;
};

/// Begins a fixed panel. Ends it on destruction. Logged as "panel NAME".
class Panel {
  public:
    Panel(const Ui& ui, const char* name, const Box& box, bool scrolls = false);
    ~Panel();
    Panel(const Panel&) = delete;
    Panel& operator=(const Panel&) = delete;
};

/// Paints the gaps between the panels, `gap` pixels wide, with rounded corners. Panels paint no background: the window is
/// cleared in their colour.
void draw_gaps(const Ui& ui, const std::vector<Box>& panels, float gap);

/// Begins a window in the middle, above all panels, as large as its content; without room it scrolls. Ends it on
/// destruction. Logged as "panel NAME".
class Dialog {
  public:
    /// `width`: the least, in lengths of the design.
    Dialog(const Ui& ui, const char* name, float width);

  private:
    std::optional<Floating> window_;
};

/// Begins a window of fixed size in the middle, above the panels, which can be used meanwhile. Ends it on destruction.
/// Logged as "panel NAME".
class SheetWindow {
  public:
    /// `width` and `height` in lengths of the design, at most the display's. `raise`: it comes to the front.
    SheetWindow(const Ui& ui, const char* name, float width, float height, bool raise);
    /// In pixels.
    ImVec2 size() const { return size_; }
    /// Draws the heading, a subtitle and a button that closes, logged as "ID close". True if it was pressed.
    bool draw_heading(const Ui& ui, const char* title, const char* id, const std::string& subtitle,
                      const char* tooltip = "Esc") const;

  private:
    ImVec2 size_;
    std::optional<Floating> window_;
};

/// What the window says, in the one slot for messages, which covers nothing.
struct Message {
    struct Button {
        std::string id, label, help;
        bool strong = false;
    };
    /// Logged as "panel NAME".
    std::string name;
    std::string text;
    ImU32 bar = 0;  // colour of the bar at the left end
    ImU32 color = 0;
    std::vector<Button> buttons = {};
};

struct MessageResponse {
    std::string pressed;  // the id of a button; "" for none
    bool hovered = false;
};

/// Draws it on one line or on two smaller ones, with the buttons at the right end. A tooltip has a text that is cut.
MessageResponse draw_message(const Ui& ui, const Box& slot, const Message& message);

/// Short good news, "Saved ...", that disappears by itself. Bad news stays as a banner.
class Toasts {
  public:
    /// A click copies `copied`, if there is any.
    void add(std::string text, std::string copied = {});

    /// How far something is; replaces the progress told before.
    void tell_progress(std::string text);

    void clear() { toasts_.clear(); }

    /// Draws the newest. Logged as "panel toast N", with its place in texts(). False without any.
    bool draw(const Ui& ui, const Box& slot);
    /// A toast has had its time, so another frame is needed.
    bool stale() const;
    /// All toasts, oldest first.
    std::vector<std::string> texts() const;

  private:
    using Clock = std::chrono::steady_clock;
    struct Toast {
        std::string text;
        std::string copied;
        Clock::time_point until;
        bool was_copied = false;
        bool progress = false;
    };

    std::vector<Toast> toasts_;
};

}  // namespace emergence
