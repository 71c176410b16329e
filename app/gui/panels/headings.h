#pragma once
// What lies around the panels: their headings and the borders between them.

#include <optional>

#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"

namespace emergence {

/// "Matrices", as it stands in the heading.
const char* title_of(PanelName name);

/// Draws the headings. A double click on one, or its button, enlarges that panel to the whole window, and
/// back. Returns the panel whose export button was pressed. Logged as "heading NAME", "enlarge NAME" and
/// "export NAME".
std::optional<PanelName> draw_headings(const Ui& ui, const Layout& layout,
                                       std::optional<PanelName>& enlarged);

/// Lets the borders be dragged; a double click on one puts it back where the layout would have it. True while
/// one is held. Logged as "splitter 0", in the layout's order.
bool draw_splitters(const Ui& ui, const Layout& layout, Splits& splits);

}  // namespace emergence
