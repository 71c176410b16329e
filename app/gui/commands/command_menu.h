#pragma once
// What has no button of its own, in words, its key beside it.

#include <functional>
#include <string>

#include "app/gui/commands/asks.h"

namespace emergence {

/// Says why a command is unavailable now, "" if it is available.
using WhyNot = std::function<std::string(Action)>;

/// Opens the menu, and draws it while it is open, its upper right corner at `corner`. A command that may be repeated
/// leaves it open. Logged as "command LABEL".
void open_command_menu();
void draw_command_menu(const Context& context, ImVec2 corner, const WhyNot& why_not);

}  // namespace emergence
