#include "core/pictures/matrix_cells.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/pictures/axis.h"
#include "core/pictures/pen.h"

namespace emergence {
namespace {

constexpr int kBarSteps = 96;
// Rectangles reach under the next ones on a page: viewers show the paper between edges that only touch.
constexpr double kReach = 0.6;

// The labels of blocks, or numbers of cells if there is a word for them, of which each takes `each` of the side.
std::vector<BlockLabel> labels_along(const CellSide& side, const std::vector<Block>& blocks, const std::string& word,
                                     double each, const PictureStyle& style) {
    std::vector<BlockLabel> labels;
    int at = 0;
    for (const Block& block : word.empty() ? blocks : std::vector<Block>{}) {
        labels.push_back({{style.spelled(block.label)}, at, at + block.size});
        at += block.size;
    }
    if (word.empty()) return labels;
    const int first = side.first_seen(), last = side.last_seen(), most = style.matrix.most_numbers;
    const double length = side.at(last) - side.at(first);
    const int wanted = each > 0.0 ? std::clamp(static_cast<int>(std::min(length / each, 1e6)), 1, most) : most;
    for (const Tick& tick : count_ticks(word, first + 1, last, wanted)) {
        const auto number = static_cast<int>(tick.value);
        labels.push_back({{tick.label}, number - 1, number});
    }
    return labels;
}

// The labels that have room beside the visible part of their cells, with the places where they begin.
std::vector<std::pair<const BlockLabel*, double>> placed_along(const CellSide& side,
                                                               const std::vector<BlockLabel>& labels, double gap,
                                                               const auto& extent_of) {
    std::vector<const BlockLabel*> seen;
    std::vector<double> centers, extents;
    for (const BlockLabel& label : labels) {
        const double begin = std::max(side.at(label.first) - side.start, 0.0),
                     end = std::min(side.at(label.last) - side.start, side.length);
        if (end <= begin) continue;
        seen.push_back(&label);
        centers.push_back((begin + end) / 2);
        extents.push_back(extent_of(label));
    }
    const std::vector<double> starts = place_side_by_side(centers, extents, side.length, gap);
    std::vector<std::pair<const BlockLabel*, double>> placed;
    for (size_t i = 0; i < starts.size(); ++i)
        if (!std::isnan(starts[i])) placed.emplace_back(seen[i], side.start + starts[i]);
    return placed;
}

bool lies(const Rect& bar) { return bar.width > bar.height; }

// Draws an arrowhead at the end `base` of the bar, with its tip beyond.
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

void draw_borders(Pen& pen, const HeatmapSpec& spec, const CellGrid& place, const PictureStyle& style) {
    const Rect& seen = place.seen;
    const auto draw = [](const std::vector<Block>& blocks, const CellSide& side, const auto& line_at) {
        int cell = 0;
        for (const Block& block : blocks) {
            cell += block.size;
            const double at = side.at(cell);
            if (cell > 0 && cell < side.count && at > side.start && at < side.end()) line_at(at);
        }
    };
    draw(spec.column_blocks, place.across, [&](double x) {
        pen.line({x, seen.y}, {x, seen.bottom()}, style.matrix.border);
    });
    draw(spec.row_blocks, place.down, [&](double y) { pen.line({seen.x, y}, {seen.right(), y}, style.matrix.border); });
    pen.frame(seen, style.matrix.frame);
}

void draw_hatching(Pen& pen, const HeatmapSpec& spec, const CellGrid& place, const PictureStyle& style) {
    for (const CellRange& block : hatched_blocks(spec))
        for (const Segment& stroke : hatch_strokes(place.seen_of(block), style.matrix.hatch_spacing))
            pen.line(stroke.from, stroke.to, style.matrix.hatching);
}

void draw_cell_marks(Pen& pen, const HeatmapSpec& spec, const CellGrid& place, const PictureStyle& style) {
    if (spec.marks.empty()) return;
    const CellRange visible = place.visible();
    // All cells share one pitch, because some are wider than others if their edges lie on whole pixels.
    const double pitch = (place.across.at(visible.last_column) - place.across.at(visible.first_column)) /
                         std::max(1, visible.last_column - visible.first_column);
    const bool zoomed = place.zoom.zoomed();
    if (zoomed) pen.clip(place.seen);
    for (size_t lane = 0; lane < spec.marks.size(); ++lane)
        for (const auto& [row, column] : spec.marks[lane].cells) {
            if (column < visible.first_column || column >= visible.last_column || row < visible.first_row ||
                row >= visible.last_row)
                continue;
            const double x = place.across.at(column), y = place.down.at(row);
            const Rect cell{x, y, place.across.at(column + 1) - x, place.down.at(row + 1) - y};
            const double height = cell.height / static_cast<double>(spec.marks.size());
            const double radius = std::min({0.45 * pitch, 0.45 * height, style.matrix.mark_radius});
            draw_mark(pen, spec.marks[lane], cell, y + height * static_cast<double>(lane), height, radius, style);
        }
    if (zoomed) pen.unclip();
}

std::vector<BlockLabel> row_labels(const HeatmapSpec& spec, const CellGrid& place, const PictureStyle& style) {
    return labels_along(place.down, spec.row_blocks, spec.row_word, style.matrix.number_height, style);
}

std::vector<BlockLabel> column_labels(const HeatmapSpec& spec, const CellGrid& place, const PictureStyle& style) {
    return labels_along(place.across, spec.column_blocks, spec.column_word, style.matrix.number_width, style);
}

void draw_row_labels(Pen& pen, const std::vector<BlockLabel>& labels, const CellGrid& place,
                     const PictureStyle& style) {
    const TextStyle& text = style.matrix.text;
    const auto height_of = [&](const BlockLabel& label) {
        return static_cast<double>(label.lines.size()) * text.line_height();
    };
    for (const auto& [label, start] : placed_along(place.down, labels, 0.0, height_of)) {
        double middle = start + text.line_height() / 2;
        for (const std::string& line : label->lines) {
            pen.text(line, {place.seen.x - style.matrix.row_gap, middle}, text, Align::right, Level::middle);
            middle += text.line_height();
        }
    }
}

void draw_column_labels(Pen& pen, const std::vector<BlockLabel>& labels, const CellGrid& place, bool turned,
                        const PictureStyle& style) {
    const TextStyle& text = style.matrix.text;
    const auto width_of = [&](const BlockLabel& label) {
        return turned ? static_cast<double>(label.lines.size()) * text.line_height()
                      : pen.text_width(label.lines[0], text);
    };
    for (const auto& [label, start] :
         placed_along(place.across, labels, turned ? 0.0 : style.matrix.labels_apart, width_of)) {
        double x = turned ? start + (text.line_height() + text.ascent()) / 2 : start;
        for (const std::string& line : label->lines) {
            pen.text(line, {x, place.seen.y - style.matrix.column_gap}, text, Align::left, Level::baseline,
                     turned ? 1 : 0);
            x += text.line_height();
        }
    }
}

BarNumbers bar_numbers(const HeatmapSpec& spec) {
    if (spec.magnitudes) return {readout(spec.limit), "", "0"};
    return {"+" + readout(spec.limit), "0", "−" + readout(spec.limit)};
}

static void draw_bar_numbers(Pen& pen, const HeatmapSpec& spec, const Rect& bar, const PictureStyle& style) {
    const TextStyle& text = style.matrix.bar_text;
    const BarNumbers numbers = bar_numbers(spec);
    const std::string most = style.number(numbers.most), least = style.number(numbers.least);
    const double middle = style.snapped(bar.center().y);
    if (lies(bar)) {
        const double gap = style.matrix.lying_bar_gap;
        pen.text(least, {bar.x - gap, middle}, text, Align::right, Level::middle);
        pen.text(most, {bar.right() + gap, middle}, text, Align::left, Level::middle);
        return;
    }
    const double x = bar.right() + style.matrix.bar_gap, over = style.matrix.bar_over;
    pen.text(most, {x, bar.y - over}, text, Align::left, Level::top);
    pen.text(numbers.middle, {x, middle}, text, Align::left, Level::middle);
    pen.text(least, {x, bar.bottom() + over}, text, Align::left, Level::bottom);
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

// The numbers of a heatmap: in its cells, at its colour bar, and the norm with its strip. Declared in matrix_cells.h.

static std::string significant(double value, int digits) {
    // 0.0 is added to lose the sign of a zero.
    return std::isfinite(value) ? with_minus(fmt::format("{:.{}g}", value + 0.0, digits)) : "–";
}

template <class Use>
static void for_visible(const HeatmapSpec& spec, const CellGrid& place, const Use& use) {
    const CellRange visible = place.visible();
    for (int row = visible.first_row; row < visible.last_row; ++row)
        for (int column = visible.first_column; column < visible.last_column; ++column)
            use(row, column, spec.values(row, column));
}

// Cells that fill their room, as in sweeps, are read as a table: in as many significant digits, three at most, as all
// of them have room for, if need be in smaller type; 0 if not even two have.
static int digits_with_room(const Pen& pen, const HeatmapSpec& spec, const CellGrid& place, double width,
                            TextStyle& text) {
    constexpr double kSmaller = 0.85;
    const auto fit = [&](int digits, const TextStyle& in) {
        bool all = true;
        for_visible(spec, place, [&](int, int, double value) {
            all = all && pen.text_width(significant(value, digits), in) <= width;
        });
        return all;
    };
    if (fit(3, text)) return 3;
    if (fit(2, text)) return 2;
    TextStyle smaller = text;
    smaller.size *= kSmaller;
    if (!fit(2, smaller)) return 0;
    text = smaller;
    return 2;
}

std::string cell_text(double value, double limit) {
    if (!std::isfinite(value)) return "–";
    constexpr int kLeast = 2, kMost = 6;
    const double size = std::abs(value);
    const bool small = limit > 0.0 && limit < 0.0995;
    const int fine = small ? std::min(1 - static_cast<int>(std::floor(std::log10(limit))), kMost) : kLeast;
    const int digits = size < 9.995 ? fine : size < 99.95 ? 1 : 0;
    const std::string text = size < 1e5 ? fmt::format("{:.{}f}", size, digits) : fmt::format("{:.0e}", size);
    const bool zero = text.find_first_not_of("0.") == std::string::npos;
    return fmt::format("{}{}", value < 0.0 && !zero ? "−" : "", text);
}

std::optional<Point> number_place(const CellGrid& place, int row, int column, const Size& text) {
    const Point middle{(place.across.at(column) + place.across.at(column + 1)) / 2,
                       (place.down.at(row) + place.down.at(row + 1)) / 2};
    const Rect seen = place.seen_of({row, row + 1, column, column + 1});
    const Rect box{middle.x - text.width / 2, middle.y - text.height / 2, text.width, text.height};
    if (box.x < seen.x || box.right() > seen.right() || box.y < seen.y || box.bottom() > seen.bottom())
        return std::nullopt;
    return middle;
}

void draw_cell_numbers(Pen& pen, const HeatmapSpec& spec, const CellColors& colors, const CellGrid& place,
                       const PictureStyle& style) {
    const MatrixStyle& look = style.matrix;
    TextStyle text = look.number;
    const double zoom = place.zoom.factor;
    const Size cell{place.seen.width * zoom / place.across.count, place.seen.height * zoom / place.down.count};
    if (spec.values.values.empty() || cell.width < text.size || cell.height < text.size + look.number_pad / 2) return;
    const int digits = spec.free_aspect ? digits_with_room(pen, spec, place, cell.width - look.number_pad, text) : 0;
    if (digits == 0 && cell.width < pen.text_width("−" + cell_text(0.0, spec.limit), text) + look.number_pad) return;
    pen.clip(place.seen);
    for_visible(spec, place, [&](int row, int column, double value) {
        const std::string number = digits > 0 ? significant(value, digits) : cell_text(value, spec.limit);
        const auto middle = number_place(place, row, column, {pen.text_width(number, text), text.size});
        text.ink = is_bright(colors(value / spec.limit)) ? look.on_bright : look.on_dark;
        if (middle) pen.text(number, *middle, text, Align::center, Level::middle);
    });
    pen.unclip();
}

std::string norm_text(const HeatmapSpec& spec, const TextRuler& ruler, const TextStyle& text, double room) {
    const std::string norm = fmt::format("norm {:.3g}", spec.norm.value_or(0.0));
    for (const std::string& words : {norm + fmt::format(", at the start {:.2g}", spec.norm_reference), norm})
        if (ruler.text_width(words, text) <= room) return words;
    return "";
}

double norm_top(const HeatmapSpec& spec) {
    const double norm = spec.norm.value_or(0.0);
    return std::max(2.0 * spec.norm_reference, std::isfinite(norm) ? 1.05 * norm : 0.0);
}

void draw_norm_strip(Pen& pen, const HeatmapSpec& spec, const Rect& strip, const PictureStyle& style) {
    if (!spec.norm) return;
    const MatrixStyle& look = style.matrix;
    const double top = norm_top(spec), over = look.bar_over;
    const auto length = [&](double norm) { return top > 0.0 ? strip.width * std::clamp(norm / top, 0.0, 1.0) : 0.0; };
    pen.fill(strip, look.track);
    if (std::isfinite(*spec.norm)) pen.fill({strip.x, strip.y, length(*spec.norm), strip.height}, look.norm);
    const double mark = strip.x + length(spec.norm_reference);
    pen.line({mark, strip.y - over}, {mark, strip.bottom() + over}, look.norm_mark);
}

}  // namespace emergence
