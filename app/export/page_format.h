#pragma once
// The page that a figure is set on: its width, the size of its text there, dots per inch, the caption.

#include <string>

#include "core/pictures/figure_spec.h"

namespace emergence {

struct PageFormat {
    /// At least kNarrowestPage; 0: as the figure asks, with text that grows with the width.
    double width_inches = 0.0;
    /// 13.33 x 7.5 inches with large text, whatever width_inches says.
    bool slide = false;
    /// Of PNG.
    int dots_per_inch = 150;
    /// With the title above.
    bool caption = true;

    bool operator==(const PageFormat&) const = default;
    bool as_figure_asks() const { return width_inches <= 0.0 && !slide; }
};

inline constexpr double kNarrowestPage = 2.5, kWidestPage = 40.0;
inline constexpr int kFewestDots = 50, kMostDots = 1200;

/// Throws InputError, which begins with `what`, if a page of so many inches has more dots than memory should hold.
void check_pixels(double width_inches, double height_inches, const PageFormat& page, const std::string& what);

/// Sets the width of a page by its name: "3.4in", "7in", any other number of inches, or "slide". Throws InputError.
void set_page_width(const std::string& text, PageFormat& page);

/// A figure on its page.
struct SetFigure {
    FigureSpec figure;
    /// Points of text per point on a page 10 inches wide (see page::Style). Columns of papers have at most 1: ticks and
    /// legends of 7.5 pt, axes of 8.5 pt, captions of 8 pt at the final size.
    double text_scale = 1.0;
};

/// The figure set for the page: its cells stay where they are, in smaller type if they are narrow, and rows are high
/// enough for every label. A matrix's note that the
/// caption repeats is said there only, and a legend once. Without caption the page has no title either: panels keep
/// theirs.
SetFigure set_on_page(const FigureSpec& figure, const PageFormat& page);

}  // namespace emergence
