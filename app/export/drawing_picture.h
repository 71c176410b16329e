#pragma once
// A drawing on the page.

#include <string>
#include <vector>

#include "app/export/cell_picture.h"
#include "core/pictures/drawing.h"

namespace emergence::page {

/// A DrawingSpec, as large as it fits, its read-out below. All arguments must outlive it.
class DrawingPicture final : public CellPicture {
  public:
    DrawingPicture(const DrawingSpec& drawing, const Rect& cell, const Style& style, const TextMeter& meter);

    double title_height() const override;
    Insets insets() const override;
    Need need() const override;
    void draw(Canvas& canvas, const Rect& area, double title_bottom) const override;

  private:
    std::vector<std::string> title_lines() const;

    const DrawingSpec& drawing_;
    Rect cell_;
    const Style& style_;
    const TextMeter& meter_;
    std::vector<std::string> readout_;  // in lines
};

}  // namespace emergence::page
