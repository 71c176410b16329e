#include "app/export/drawing_picture.h"

#include "app/export/titles.h"
#include "core/pictures/drawing.h"

namespace emergence::page {

DrawingPicture::DrawingPicture(const DrawingSpec& drawing, const Rect& cell, const Style& style, const TextMeter& meter)
    : drawing_(drawing),
      cell_(cell),
      style_(style),
      meter_(meter),
      readout_(meter.wrap(drawing.readout, style.note(), cell.width)) {}

std::vector<std::string> DrawingPicture::title_lines() const {
    return meter_.wrap(drawing_.title, style_.title(), cell_.width);
}

double DrawingPicture::title_height() const {
    return static_cast<double>(title_lines().size()) * style_.title().line_height();
}

Insets DrawingPicture::insets() const {
    return {0.0, style_.gap(), 0.0, style_.gap() + static_cast<double>(readout_.size()) * style_.note().line_height()};
}

CellPicture::Need DrawingPicture::need() const {
    return {insets(), 130.0 * style_.scale, 110.0 * style_.scale, 110.0 * style_.scale};
}

void DrawingPicture::draw(Canvas& canvas, const Rect& area, double title_bottom) const {
    draw_title(canvas, title_lines(), cell_, cell_.center().x, title_bottom, style_.title(), meter_);
    const DrawingFit fit = draw_shapes(canvas, drawing_, area, style_.picture());
    double baseline = bounds_of(drawing_, fit).bottom() + style_.gap() + style_.note().line_height();
    for (const std::string& line : readout_) {
        canvas.text(line, {cell_.center().x, baseline}, style_.note(), Align::center);
        baseline += style_.note().line_height();
    }
}

}  // namespace emergence::page
