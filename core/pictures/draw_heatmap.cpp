#include "core/pictures/draw_heatmap.h"

#include <array>

#include "core/pictures/axis.h"
#include "core/pictures/obstacles.h"

namespace emergence {
namespace {

constexpr int kBarSteps = 96;
// Rectangles reach under the next ones on a page: viewers show the paper between edges that only touch.
constexpr double kReach = 0.6;

std::vector<BlockLabel> labels_of(const std::vector<Block>& blocks, const PictureStyle& style) {
    std::vector<BlockLabel> labels;
    int at = 0;
    for (const Block& block : blocks) {
        labels.push_back({{style.spelled(block.label)}, at, at + block.size});
        at += block.size;
    }
    return labels;
}

// Numbers of the cells [first, last), `length` long in all, of which each number takes `each`.
std::vector<BlockLabel> numbered_cells(const std::string& word, int first, int last, double length, double each,
                                       int most) {
    const int wanted = each > 0.0 ? std::clamp(static_cast<int>(std::min(length / each, 1e6)), 1, most) : most;
    std::vector<BlockLabel> labels;
    for (const Tick& tick : count_ticks(word, first + 1, last, wanted)) {
        const auto number = static_cast<int>(tick.value);
        labels.push_back({{tick.label}, number - 1, number});
    }
    return labels;
}

// Labels with their middles along a side, in lengths from its start; without those whose cells are not seen.
struct Side {
    std::vector<const BlockLabel*> labels;
    std::vector<double> centers, extents;

    void add(const BlockLabel& label, double begin, double end, double length, double extent) {
        begin = std::max(begin, 0.0);
        end = std::min(end, length);
        if (end <= begin) return;
        labels.push_back(&label);
        centers.push_back((begin + end) / 2);
        extents.push_back(extent);
    }
};

bool lies(const Rect& bar) { return bar.width > bar.height; }

// At an end of the bar, `base` along it, with its tip beyond.
void draw_arrowhead(Pen& pen, const Rect& bar, double base, double tip, Rgb color, const PictureStyle& style) {
    // Clockwise, as the window's smooth edges want it.
    std::array<Point, 3> corners = {{{bar.x, base}, {bar.center().x, tip}, {bar.right(), base}}};
    if (lies(bar)) corners = {{{base, bar.bottom()}, {tip, bar.center().y}, {base, bar.y}}};
    if (tip > base) std::swap(corners[0], corners[2]);
    pen.polygon(corners, color);
    pen.polyline(corners, style.matrix.bar);
}

void draw_mark(Pen& pen, const CellMarks& marks, const Rect& cell, double top, double height, double radius,
               const PictureStyle& style) {
    const MatrixStyle& look = style.matrix;
    const Ink ink = categorical(marks.color, style.theme);
    const double width = std::max(cell.width, style.snap ? 1.0 : 0.0);
    if (marks.edge) {
        const double edge = std::clamp(look.edge_share * height, look.least_edge, look.most_edge);
        pen.fill({cell.x, cell.bottom() - edge, width, edge}, ink);
    } else if (radius >= look.least_mark) {
        pen.marker({cell.x + cell.width / 2, top + height / 2}, radius, marks.color, ink);
    } else {
        pen.fill({cell.x, top + 0.15 * height, width, 0.7 * height}, ink);
    }
}

}  // namespace

CellGrid::CellGrid(const Table& values, const Rect& seen, const MatrixZoom& zoom, bool snap)
    : seen_(seen), zoom_(zoom), snap_(snap), rows_(std::max(1, values.rows)), columns_(std::max(1, values.columns)) {}

double CellGrid::x_of(int column) const {
    const double share = static_cast<double>(column) / columns_;
    const double x = seen_.x + (share - zoom_.left) * seen_.width * zoom_.factor;
    return snap_ ? std::round(x) : x;
}

double CellGrid::y_of(int row) const {
    const double share = static_cast<double>(row) / rows_;
    const double y = seen_.y + (share - zoom_.top) * seen_.height * zoom_.factor;
    return snap_ ? std::round(y) : y;
}

CellRange CellGrid::visible() const {
    const auto first = [](double from, int count) { return static_cast<int>(from * count + 1e-9); };
    const auto last = [&](double from, int count) {
        return std::min(count, static_cast<int>(std::ceil((from + 1.0 / zoom_.factor) * count - 1e-9)));
    };
    return {first(zoom_.top, rows_), last(zoom_.top, rows_), first(zoom_.left, columns_), last(zoom_.left, columns_)};
}

Rect CellGrid::seen_of(const CellRange& cells) const {
    const double left = std::clamp(x_of(cells.first_column), seen_.x, seen_.right());
    const double right = std::clamp(x_of(cells.last_column), seen_.x, seen_.right());
    const double top = std::clamp(y_of(cells.first_row), seen_.y, seen_.bottom());
    const double bottom = std::clamp(y_of(cells.last_row), seen_.y, seen_.bottom());
    return {left, top, right - left, bottom - top};
}

void draw_borders(Pen& pen, const HeatmapSpec& spec, const CellGrid& place, const PictureStyle& style) {
    const Rect& seen = place.seen();
    int column = 0, row = 0;
    for (const Block& block : spec.column_blocks) {
        column += block.size;
        const double x = place.x_of(column);
        if (column > 0 && column < place.columns() && x > seen.x && x < seen.right())
            pen.line({x, seen.y}, {x, seen.bottom()}, style.matrix.border);
    }
    for (const Block& block : spec.row_blocks) {
        row += block.size;
        const double y = place.y_of(row);
        if (row > 0 && row < place.rows() && y > seen.y && y < seen.bottom())
            pen.line({seen.x, y}, {seen.right(), y}, style.matrix.border);
    }
    pen.frame(seen, style.matrix.frame);
}

void draw_hatching(Pen& pen, const HeatmapSpec& spec, const CellGrid& place, const PictureStyle& style) {
    for (const CellRange& block : hatched_blocks(spec))
        for (const HatchStroke& stroke : hatch_strokes(place.seen_of(block), style.matrix.hatch_spacing))
            pen.line(stroke.from, stroke.to, style.matrix.hatching);
}

void draw_cell_marks(Pen& pen, const HeatmapSpec& spec, const CellGrid& place, const PictureStyle& style) {
    if (spec.marks.empty()) return;
    const CellRange visible = place.visible();
    // One for all cells: where their edges lie on whole pixels some are wider than others.
    const double pitch = (place.x_of(visible.last_column) - place.x_of(visible.first_column)) /
                         std::max(1, visible.last_column - visible.first_column);
    const bool zoomed = place.zoom().zoomed();
    if (zoomed) pen.clip(place.seen());
    for (size_t lane = 0; lane < spec.marks.size(); ++lane)
        for (const auto& [row, column] : spec.marks[lane].cells) {
            if (column < visible.first_column || column >= visible.last_column || row < visible.first_row ||
                row >= visible.last_row)
                continue;
            const double x = place.x_of(column), y = place.y_of(row);
            const Rect cell{x, y, place.x_of(column + 1) - x, place.y_of(row + 1) - y};
            const double height = cell.height / static_cast<double>(spec.marks.size());
            const double radius = std::min({0.45 * pitch, 0.45 * height, style.matrix.mark_radius});
            draw_mark(pen, spec.marks[lane], cell, y + height * static_cast<double>(lane), height, radius, style);
        }
    if (zoomed) pen.unclip();
}

std::vector<BlockLabel> row_labels(const HeatmapSpec& spec, const CellGrid& place, const PictureStyle& style) {
    if (spec.row_word.empty()) return labels_of(spec.row_blocks, style);
    const CellRange visible = place.visible();
    return numbered_cells(spec.row_word, visible.first_row, visible.last_row,
                          place.y_of(visible.last_row) - place.y_of(visible.first_row), style.matrix.number_height,
                          style.matrix.most_numbers);
}

std::vector<BlockLabel> column_labels(const HeatmapSpec& spec, const CellGrid& place, const PictureStyle& style) {
    if (spec.column_word.empty()) return labels_of(spec.column_blocks, style);
    const CellRange visible = place.visible();
    return numbered_cells(spec.column_word, visible.first_column, visible.last_column,
                          place.x_of(visible.last_column) - place.x_of(visible.first_column), style.matrix.number_width,
                          style.matrix.most_numbers);
}

void draw_row_labels(Pen& pen, const std::vector<BlockLabel>& labels, const CellGrid& place,
                     const PictureStyle& style) {
    const TextStyle& text = style.matrix.text;
    const Rect& seen = place.seen();
    Side side;
    for (const BlockLabel& label : labels)
        side.add(label, place.y_of(label.first) - seen.y, place.y_of(label.last) - seen.y, seen.height,
                 static_cast<double>(label.lines.size()) * text.line_height());
    const std::vector<double> starts = place_side_by_side(side.centers, side.extents, seen.height, 0.0);
    for (size_t i = 0; i < starts.size(); ++i) {
        if (std::isnan(starts[i])) continue;
        double middle = seen.y + starts[i] + text.line_height() / 2;
        for (const std::string& line : side.labels[i]->lines) {
            pen.text(line, {seen.x - style.matrix.row_gap, middle}, text, Align::right, Level::middle);
            middle += text.line_height();
        }
    }
}

void draw_column_labels(Pen& pen, const std::vector<BlockLabel>& labels, const CellGrid& place, bool turned,
                        const PictureStyle& style) {
    const TextStyle& text = style.matrix.text;
    const Rect& seen = place.seen();
    Side side;
    for (const BlockLabel& label : labels)
        side.add(label, place.x_of(label.first) - seen.x, place.x_of(label.last) - seen.x, seen.width,
                 turned ? static_cast<double>(label.lines.size()) * text.line_height()
                        : pen.text_width(label.lines[0], text));
    const std::vector<double> starts =
        place_side_by_side(side.centers, side.extents, seen.width, turned ? 0.0 : style.matrix.labels_apart);
    for (size_t i = 0; i < starts.size(); ++i) {
        if (std::isnan(starts[i])) continue;
        double x = seen.x + starts[i];
        if (turned) x += (text.line_height() + text.ascent()) / 2;
        for (const std::string& line : side.labels[i]->lines) {
            pen.text(line, {x, seen.y - style.matrix.column_gap}, text, Align::left, Level::baseline, turned ? 1 : 0);
            x += text.line_height();
        }
    }
}

void draw_color_bar(Pen& pen, const HeatmapSpec& spec, const CellColors& colors, const Rect& bar,
                    const PictureStyle& style) {
    const bool lying = lies(bar);
    // From its upper end down, or from its right end to the left.
    const double start = lying ? bar.right() : bar.y, length = lying ? -bar.width : bar.height;
    const auto edge = [&](int step) { return style.snapped(start + step * (length / kBarSteps)); };
    for (int i = 0; i < kBarSteps; ++i) {
        const double t = std::lerp(1.0, spec.magnitudes ? 0.0 : -1.0, (i + 0.5) / kBarSteps);
        const double extent = std::abs(edge(i + 1) - edge(i));
        const double reach = style.snap || i + 1 == kBarSteps ? 0.0 : std::min(kReach, extent);
        if (lying)
            pen.fill({edge(i + 1) - reach, bar.y, extent + reach, bar.height}, colors(t));
        else
            pen.fill({bar.x, edge(i), bar.width, extent + reach}, colors(t));
    }
    pen.frame(bar, style.matrix.bar);
    const ClippedCells clipped = clipped_cells(spec);
    const double arrow = lying ? 0.8 * bar.height : -0.8 * bar.width;
    const double end = start + length;
    if (clipped.above > 0) draw_arrowhead(pen, bar, start, start + arrow, colors(1.0), style);
    if (clipped.below > 0) draw_arrowhead(pen, bar, end, end - arrow, colors(-1.0), style);
    draw_bar_numbers(pen, spec, bar, style);
}

}  // namespace emergence
