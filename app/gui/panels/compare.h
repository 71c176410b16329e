#pragma once
// Runs A and B side by side: in what they differ, in which colours they are named.

#include <string>

#include "app/gui/commands/asks.h"
#include "app/gui/shell/layout.h"

namespace emergence {

/// A line that names the difference and changes it. Only while there is a run B.
float compare_bar_height(const Ui& ui);
void draw_compare_bar(const Context& context, const Box& box);

/// "layers L 3" of A, or of B.
std::string side_text(const Session& session, bool of_b);
/// The colour of each side's name.
ImU32 side_color(const Ui& ui, bool of_b);

}  // namespace emergence
