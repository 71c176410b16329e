#include "app/export/page_setter.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "app/export/cell_picture.h"

namespace emergence::page {
namespace {

constexpr double kPoints = 72.0;  // in an inch
// The height over the width at which this measures what a cell needs.
constexpr double kTallest = 1.1;

double sum_of(const std::vector<double>& sizes, int first, int count) {
    return std::accumulate(sizes.begin() + first, sizes.begin() + first + count, 0.0);
}

void raise(double& to, double value) { to = std::max(to, value); }

// Computes the smallest height of a row. Titles share a band, plots' axes are aligned, and so are the other pictures.
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
    const auto [columns, rows] = grid_of(figure);
    const double room =
        std::max(20.0, page_width_ - 2 * style_.margin() - style_.cell_gap() * static_cast<double>(columns - 1));
    widths_ = shares_of(figure.column_weights, columns);
    heights_ = shares_of(figure.row_weights, rows);
    for (double& width : widths_) width *= room;
    for (double& height : heights_) height *= page_width_ * figure.height_inches / figure.width_inches;
}

// The width of a cell over tracks of these widths.
double PageSetter::width_over(const std::vector<double>& widths, const FigureCell& cell) const {
    return sum_of(widths, cell.column, cell.column_span) + style_.cell_gap() * (cell.column_span - 1);
}

CellPicture::Need PageSetter::need_of(const FigureCell& cell, double width) const {
    return picture_of(cell, {0, 0, width, kTallest * width}, style_, meter_)->need();
}

std::optional<std::vector<double>> PageSetter::widths_in_grid() const {
    std::vector<double> widths = widths_, least(widths.size(), 0.0);
    for (const FigureCell& cell : figure_.cells) {
        const double width = width_over(widths_, cell);
        const CellPicture::Need need = need_of(cell, width);
        const double needed = need.around.left + need.width + need.around.right;
        if (cell.column_span == 1)
            raise(least[cell.column], needed);
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
    return finished(*widths, rows);
}

FigureSpec PageSetter::crowded(Rows rows) const { return finished(widths_, rows); }

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

// Rows are at least as high as their cells need.
FigureSpec PageSetter::finished(const std::vector<double>& widths, Rows rows) const {
    std::vector<double> heights = rows == Rows::own ? heights_ : std::vector<double>(heights_.size(), 0.0);
    std::vector<RowNeed> needs(heights.size());
    for (const FigureCell& cell : figure_.cells) {
        const double width = width_over(widths, cell);
        const auto picture = picture_of(cell, {0, 0, width, kTallest * width}, style_, meter_);
        const CellPicture::Need need = picture->need();
        const double height = rows == Rows::least ? need.height : need.full_height;
        if (cell.row_span == 1) {
            needs[cell.row].add(*picture, need, height);
            continue;
        }
        RowNeed alone;
        alone.add(*picture, need, height);
        for (int i = 0; i < cell.row_span; ++i) raise(heights[cell.row + i], alone.height() / cell.row_span);
    }
    for (size_t i = 0; i < heights.size(); ++i) raise(heights[i], needs[i].height());
    FigureSpec set = figure_;
    set.column_weights = widths;
    set.row_weights = heights;
    set.width_inches = page_width_ / kPoints;
    set.height_inches = (head() + sum_of(heights, 0, static_cast<int>(heights.size())) +
                         style_.cell_gap() * static_cast<double>(heights.size() - 1) + style_.margin()) /
                        kPoints;
    return set;
}

}  // namespace emergence::page
