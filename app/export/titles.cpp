#include "app/export/titles.h"

#include <algorithm>

namespace emergence::page {

void draw_title(Canvas& canvas, const std::vector<std::string>& lines, const Rect& cell, double center, double bottom,
                const TextStyle& style, const TextMeter& meter) {
    double baseline = bottom - static_cast<double>(lines.size()) * style.line_height() + style.ascent();
    for (const std::string& line : lines) {
        const double width = meter.text_width(line, style);
        const double x = std::max(cell.x, std::min(center - width / 2, cell.right() - width));
        canvas.text(line, {x, baseline}, style);
        baseline += style.line_height();
    }
}

}  // namespace emergence::page
