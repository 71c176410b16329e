// The numbers of a heatmap: in its cells, at its colour bar, and the norm with its strip. Declared in draw_heatmap.h.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/pictures/axis.h"
#include "core/pictures/draw_heatmap.h"

namespace emergence {
namespace {

std::string signed_text(const char* sign, double size) { return fmt::format("{}{}", sign, readout(size)); }

std::string number_of_norm(double norm, int digits) { return fmt::format("{:.{}g}", norm, digits); }

std::string significant(double value, int digits) {
    if (!std::isfinite(value)) return "–";
    const std::string size = fmt::format("{:.{}g}", std::abs(value), digits);
    return (value < 0.0 ? "−" : "") + size;
}

template <class Use>
void for_visible(const HeatmapSpec& spec, const CellGrid& place, const Use& use) {
    const CellRange visible = place.visible();
    for (int row = visible.first_row; row < visible.last_row; ++row)
        for (int column = visible.first_column; column < visible.last_column; ++column)
            use(row, column, spec.values(row, column));
}

// Cells that fill their room, as in sweeps, are read as a table: in as many significant digits, three at most, as all of
// them have room for, if need be in smaller type; 0 if not even two have.
int digits_with_room(const Pen& pen, const HeatmapSpec& spec, const CellGrid& place, double width, TextStyle& text) {
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

}  // namespace

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
    const Point middle{(place.x_of(column) + place.x_of(column + 1)) / 2, (place.y_of(row) + place.y_of(row + 1)) / 2};
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
    const double zoom = place.zoom().factor;
    const Size cell{place.seen().width * zoom / place.columns(), place.seen().height * zoom / place.rows()};
    if (spec.values.values.empty() || cell.width < text.size || cell.height < text.size + look.number_pad / 2) return;
    const int digits = spec.free_aspect ? digits_with_room(pen, spec, place, cell.width - look.number_pad, text) : 0;
    if (digits == 0 && cell.width < pen.text_width("−" + cell_text(0.0, spec.limit), text) + look.number_pad) return;
    pen.clip(place.seen());
    for_visible(spec, place, [&](int row, int column, double value) {
        const std::string number = digits > 0 ? significant(value, digits) : cell_text(value, spec.limit);
        const auto middle = number_place(place, row, column, {pen.text_width(number, text), text.size});
        text.ink = is_bright(colors(value / spec.limit)) ? look.on_bright : look.on_dark;
        if (middle) pen.text(number, *middle, text, Align::center, Level::middle);
    });
    pen.unclip();
}

BarNumbers bar_numbers(const HeatmapSpec& spec) {
    if (spec.magnitudes) return {signed_text("", spec.limit), "", "0"};
    return {signed_text("+", spec.limit), "0", signed_text("−", spec.limit)};
}

void draw_bar_numbers(Pen& pen, const HeatmapSpec& spec, const Rect& bar, const PictureStyle& style) {
    const TextStyle& text = style.matrix.bar_text;
    const BarNumbers numbers = bar_numbers(spec);
    const std::string most = style.number(numbers.most), least = style.number(numbers.least);
    const double middle = style.snapped(bar.center().y);
    if (bar.width > bar.height) {
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

std::string norm_text(const HeatmapSpec& spec, const TextRuler& ruler, const TextStyle& text, double room) {
    const std::string norm = "norm " + number_of_norm(spec.norm.value_or(0.0), 3);
    for (const std::string& words : {norm + ", at the start " + number_of_norm(spec.norm_reference, 2), norm})
        if (ruler.text_width(words, text) <= room) return words;
    return "";
}

double norm_top(const HeatmapSpec& spec) {
    const double norm = spec.norm.value_or(0.0);
    return std::max(2.0 * spec.norm_reference, std::isfinite(norm) ? 1.05 * norm : 0.0);
}

void draw_norm_strip(Pen& pen, const HeatmapSpec& spec, double top, const Rect& strip, const PictureStyle& style) {
    if (!spec.norm) return;
    const MatrixStyle& look = style.matrix;
    const bool lying = strip.width > strip.height;
    const auto at = [&](double norm) {
        const double share = top > 0.0 ? std::clamp(norm / top, 0.0, 1.0) : 0.0;
        return style.snapped(lying ? strip.x + strip.width * share : strip.bottom() - strip.height * share);
    };
    pen.fill(strip, look.track);
    if (std::isfinite(*spec.norm)) {
        const double end = at(*spec.norm);
        pen.fill(lying ? Rect{strip.x, strip.y, end - strip.x, strip.height}
                       : Rect{strip.x, end, strip.width, strip.bottom() - end},
                 look.norm);
    }
    const double mark = at(spec.norm_reference), over = look.bar_over;
    if (lying)
        pen.line({mark, strip.y - over}, {mark, strip.bottom() + over}, look.norm_mark);
    else
        pen.line({strip.x - over, mark}, {strip.right() + over, mark}, look.norm_mark);
}

}  // namespace emergence
