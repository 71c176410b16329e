#include "app/export/page_setter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "app/export/cell_picture.h"
#include "core/pictures/matrix_arrangement.h"

namespace emergence::page {

namespace {

constexpr double kPoints = 72.0;  // in an inch
// Height over width at which a cell's need is measured.
constexpr double kTallest = 1.1;

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

// With rows at least as high as their cells need.
FigureSpec PageSetter::finished(const std::vector<double>& widths, Rows rows) const {
    std::vector<double> heights = rows == Rows::own ? heights_ : std::vector<double>(heights_.size(), 0.0);
    std::vector<RowNeed> needs(heights.size());
    for (const FigureCell& cell : figure_.cells) {
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
    set.column_weights = widths;
    set.row_weights = heights;
    set.width_inches = page_width_ / kPoints;
    set.height_inches = (head() + sum_of(heights, 0, static_cast<int>(heights.size())) +
                         style_.cell_gap() * static_cast<double>(heights.size() - 1) + style_.margin()) /
                        kPoints;
    return set;
}

namespace {

constexpr double kSlidePoint = 72.0;  // in an inch

const HeatmapSpec& map_in(const FigureCell& cell) { return std::get<HeatmapSpec>(cell.content); }

bool is_theory(const FigureCell& cell) { return map_in(cell).id.ends_with(" theory"); }

// Of the figure's matrices in pictures of this size.
double smallest_cell(const FigureSpec& figure, Size picture, const Style& style, const TextMeter& meter) {
    double smallest = std::numeric_limits<double>::infinity();
    for (const FigureCell& cell : figure.cells) {
        const auto drawn = picture_of(cell, {0, 0, picture.width, picture.height}, style, meter);
        const Insets around = drawn->insets();
        const Table& values = map_in(cell).values;
        smallest = std::min(
            {smallest, (picture.width - around.left - around.right) / std::max(1, values.columns),
             (picture.height - drawn->title_height() - around.top - around.bottom) / std::max(1, values.rows)});
    }
    return smallest;
}

// What was learned and theory's, each on its grid: tracks of the figure's grid, which both share.
void set_apart(FigureSpec& figure, const TheoryPlace& place) {
    int learned = 0, theory = 0;
    const int count = static_cast<int>(figure.cells.size()) / 2;
    const auto rows_of = [count](int columns) { return (count + columns - 1) / columns; };
    const int rows = rows_of(place.columns), theory_rows = rows_of(place.theory_columns);
    const int across = place.below ? std::lcm(place.columns, place.theory_columns) : 1;
    const int down = place.below ? 1 : std::lcm(rows, theory_rows);
    for (FigureCell& cell : figure.cells) {
        const bool small = is_theory(cell);
        const int at = small ? theory++ : learned++, columns = small ? place.theory_columns : place.columns;
        cell.column_span = place.below ? across / columns : 1;
        cell.row_span = place.below ? 1 : down / (small ? theory_rows : rows);
        cell.column = at % columns * cell.column_span + (small && !place.below ? place.columns : 0);
        cell.row = at / columns * cell.row_span + (small && place.below ? rows : 0);
    }
    figure.column_weights.assign(static_cast<size_t>(place.below ? across : place.columns), place.learned.width);
    figure.row_weights.assign(static_cast<size_t>(place.below ? rows : down), place.learned.height);
    if (place.below)
        figure.row_weights.resize(static_cast<size_t>(rows + theory_rows), place.theory.height);
    else
        figure.column_weights.resize(static_cast<size_t>(place.columns + place.theory_columns), place.theory.width);
}

// All equally large; run B's and theory's in the row of the matrix before them.
double set_alike(FigureSpec& figure, const ArrangementRoom& room, const std::function<double(Size)>& cell_of) {
    std::vector<int> groups;
    std::string name;
    for (const FigureCell& cell : figure.cells) {
        const std::string& id = map_in(cell).id;
        const bool begins = groups.empty() || !id.starts_with(name + " ");
        if (begins) name = id.ends_with(" learned") ? id.substr(0, id.rfind(' ')) : id;
        groups.push_back(groups.empty() ? 0 : groups.back() + (begins ? 1 : 0));
    }
    const MatrixArrangement one =
        arrange_matrices(std::vector<int>(groups.size(), 1), groups, room, cell_of, MatrixArrangement());
    for (size_t i = 0; i < groups.size(); ++i) {
        figure.cells[i].row = one.places[i].row;
        figure.cells[i].column = one.places[i].column;
        figure.cells[i].row_span = figure.cells[i].column_span = 1;
    }
    figure.column_weights.assign(static_cast<size_t>(one.columns), 1.0);
    figure.row_weights.assign(static_cast<size_t>(one.rows), 1.0);
    return one.cell;
}

}  // namespace

bool only_matrices(const FigureSpec& figure) {
    const auto map = [](const FigureCell& cell) { return std::get_if<HeatmapSpec>(&cell.content); };
    return std::all_of(figure.cells.begin(), figure.cells.end(), map) &&
           std::any_of(figure.cells.begin(), figure.cells.end(),
                       [&](const FigureCell& cell) { return !map(cell)->free_aspect; });
}

MatrixSlide set_matrices(const FigureSpec& figure, double width, double height, double scale) {
    const Style style{scale};
    const TextMeter meter;
    const PageSetter setter(figure, width, scale);
    MatrixSlide set{figure};
    set.figure.width_inches = width;
    set.figure.height_inches = height;
    const double gap = style.cell_gap();
    const ArrangementRoom room{
        {width * kSlidePoint - 2 * style.margin(), height * kSlidePoint - setter.head() - style.margin()},
        {gap, gap},
        {40, 40}};
    const auto cell_of = [&](Size picture) { return smallest_cell(figure, picture, style, meter); };
    std::vector<std::string> with_theory;
    for (const FigureCell& cell : figure.cells)
        if (is_theory(cell)) with_theory.push_back(map_in(cell).id.substr(0, map_in(cell).id.rfind(' ')));
    TheoryPlace place;
    if (2 * with_theory.size() == figure.cells.size())
        place = place_theory(groups_by_layer(with_theory), false, room, cell_of);
    set.cell = set_alike(set.figure, room, cell_of);
    if (place.cell <= set.cell) return set;
    set_apart(set.figure, place);
    set.cell = place.cell;
    return set;
}

void notes_to_caption(FigureSpec& figure) {
    for (FigureCell& cell : figure.cells) {
        auto& map = std::get<HeatmapSpec>(cell.content);
        map.norm.reset();
        if (map.note.empty() || figure.caption.empty()) continue;
        const std::string said = is_theory(cell) ? "Theory: " + map.note.substr(map.note.find(": ") + 2) : map.note;
        if (figure.caption.find(said) == std::string::npos) figure.caption += " " + said + ".";
        map.note.clear();
    }
}

}  // namespace emergence::page
