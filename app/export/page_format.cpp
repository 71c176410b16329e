#include "app/export/page_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "app/export/page_setter.h"
#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/pictures/draw_plot.h"

namespace emergence {
namespace {

using page::PageSetter;

constexpr double kSlideWidth = 13.333, kSlideHeight = 7.5;  // inches
constexpr double kSlideText = 1.7, kLeastSlideText = 0.8, kLeastText = 0.6, kTextStep = 0.1;

// A few matrices alone stand in one row: a slide is wide.
FigureSpec side_by_side(FigureSpec figure) {
    constexpr size_t kMostInRow = 4;
    const bool matrices =
        all_of(figure.cells, [](const FigureCell& cell) { return std::holds_alternative<HeatmapSpec>(cell.content); });
    if (!matrices || figure.cells.size() > kMostInRow) return figure;
    int column = 0;
    for (FigureCell& cell : figure.cells) cell = {std::move(cell.content), 0, column++, 1, 1};
    figure.column_weights.clear();
    figure.row_weights.clear();
    return figure;
}

// A slide has room for a few cells in large type. Many cells, as of a whole window, get smaller type so that their
// plots stay wide enough.
FigureSpec set_on_slide(const FigureSpec& figure, double& scale) {
    for (scale = kSlideText;; scale -= kTextStep) {
        const PageSetter setter(figure, kSlideWidth, scale);
        const double most = kSlideHeight - setter.caption_height() / 72.0;
        std::optional<FigureSpec> set = setter.set_in_grid(PageSetter::Rows::own);
        if (!set || set->height_inches > most) set = setter.set_in_grid(PageSetter::Rows::least);
        if ((!set || set->height_inches > most) && scale > kLeastSlideText + kTextStep / 2) continue;
        if (!set) set = setter.crowded(PageSetter::Rows::least);
        set->height_inches = most;  // a slide has one height, however much it shows
        return *set;
    }
}

// Many columns on a narrow page get smaller type.
FigureSpec set_in_column(const FigureSpec& figure, double width, double& scale) {
    for (scale = 1.0; scale > kLeastText - kTextStep / 2; scale -= kTextStep)
        if (auto set = PageSetter(figure, width, scale).set_in_grid(PageSetter::Rows::own)) return *std::move(set);
    scale = kLeastText;
    return PageSetter(figure, width, scale).crowded(PageSetter::Rows::own);
}

// Clears the notes that the caption repeats, and the legends that an earlier plot has.
void say_once(FigureSpec& figure) {
    std::vector<std::vector<LegendEntry>> legends;
    for (FigureCell& cell : figure.cells) {
        if (auto* map = std::get_if<HeatmapSpec>(&cell.content))
            if (figure.caption.find(map->note) != std::string::npos) map->note.clear();
        auto* plot = std::get_if<PlotSpec>(&cell.content);
        if (plot == nullptr) continue;
        std::vector<LegendEntry> legend = legend_entries(*plot);
        if (!contains(legends, legend))
            legends.push_back(std::move(legend));
        else
            for (Series& series : plot->series) series.name.clear();
    }
}

}  // namespace

void check_pixels(double width_inches, double height_inches, const PageFormat& page, const std::string& what) {
    constexpr double kMostPixels = 120e6;  // about 1.3 GB of memory while a PNG is made
    const double pixels = width_inches * height_inches * page.dots_per_inch * page.dots_per_inch;
    if (pixels <= kMostPixels) return;
    throw InputError(
        "{}: {:.4g} x {:.4g} inches at {} dots per inch are {:.0f} million dots, but a PNG may have only {:.0f} "
        "million. Make the page smaller, or use --dpi {:.0f} or less",
        what, width_inches, height_inches, page.dots_per_inch, pixels / 1e6, kMostPixels / 1e6,
        std::floor(std::sqrt(kMostPixels / (width_inches * height_inches))));
}

void set_page_width(const std::string& text, PageFormat& page) {
    page.slide = text == "slide";
    if (page.slide) return;
    double inches = 0.0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), inches);
    const std::string unit(result.ptr, text.data() + text.size());
    const bool allowed = inches >= kNarrowestPage && inches <= kWidestPage;  // false for nan
    if (result.ec != std::errc() || (unit != "in" && unit != " in") || !allowed)
        throw InputError("--width: '{}' is not a width. Use 3.4in, 7in, any from {}in to {}in, or slide", text,
                         kNarrowestPage, kWidestPage);
    page.width_inches = inches;
}

SetFigure set_on_page(const FigureSpec& figure, const PageFormat& page) {
    SetFigure set{figure, std::clamp(figure.width_inches / 10.0, 0.6, 2.0)};
    if (!page.caption) {
        set.figure.title.clear();
        set.figure.caption.clear();
    }
    if (page.as_figure_asks() || figure.cells.empty()) return set;
    say_once(set.figure);
    const FigureSpec asked = set.figure;
    set.figure = page.slide ? set_on_slide(side_by_side(asked), set.text_scale)
                            : set_in_column(asked, page.width_inches, set.text_scale);
    return set;
}

}  // namespace emergence
