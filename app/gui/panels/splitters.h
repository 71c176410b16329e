#pragma once
// The borders between the panels.

#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"

namespace emergence {

/// Lets the borders be dragged; a double click on one puts it back where the layout would have it. True while
/// one is held. Logged as "splitter 0", in the layout's order.
bool draw_splitters(const Ui& ui, const Layout& layout, Splits& splits);

}  // namespace emergence
