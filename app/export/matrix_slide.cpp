#include "app/export/matrix_slide.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "app/export/figure_layout.h"
#include "app/export/page_setter.h"
#include "core/pictures/matrix_cells.h"

namespace emergence::page {
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
