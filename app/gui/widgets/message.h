#pragma once
// The one place for what the window has to say: a strip of its own, which covers nothing.

#include <string>
#include <vector>

#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"

namespace emergence {

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

}  // namespace emergence
