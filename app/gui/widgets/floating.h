#pragma once

#include <imgui.h>

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

}  // namespace emergence
