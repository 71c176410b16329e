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

// Inches that a cell needs at text scale 1: a legend that does not fit beside the curves stands below them.
double least_height(const FigureCell& cell) {
    constexpr double kLegendLine = 0.2;
    const auto* plot = std::get_if<PlotSpec>(&cell.content);
    if (plot == nullptr) return kLeastCellHeight;
    const auto lines = static_cast<double>(plot->series.size() + plot->lines.size());
    return kLeastCellHeight + kLegendLine * std::clamp(lines - 2.0, 0.0, 6.0);
}

// The same grid, narrower or wider.
void resize(const Grid& grid, double width, double scale, FigureSpec& figure) {
    const double factor = width / figure.width_inches;
    std::vector<double> heights = grid.heights;
    for (double& height : heights) height *= factor;
    for (const FigureCell& cell : figure.cells)
        for (int row = cell.row; row < cell.row + cell.row_span; ++row) {
            double& height = heights[static_cast<size_t>(row)];
            height = std::max(height, scale * least_height(cell) / cell.row_span);
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
        heights.back() = std::max({heights.back(), shape * wide, scale * least_height(cell)});
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
    if (page.slide) return kSlideText;
    return page.as_figure_asks() ? std::clamp(figure.width_inches / 10.0, 0.6, 2.0) : 1.0;
}

FigureSpec set_on_page(const FigureSpec& figure, const PageFormat& page) {
    FigureSpec set = figure;
    if (!page.caption) set.caption.clear();
    if (page.as_figure_asks() || figure.cells.empty()) return set;
    const double scale = text_scale(figure, page);
    const double width = page.slide ? kSlideWidth : page.width_inches;
    const int most = std::max(1, static_cast<int>(width / (kLeastCellWidth * scale)));
    const Grid grid(figure);
    if (grid.columns <= most)
        resize(grid, width, scale, set);
    else
        reflow(grid, width, most, scale, set);
    if (page.slide)
        set.height_inches =
            std::max(kSlideHeight, kHeadRoom + 1.5 * static_cast<double>(set.row_weights.size()));
    return set;
}

}  // namespace emergence
