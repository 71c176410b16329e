#pragma once
// Draws the shapes of a drawing.

#include "core/pictures/drawing.h"
#include "core/pictures/pen.h"

namespace emergence {

/// Draws them into `room`, centred, as large as fits, cut at the drawing's bounds; a label moves inwards rather than
/// being cut. Returns where the drawing's places lie.
DrawingFit draw_shapes(Pen& pen, const DrawingSpec& drawing, const Rect& room, const PictureStyle& style);

/// The rectangle of the drawing's bounds.
Rect bounds_of(const DrawingSpec& drawing, const DrawingFit& fit);

}  // namespace emergence
