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

std::string typographic(const std::string& number) {
    std::string text;
    for (size_t i = 0; i < number.size(); ++i) {
        const bool minus = number[i] == '-' && i + 1 < number.size() && number[i + 1] >= '0' && number[i + 1] <= '9';
        text += minus ? std::string("−") : std::string(1, number[i]);
    }
    return text;
}

}  // namespace emergence::page
