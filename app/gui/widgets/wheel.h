#pragma once

namespace emergence {

/// Whether the mouse wheel is for the item under the pointer, which was the last one and zooms with it: while Ctrl is held.
/// Else the wheel scrolls the panel.
bool takes_wheel();

}  // namespace emergence
