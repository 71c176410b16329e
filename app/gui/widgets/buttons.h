#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "app/gui/shell/theme.h"

namespace emergence {

/// Buttons side by side of which one is chosen. True where the choice has changed. Each is logged as "ID
/// label". What cannot be chosen has its reason in `refusals`, the others "". All can be chosen if `refusals` is empty.
bool draw_segments(const Ui& ui, const char* id, const std::vector<const char*>& labels, int& chosen,
                   const std::vector<std::string>& refusals = {});

/// A button that says more under the pointer; logged under its id. `strong` for the one that matters most.
bool draw_button(const Ui& ui, const char* id, const std::string& label, ImVec2 size, const char* tooltip,
                 bool strong = false);

}  // namespace emergence
