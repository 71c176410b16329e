#pragma once
// Titles over a cell, and numbers as they are printed.

#include <string>
#include <vector>

#include "app/export/canvas.h"

namespace emergence::page {

/// Lines that end at `bottom`, centred about `center`, but never outside the cell.
void draw_title(Canvas& canvas, const std::vector<std::string>& lines, const Rect& cell, double center, double bottom,
                const TextStyle& style, const TextMeter& meter);

}  // namespace emergence::page
