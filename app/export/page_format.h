#pragma once
// Describes the page of a figure: its width, the size of its text, dots per inch, the caption.

#include <string>

#include "core/pictures/figure_spec.h"

namespace emergence {

struct PageFormat {
    /// At least kNarrowestPage. With 0 the figure chooses the width, and the text grows with it.
    double width_inches = 0.0;
    /// The page is 13.33 x 7.5 inches with large text, and width_inches has no effect.
    bool slide = false;
    /// Applies to PNG.
    int dots_per_inch = 150;
    /// The caption, and the title above the figure.
    bool caption = true;

    bool operator==(const PageFormat&) const = default;
    bool as_figure_asks() const { return width_inches <= 0.0 && !slide; }
};

inline constexpr double kNarrowestPage = 2.5, kWidestPage = 40.0;
inline constexpr int kFewestDots = 50, kMostDots = 1200;

/// Throws InputError, which begins with `what`, if a page of so many inches would have more dots than memory should
/// hold.
void check_pixels(double width_inches, double height_inches, const PageFormat& page, const std::string& what);

/// Sets the width of a page by its name: "3.4in", "7in", any other number of inches, or "slide". Throws InputError.
void set_page_width(const std::string& text, PageFormat& page);

/// A figure on its page.
struct SetFigure {
    FigureSpec figure;
    /// Points of text per point on a page 10 inches wide (see page::Style). For columns of papers it is at most 1. Then
    /// ticks and legends have 7.5 pt, axes 8.5 pt and captions 8 pt at the final size.
    double text_scale = 1.0;
};

/// Sets the figure for the page. Its cells keep their places. Narrow cells get smaller type, and rows are high enough
/// for every label. A matrix's note that the caption repeats is left out, and a legend appears once. Without a caption
/// the page has no title either, but panels keep theirs.
SetFigure set_on_page(const FigureSpec& figure, const PageFormat& page);

}  // namespace emergence
