#pragma once

#include <imgui.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"

namespace emergence {

/// Begins a window with a border over the panels, without a title bar; ends it on destruction. Dialogs, sheets, strips
/// and messages are made of it. Logged as "panel NAME".
class Floating {
  public:
    /// Of windows that come up without taking the keyboard.
    static constexpr ImGuiWindowFlags kQuiet =
        ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;

    Floating(const Ui& ui, const char* name, ImU32 border, ImGuiWindowFlags flags, bool movable = false);
    ~Floating();
    Floating(const Floating&) = delete;
    Floating& operator=(const Floating&) = delete;
};

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

/// Begins a window in the middle, above all panels, as large as its content and scrolled where that does not
/// fit; ends it on destruction. Logged as "panel NAME".
class Dialog {
  public:
    /// `width` in lengths of the design: the least it will have.
    Dialog(const Ui& ui, const char* name, float width);

  private:
    std::optional<Floating> window_;
};

/// Begins a window of a size of its own in the middle, above the panels, which stay in use; ends it on
/// destruction. Logged as "panel NAME".
class SheetWindow {
  public:
    /// `width` and `height` in lengths of the design, as far as the display has them. `raise`: it comes to
    /// the front in this frame.
    SheetWindow(const Ui& ui, const char* name, float width, float height, bool raise);
    /// In pixels.
    ImVec2 size() const { return size_; }
    /// Draws the heading with what is said after it, and a button at its end; true where that was pressed.
    /// Logged as "ID close".
    bool draw_heading(const Ui& ui, const char* title, const char* id, const std::string& subtitle,
                      const char* tooltip = "Esc") const;

  private:
    ImVec2 size_;
    std::optional<Floating> window_;
};

// The one place for what the window has to say: a strip of its own, which covers nothing.

struct Message {
    struct Button {
        std::string id, label, help;
        bool strong = false;
    };
    /// Logged as "panel NAME".
    std::string name;
    std::string text;
    /// Of the bar at its left end.
    ImU32 bar = 0;
    ImU32 color = 0;
    std::vector<Button> buttons = {};
};

struct MessageResponse {
    std::string pressed;  // the id of a button; "" for none
    bool hovered = false;
};

/// On one line or on two smaller ones, the buttons at the right end; the whole text in a tooltip where it does not fit.
MessageResponse draw_message(const Ui& ui, const Box& slot, const Message& message);

// Short good news, "Saved ...", that goes by itself. Bad news stays, as a banner.

class Toasts {
  public:
    /// A click on it copies `copied` where that is given.
    void add(std::string text, std::string copied = {});

    /// How far something is: takes the place of what was told before it.
    void tell_progress(std::string text);

    void clear() { toasts_.clear(); }

    /// Draws the newest. Logged as "panel toast N", with its place in texts(). False without any.
    bool draw(const Ui& ui, const Box& slot);
    /// One has had its time but is still on the screen: another frame is needed.
    bool stale() const;
    /// What is shown, oldest first.
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
