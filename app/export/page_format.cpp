#include "app/export/page_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/error.h"

namespace emergence {
namespace {

constexpr double kSlideWidth = 13.333, kSlideHeight = 7.5;  // inches
constexpr double kSlideText = 1.7;
// Inches of a cell at text scale 1 that leave room for axes, labels and data.
constexpr double kLeastCellWidth = 2.2, kLeastCellHeight = 2.0;
// Inches of two square matrices side by side: they have short labels, and no axes.
constexpr double kLeastPairWidth = 3.2;
// Around the cells: title and margins.
constexpr double kHeadRoom = 0.35;
constexpr double kTallest = 1.1;  // height of a cell over its width

// The shares of tracks of these weights; missing ones weigh 1.
std::vector<double> shares_of(const std::vector<double>& weights, int count) {
    std::vector<double> shares(static_cast<size_t>(count), 1.0);
    for (size_t i = 0; i < std::min(shares.size(), weights.size()); ++i)
        if (std::isfinite(weights[i]) && weights[i] > 0.0) shares[i] = weights[i];
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares) share /= sum;
    return shares;
}

double sum_of(const std::vector<double>& shares, int first, int count) {
    return std::accumulate(shares.begin() + first, shares.begin() + first + count, 0.0);
}

// The grid of a figure, in inches.
struct Grid {
    explicit Grid(const FigureSpec& figure) {
        for (const FigureCell& cell : figure.cells) {
            columns = std::max(columns, cell.column + cell.column_span);
            rows = std::max(rows, cell.row + cell.row_span);
        }
        widths = shares_of(figure.column_weights, columns);
        heights = shares_of(figure.row_weights, rows);
        for (double& width : widths) width *= figure.width_inches;
        for (double& height : heights) height *= figure.height_inches;
    }
    // Height over width.
    double shape(const FigureCell& cell) const {
        return sum_of(heights, cell.row, cell.row_span) / sum_of(widths, cell.column, cell.column_span);
    }

    int columns = 1, rows = 1;
    std::vector<double> widths, heights;
};

size_t count_characters(const std::string& text) {
    return static_cast<size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & '\xC0') != '\x80'; }));
}

// Inches of a legend below a plot of this width, at text scale 1: about as many columns as its names leave room for.
double legend_height(const PlotSpec& plot, double width) {
    constexpr double kCharacter = 0.058, kSample = 0.36, kLine = 0.13;
    size_t longest = 0;
    for (const auto& series : plot.series) longest = std::max(longest, count_characters(series.name));
    const double column = kSample + kCharacter * static_cast<double>(longest);
    return kLine *
           std::ceil(static_cast<double>(plot.series.size()) / std::max(1.0, std::floor(width / column)));
}

// Inches of the lines of a matrix's title and note beyond the usual ones, at text scale 1.
double long_texts(const HeatmapSpec& map, double width) {
    constexpr double kTitleCharacter = 0.085, kTitleLine = 0.17, kTitleLines = 1.0;
    constexpr double kNoteCharacter = 0.06, kNoteLine = 0.125, kNoteLines = 3.0;
    const auto lines = [width](const std::string& text, double character) {
        return std::ceil(character * static_cast<double>(count_characters(text)) / width);
    };
    return kTitleLine * std::max(0.0, lines(map.title, kTitleCharacter) - kTitleLines) +
           kNoteLine * std::max(0.0, lines(map.note, kNoteCharacter) - kNoteLines);
}

// Inches that a cell of this width needs: a legend that does not fit beside the curves stands below them.
double least_height(const FigureCell& cell, double width, double scale) {
    constexpr double kLegendLine = 0.2;
    if (const auto* map = std::get_if<HeatmapSpec>(&cell.content))
        return scale * (kLeastCellHeight + long_texts(*map, width / scale));
    const auto* plot = std::get_if<PlotSpec>(&cell.content);
    if (plot == nullptr) return scale * kLeastCellHeight;
    const auto lines = static_cast<double>(plot->series.size() + plot->lines.size());
    return scale * (kLeastCellHeight + std::max(kLegendLine * std::clamp(lines - 2.0, 0.0, 6.0),
                                                legend_height(*plot, width / scale)));
}

// The same grid, narrower or wider.
void resize(const Grid& grid, double width, double scale, FigureSpec& figure) {
    const double factor = width / figure.width_inches;
    std::vector<double> heights = grid.heights;
    for (double& height : heights) height *= factor;
    for (const FigureCell& cell : figure.cells)
        for (int row = cell.row; row < cell.row + cell.row_span; ++row) {
            double& height = heights[static_cast<size_t>(row)];
            const double wide = factor * sum_of(grid.widths, cell.column, cell.column_span);
            height = std::max(height, least_height(cell, wide, scale) / cell.row_span);
        }
    figure.width_inches = width;
    figure.row_weights = heights;
    figure.height_inches = kHeadRoom + std::accumulate(heights.begin(), heights.end(), 0.0);
}

bool is_square(const FigureCell& cell) {
    const auto* map = std::get_if<HeatmapSpec>(&cell.content);
    return map != nullptr && !map->free_aspect;
}

// At most `most` cells side by side; in a single column two square matrices, or the figure would outgrow the page.
void reflow(const Grid& grid, double width, int most, double scale, FigureSpec& figure) {
    std::vector<FigureCell> cells = figure.cells;
    std::stable_sort(cells.begin(), cells.end(), [](const FigureCell& a, const FigureCell& b) {
        return std::pair(a.row, a.column) < std::pair(b.row, b.column);
    });
    const auto are_squares = [](const FigureCell& a, const FigureCell& b) {
        return is_square(a) && is_square(b);
    };
    const bool pairs = most == 1 && width >= kLeastPairWidth * scale &&
                       std::adjacent_find(cells.begin(), cells.end(), are_squares) != cells.end();
    const int tracks = pairs ? 2 : most;
    std::vector<double> heights;
    int row = 0, column = 0;
    for (size_t i = 0; i < cells.size(); ++i) {
        FigureCell& cell = cells[i];
        const double shape = std::min(grid.shape(cell), kTallest);
        const bool paired =
            pairs && is_square(cell) && (column == 1 || (i + 1 < cells.size() && is_square(cells[i + 1])));
        const int span = paired ? 1 : pairs ? 2 : std::clamp(cell.column_span * most / grid.columns, 1, most);
        if (column + span > tracks) {
            ++row;
            column = 0;
        }
        const double wide = width * span / tracks;
        heights.resize(static_cast<size_t>(row) + 1, 0.0);
        heights.back() = std::max({heights.back(), shape * wide, least_height(cell, wide, scale)});
        cell.row = row;
        cell.column = column;
        cell.row_span = 1;
        cell.column_span = span;
        column += span;
    }
    figure.cells = std::move(cells);
    figure.column_weights.assign(static_cast<size_t>(tracks), 1.0);
    figure.row_weights = heights;
    figure.width_inches = width;
    figure.height_inches = kHeadRoom + std::accumulate(heights.begin(), heights.end(), 0.0);
}

// On a slide with smaller type than usual cells fill the rows, because a grid with gaps would waste its room.
void lay_out(double width, double scale, bool is_slide, FigureSpec& figure) {
    const int most = std::max(1, static_cast<int>(width / (kLeastCellWidth * scale)));
    const Grid grid(figure);
    if (grid.columns <= most && (!is_slide || scale == kSlideText))
        resize(grid, width, scale, figure);
    else
        reflow(grid, width, most, scale, figure);
}

// A slide has room for few cells in large type. Many, a whole window, get smaller type rather than slivers of plots.
double slide_scale(const FigureSpec& figure) {
    constexpr double kStep = 0.1, kLeast = 1.0;
    constexpr size_t kFew = 6;
    double scale = kSlideText;
    if (figure.cells.size() <= kFew) return scale;
    for (; scale > kLeast + kStep / 2; scale -= kStep) {
        FigureSpec set = figure;
        lay_out(kSlideWidth, scale, true, set);
        const double track = kSlideWidth / std::max(1.0, static_cast<double>(set.column_weights.size()));
        std::vector<double> heights;
        for (const FigureCell& cell : set.cells) {
            heights.resize(std::max(heights.size(), static_cast<size_t>(cell.row + cell.row_span)), 0.0);
            double& height = heights[static_cast<size_t>(cell.row)];
            height = std::max(height, least_height(cell, track * cell.column_span, scale) / cell.row_span);
        }
        if (kHeadRoom + std::accumulate(heights.begin(), heights.end(), 0.0) <= kSlideHeight) break;
    }
    return scale;
}

}  // namespace

void set_page_width(const std::string& text, PageFormat& page) {
    page.slide = text == "slide";
    if (page.slide) return;
    double inches = 0.0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), inches);
    const std::string unit(result.ptr, text.data() + text.size());
    if (result.ec != std::errc() || (unit != "in" && unit != " in") || inches < kNarrowestPage ||
        inches > kWidestPage)
        throw InputError(
            fmt::format("--width: '{}' is no width. Use 3.4in, 7in, another from {}in to {}in, or slide",
                        text, kNarrowestPage, kWidestPage));
    page.width_inches = inches;
}

double text_scale(const FigureSpec& figure, const PageFormat& page) {
    if (page.slide) return slide_scale(figure);
    return page.as_figure_asks() ? std::clamp(figure.width_inches / 10.0, 0.6, 2.0) : 1.0;
}

FigureSpec set_on_page(const FigureSpec& figure, const PageFormat& page) {
    FigureSpec set = figure;
    if (!page.caption) set.caption.clear();
    if (page.as_figure_asks() || figure.cells.empty()) return set;
    const double scale = text_scale(figure, page);
    lay_out(page.slide ? kSlideWidth : page.width_inches, scale, page.slide, set);
    if (page.slide)
        set.height_inches =
            std::max(kSlideHeight, kHeadRoom + 1.5 * static_cast<double>(set.row_weights.size()));
    return set;
}

}  // namespace emergence
