#include "app/export/page_setter.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "app/export/figure_layout.h"

namespace emergence::page {
namespace {

constexpr double kPoints = 72.0;  // in an inch
// Height of a cell in a narrow column over its width.
constexpr double kTallest = 1.1, kTallestPlot = 0.62;

// The shares of tracks of these weights; missing ones weigh 1.
std::vector<double> shares_of(const std::vector<double>& weights, int count) {
    std::vector<double> shares(static_cast<size_t>(count), 1.0);
    for (size_t i = 0; i < std::min(shares.size(), weights.size()); ++i)
        if (std::isfinite(weights[i]) && weights[i] > 0.0) shares[i] = weights[i];
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares) share /= sum;
    return shares;
}

double sum_of(const std::vector<double>& sizes, int first, int count) {
    return std::accumulate(sizes.begin() + first, sizes.begin() + first + count, 0.0);
}

void raise(double& to, double value) { to = std::max(to, value); }

bool is_square(const FigureCell& cell) {
    const auto* map = std::get_if<HeatmapSpec>(&cell.content);
    return map != nullptr && !map->free_aspect;
}

// A row's least height: titles share a band, and plots' axes are aligned, as are the other pictures.
struct RowNeed {
    double title = 0.0;
    double top[2] = {}, middle[2] = {}, bottom[2] = {};

    void add(const CellPicture& picture, const CellPicture::Need& need, double height) {
        const size_t kind = picture.has_axes() ? 0 : 1;
        raise(title, picture.title_height());
        raise(top[kind], need.around.top);
        raise(middle[kind], height);
        raise(bottom[kind], need.around.bottom);
    }
    double height() const { return title + std::max(top[0] + middle[0] + bottom[0], top[1] + middle[1] + bottom[1]); }
};

}  // namespace

PageSetter::PageSetter(const FigureSpec& figure, double width_inches, double scale)
    : figure_(figure), style_{scale}, page_width_(width_inches * kPoints) {
    for (const FigureCell& cell : figure.cells) {
        columns_ = std::max(columns_, cell.column + cell.column_span);
        rows_ = std::max(rows_, cell.row + cell.row_span);
    }
    widths_ = shares_of(figure.column_weights, columns_);
    heights_ = shares_of(figure.row_weights, rows_);
    for (double& width : widths_) width *= room(columns_);
    for (double& height : heights_) height *= page_width_ * figure.height_inches / figure.width_inches;
}

// Of the tracks between the gaps.
double PageSetter::room(int columns) const {
    return std::max(20.0, page_width_ - 2 * style_.margin() - style_.cell_gap() * (columns - 1));
}

// Of a cell over tracks of these widths.
double PageSetter::width_over(const std::vector<double>& widths, const FigureCell& cell) const {
    return sum_of(widths, cell.column, cell.column_span) + style_.cell_gap() * (cell.column_span - 1);
}

// Height over width of a cell of the figure's own grid.
double PageSetter::shape(const FigureCell& cell) const {
    return sum_of(heights_, cell.row, cell.row_span) / sum_of(widths_, cell.column, cell.column_span);
}

CellPicture::Need PageSetter::need_of(const FigureCell& cell, double width) const {
    return picture_of(cell, {0, 0, width, kTallest * width}, style_, meter_)->need();
}

bool PageSetter::fits(const FigureCell& cell, double width) const {
    const CellPicture::Need need = need_of(cell, width);
    return need.around.left + need.width + need.around.right <= width;
}

std::optional<std::vector<double>> PageSetter::widths_in_grid() const {
    std::vector<double> widths = widths_, least(widths.size(), 0.0);
    for (const FigureCell& cell : figure_.cells) {
        const double width = width_over(widths_, cell);
        const CellPicture::Need need = need_of(cell, width);
        const double needed = need.around.left + need.width + need.around.right;
        if (cell.column_span == 1)
            raise(least[static_cast<size_t>(cell.column)], needed);
        else if (needed > width)
            return std::nullopt;
    }
    double lacking = 0.0, spare = 0.0;
    for (size_t i = 0; i < widths.size(); ++i) {
        lacking += std::max(0.0, least[i] - widths[i]);
        spare += std::max(0.0, widths[i] - least[i]);
    }
    if (lacking > spare) return std::nullopt;
    for (size_t i = 0; i < widths.size(); ++i)
        widths[i] = widths[i] <= least[i] ? least[i] : widths[i] - (widths[i] - least[i]) * lacking / spare;
    return widths;
}

std::optional<FigureSpec> PageSetter::set_in_grid(Rows rows) const {
    const auto widths = widths_in_grid();
    if (!widths) return std::nullopt;
    return finished(figure_.cells, *widths, rows,
                    rows == Rows::own ? heights_ : std::vector<double>(heights_.size(), 0.0));
}

// Fewer columns than the figure's are a divisor, so that what stands below each other still does.
int PageSetter::most_columns(const std::vector<FigureCell>& cells, Rows rows) const {
    const auto fit = [&](int tracks) {
        return (tracks >= columns_ || columns_ % tracks == 0) &&
               std::all_of(cells.begin(), cells.end(),
                           [&](const FigureCell& cell) { return fits(cell, room(tracks) / tracks); });
    };
    int most = columns_;
    if (rows == Rows::least)
        most = std::max(most, static_cast<int>(std::lround(std::sqrt(2.0 * static_cast<double>(cells.size())))));
    while (most > 1 && !fit(most)) --most;
    return most;
}

// The square matrices that stand beside a neighbour in half a column.
std::vector<bool> PageSetter::paired(const std::vector<FigureCell>& cells) const {
    std::vector<bool> pairs(cells.size(), false);
    const double half = room(2) / 2;
    const auto may = [&](const FigureCell& cell) { return is_square(cell) && fits(cell, half); };
    for (size_t i = 0; i + 1 < cells.size(); ++i)
        if (may(cells[i]) && may(cells[i + 1])) {
            pairs[i] = pairs[i + 1] = true;
            ++i;
        }
    return pairs;
}

FigureSpec PageSetter::reflowed(Rows rows) const {
    std::vector<FigureCell> cells = figure_.cells;
    std::stable_sort(cells.begin(), cells.end(), [](const FigureCell& a, const FigureCell& b) {
        return std::pair(a.row, a.column) < std::pair(b.row, b.column);
    });
    const int most = most_columns(cells, rows);
    const std::vector<bool> pairs = most == 1 ? paired(cells) : std::vector<bool>(cells.size(), false);
    const bool any = std::find(pairs.begin(), pairs.end(), true) != pairs.end();
    const int tracks = any ? 2 : most;
    const std::vector<double> widths(static_cast<size_t>(tracks), room(tracks) / tracks);
    std::vector<double> heights = {0.0};
    int column = 0;
    for (size_t i = 0; i < cells.size(); ++i) {
        FigureCell& cell = cells[i];
        const double own = shape(cell);
        const int span = !any ? std::clamp(cell.column_span * most / columns_, 1, most) : pairs[i] ? 1 : 2;
        if (column + span > tracks) {
            heights.push_back(0.0);
            column = 0;
        }
        cell.row = static_cast<int>(heights.size()) - 1;
        cell.column = column;
        cell.row_span = 1;
        cell.column_span = span;
        column += span;
        if (rows == Rows::least || is_square(cell)) continue;  // as high as they need
        const double tallest = std::holds_alternative<PlotSpec>(cell.content) ? kTallestPlot : kTallest;
        raise(heights.back(), std::min(own, tallest) * width_over(widths, cell));
    }
    return finished(std::move(cells), widths, rows, std::move(heights));
}

double PageSetter::caption_height() const {
    const TextStyle text = style_.caption();
    const auto lines = meter_.wrap(figure_.caption, text, page_width_ - 2 * style_.margin()).size();
    return static_cast<double>(lines) * text.line_height();
}

double PageSetter::head() const {
    const TextStyle text = style_.figure_title();
    const auto lines = meter_.wrap(figure_.title, text, page_width_ - 2 * style_.margin()).size();
    if (lines == 0) return style_.margin();
    return style_.margin() + static_cast<double>(lines) * text.line_height() + 2 * style_.gap();
}

// With rows at least as high as their cells need.
FigureSpec PageSetter::finished(std::vector<FigureCell> cells, const std::vector<double>& widths, Rows rows,
                                std::vector<double> heights) const {
    std::vector<RowNeed> needs(heights.size());
    for (const FigureCell& cell : cells) {
        const double width = width_over(widths, cell);
        const auto picture = picture_of(cell, {0, 0, width, kTallest * width}, style_, meter_);
        const CellPicture::Need need = picture->need();
        const double height = rows == Rows::least ? need.height : need.full_height;
        if (cell.row_span == 1) {
            needs[static_cast<size_t>(cell.row)].add(*picture, need, height);
            continue;
        }
        RowNeed alone;
        alone.add(*picture, need, height);
        for (int i = 0; i < cell.row_span; ++i)
            raise(heights[static_cast<size_t>(cell.row + i)], alone.height() / cell.row_span);
    }
    for (size_t i = 0; i < heights.size(); ++i) raise(heights[i], needs[i].height());
    FigureSpec set = figure_;
    set.cells = std::move(cells);
    set.column_weights = widths;
    set.row_weights = heights;
    set.width_inches = page_width_ / kPoints;
    set.height_inches = (head() + sum_of(heights, 0, static_cast<int>(heights.size())) +
                         style_.cell_gap() * static_cast<double>(heights.size() - 1) + style_.margin()) /
                        kPoints;
    return set;
}

}  // namespace emergence::page
