#pragma once

namespace emergence {

/// Whether the mouse wheel is for the item under the pointer, which was the last one and zooms with it; then
/// the panel does not scroll. Not while the panel itself is being scrolled: what comes under a pointer that
/// rests has to wait until that has moved, clicked, or two seconds have gone by.
bool takes_wheel();

}  // namespace emergence
