#pragma once
// What a cell of a figure is on the page: a plot, a matrix, a drawing.

#include "app/export/canvas.h"

namespace emergence::page {

class CellPicture {
  public:
    virtual ~CellPicture() = default;

    virtual double title_height() const = 0;
    /// Room around its area, without the title.
    virtual Insets insets() const = 0;
    /// What it needs at the width of its cell: the room around its area, the least area in which no label is lost, and
    /// the height of an area that it would fill.
    struct Need {
        Insets around;
        double width = 0.0, height = 0.0, full_height = 0.0;
    };
    virtual Need need() const = 0;
    /// Its left and right sides are aligned with the others' of its column, as those of axes are.
    virtual bool has_axes() const { return false; }
    /// Moves what covers something inside `area` elsewhere, if it can. True when it did: insets() has
    /// changed.
    virtual bool make_room(const Rect&) { return false; }
    /// Draws into `area`; the title ends at `title_bottom`.
    virtual void draw(Canvas& canvas, const Rect& area, double title_bottom) const = 0;
};

}  // namespace emergence::page
