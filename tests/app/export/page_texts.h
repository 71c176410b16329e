#pragma once
// The text of a figure's SVG with its place, and what is wrong with its layout.

#include <string>
#include <vector>

#include "core/pictures/figure_spec.h"
#include "core/pictures/pen.h"

namespace emergence::testing {

struct PageText {
    std::string text;
    /// Of its letters, in points.
    Rect box;
};

struct PageTexts {
    double width = 0.0, height = 0.0;
    std::vector<PageText> texts;
};

PageTexts texts_of(const std::string& svg);

/// Texts that overlap or leave the page, and labels of the figure that it does not have as whole words: titles, names
/// of axes and series, labels of rows and columns. Empty if all is well.
std::vector<std::string> layout_faults(const FigureSpec& figure, const std::string& svg);

}  // namespace emergence::testing
