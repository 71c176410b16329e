#pragma once
// Measures the text of a figure's cells, and sizes the page's columns and rows accordingly.

#include <memory>
#include <optional>
#include <vector>

#include "app/export/cell_picture.h"
#include "core/pictures/figure_spec.h"

namespace emergence::page {

/// Sets a figure on pages of one width with text of one scale. Lengths are in points. `figure` must outlive it.
class PageSetter {
  public:
    PageSetter(const FigureSpec& figure, double width_inches, double scale);

    /// Returns rows as high as in the figure, or as low as their text allows.
    enum class Rows { own, least };
    /// Returns the figure's own columns, with narrow ones widened as their text needs, or nothing if they have no room.
    std::optional<FigureSpec> set_in_grid(Rows rows) const;
    /// Returns the figure's own columns, even if the text has no room.
    FigureSpec crowded(Rows rows) const;
    /// The room below the cells, and the room above them with the margin.
    double caption_height() const;
    double head() const;

  private:
    double width_over(const std::vector<double>& widths, const FigureCell& cell) const;
    CellPicture::Need need_of(const FigureCell& cell, double width) const;
    std::optional<std::vector<double>> widths_in_grid() const;
    FigureSpec finished(const std::vector<double>& widths, Rows rows) const;

    const FigureSpec& figure_;
    Style style_;
    TextMeter meter_;
    double page_width_;
    std::vector<double> widths_, heights_;  // the tracks of the figure's grid on this page
};

}  // namespace emergence::page
