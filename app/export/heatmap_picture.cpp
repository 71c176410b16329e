#include "app/export/heatmap_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/export/titles.h"
#include "core/pictures/color_limits.h"
#include "core/pictures/label_placement.h"
#include "core/pictures/palette.h"

namespace emergence::page {
namespace {

constexpr Rgb kTrack{226, 226, 226};
constexpr int kBarSteps = 96;
constexpr int kMostNumbers = 6;  // beside counted rows or columns, about

}  // namespace

HeatmapPicture::HeatmapPicture(const HeatmapSpec& heatmap, const Rect& cell, const Style& style,
                               const TextMeter& meter)
    : heatmap_(heatmap), cell_(cell), style_(style), meter_(meter), map_(color_map_of(heatmap)) {
    if (std::isfinite(heatmap.limit) && heatmap.limit > 0.0) limit_ = heatmap.limit;
    lowest_ = heatmap.magnitudes ? 0.0 : -limit_;
    const auto height_of = [](size_t lines, const TextStyle& text) {
        return static_cast<double>(lines) * text.line_height();
    };
    std::vector<LegendEntry> marks;
    for (const CellMarks& one : heatmap.marks)
        marks.push_back(
            {one.name, categorical(one.color, Theme::light), false, false, false, one.color, true});
    if (!marks.empty()) marks_legend_ = legend_below(marks, cell.width, style, meter);
    insets_.left = row_label_width();
    insets_.right = bar_room();
    insets_.bottom =
        strip_room() + marks_room() + style_.gap() + height_of(note_lines().size(), style_.note());
    // How large the matrix gets decides whether its column labels have room, and they how large it gets: with
    // labels that lie flat it is largest, so what fits then is asked first.
    insets_.top = style_.block().line_height() + 2.5 * style_.gap();
    Rect below_title = cell_;
    below_title.height -= title_height();
    turned_ = flat_labels_width() > cell_size(insets_.inside(below_title)).width * heatmap_.values.columns;
    if (turned_) insets_.top = column_label_height() + 4 * style_.gap();
}

double HeatmapPicture::title_height() const {
    return static_cast<double>(title_lines().size()) * style_.title().line_height();
}

std::vector<std::string> HeatmapPicture::title_lines() const {
    return meter_.wrap(heatmap_.title, style_.title(), cell_.width);
}

Size HeatmapPicture::cell_size(const Rect& area) const {
    const Size room{area.width / std::max(1, heatmap_.values.columns),
                    area.height / std::max(1, heatmap_.values.rows)};
    if (heatmap_.free_aspect) return room;
    const int larger = std::max({1, heatmap_.values.rows, heatmap_.values.columns});
    const double side = std::min({room.width, room.height, 0.5 * cell_.width * 3 / larger});
    return {side, side};
}

std::vector<HeatmapPicture::BlockLabel> HeatmapPicture::numbers(const std::string& word, int count) {
    std::vector<BlockLabel> labels;
    for (const Tick& tick : count_ticks(word, 1, count, kMostNumbers))
        labels.push_back({{tick.label}, tick.value - 1.0, tick.value});
    return labels;
}

std::vector<HeatmapPicture::BlockLabel> HeatmapPicture::row_labels() const {
    if (!heatmap_.row_word.empty()) return numbers(heatmap_.row_word, heatmap_.values.rows);
    std::vector<BlockLabel> labels;
    double at = 0.0;
    for (const Block& block : heatmap_.row_blocks) {
        labels.push_back({meter_.wrap(block.label, style_.block(), 0.25 * cell_.width), at, at + block.size});
        at += block.size;
    }
    return labels;
}

std::vector<HeatmapPicture::BlockLabel> HeatmapPicture::column_labels() const {
    if (!heatmap_.column_word.empty()) return numbers(heatmap_.column_word, heatmap_.values.columns);
    std::vector<BlockLabel> labels;
    double at = 0.0;
    for (const Block& block : heatmap_.column_blocks) {
        labels.push_back({turned_ ? meter_.wrap(block.label, style_.block(), 0.2 * cell_.height)
                                  : std::vector<std::string>{block.label},
                          at, at + block.size});
        at += block.size;
    }
    return labels;
}

double HeatmapPicture::row_label_width() const {
    double widest = 0.0;
    for (const BlockLabel& label : row_labels())
        for (const std::string& line : label.lines)
            widest = std::max(widest, meter_.width(line, style_.block()));
    return widest + 2 * style_.gap();
}

double HeatmapPicture::column_label_height() const {
    double highest = 0.0;
    for (const BlockLabel& label : column_labels())
        for (const std::string& line : label.lines)
            highest = std::max(highest, meter_.width(line, style_.block()));
    return highest;
}

double HeatmapPicture::flat_labels_width() const {
    double sum = -style_.gap();
    if (!heatmap_.column_word.empty()) return sum;  // numbers lie flat; those without room are left out
    for (const Block& block : heatmap_.column_blocks)
        sum += meter_.width(block.label, style_.block()) + style_.gap();
    return sum;
}

std::vector<Tick> HeatmapPicture::bar_ticks() const { return make_ticks(lowest_, limit_, Scale::linear, 5); }

double HeatmapPicture::bar_room() const {
    double widest = 0.0;
    for (const Tick& tick : bar_ticks())
        widest = std::max(widest, meter_.width(typographic(tick.label), style_.tick()));
    return 14.0 * style_.scale + style_.tick_length() + style_.gap() + widest;
}

double HeatmapPicture::marks_room() const {
    return marks_legend_ ? marks_legend_->height() + style_.gap() : 0.0;
}

double HeatmapPicture::strip_room() const {
    return heatmap_.norm ? 3 * style_.gap() + 4.0 * style_.scale + style_.note().line_height() : style_.gap();
}

std::vector<std::string> HeatmapPicture::note_lines() const {
    return meter_.wrap(heatmap_.note, style_.note(), cell_.width);
}

std::string HeatmapPicture::norm_text() const {
    std::string text = "norm " + typographic(readout(*heatmap_.norm));
    if (heatmap_.norm_reference > 0.0) text += fmt::format(" (mark: {})", readout(heatmap_.norm_reference));
    return text;
}

void HeatmapPicture::draw(Canvas& canvas, const Rect& area, double title_bottom) const {
    const Table& values = heatmap_.values;
    if (values.rows <= 0 || values.columns <= 0) {
        draw_title(canvas, title_lines(), cell_, cell_.center().x, title_bottom, style_.title(), meter_);
        canvas.text("no data", cell_.center(), style_.note(), Align::center);
        return;
    }
    const Size side = cell_size(area);
    const double width = side.width * values.columns;
    const double left = cell_.x + (cell_.width - insets_.left - width - insets_.right) / 2 + insets_.left;
    const Rect matrix{left, area.y, width, side.height * values.rows};
    draw_title(canvas, title_lines(), cell_, matrix.center().x, title_bottom, style_.title(), meter_);
    draw_values(canvas, matrix);
    draw_hatching(canvas, matrix);
    draw_borders(canvas, matrix);
    draw_marks(canvas, matrix);
    draw_row_labels(canvas, matrix);
    draw_column_labels(canvas, matrix);
    draw_color_bar(canvas, matrix);
    const std::vector<std::string> note = note_lines();
    double below = draw_norm_strip(canvas, matrix) + style_.gap();
    if (marks_legend_) {
        marks_legend_->draw(canvas, {cell_.x + (cell_.width - marks_legend_->width()) / 2, below});
        below += marks_room();
    }
    const double note_bottom = below + static_cast<double>(note.size()) * style_.note().line_height();
    draw_title(canvas, note, cell_, matrix.center().x, note_bottom, style_.note(), meter_);
}

void HeatmapPicture::draw_row_labels(Canvas& canvas, const Rect& matrix) const {
    const TextStyle text = style_.block();
    const double cell = matrix.height / heatmap_.values.rows;
    const std::vector<BlockLabel> labels = row_labels();
    std::vector<double> centers, extents;
    for (const BlockLabel& label : labels) {
        centers.push_back((label.first + label.last) / 2 * cell);
        extents.push_back(static_cast<double>(label.lines.size()) * text.line_height());
    }
    const std::vector<double> starts = place_side_by_side(centers, extents, matrix.height, 0.0);
    for (size_t i = 0; i < labels.size(); ++i) {
        if (std::isnan(starts[i])) continue;
        double baseline = matrix.y + starts[i] + (text.line_height() + text.ascent()) / 2;
        for (const std::string& line : labels[i].lines) {
            canvas.text(line, {matrix.x - 2 * style_.gap(), baseline}, text, Align::right);
            baseline += text.line_height();
        }
    }
}

void HeatmapPicture::draw_column_labels(Canvas& canvas, const Rect& matrix) const {
    const TextStyle text = style_.block();
    const double cell = matrix.width / heatmap_.values.columns;
    const std::vector<BlockLabel> labels = column_labels();
    std::vector<double> centers, extents;
    for (const BlockLabel& label : labels) {
        centers.push_back((label.first + label.last) / 2 * cell);
        extents.push_back(turned_ ? static_cast<double>(label.lines.size()) * text.line_height()
                                  : meter_.width(label.lines[0], text));
    }
    const std::vector<double> starts =
        place_side_by_side(centers, extents, matrix.width, turned_ ? 0.0 : style_.gap());
    const double y = matrix.y - 2 * style_.gap();
    for (size_t i = 0; i < labels.size(); ++i) {
        if (std::isnan(starts[i])) continue;
        double x = matrix.x + starts[i];
        if (turned_) x += (text.line_height() + text.ascent()) / 2;
        for (const std::string& line : labels[i].lines) {
            canvas.text(line, {x, y}, text, Align::left, turned_ ? 1 : 0);
            x += text.line_height();
        }
    }
}

void HeatmapPicture::draw_color_bar(Canvas& canvas, const Rect& matrix) const {
    const TextStyle text = style_.tick();
    const Rect bar{matrix.right() + 7.0 * style_.scale, matrix.y, 7.0 * style_.scale, matrix.height};
    const double step = bar.height / kBarSteps;
    for (int i = 0; i < kBarSteps; ++i) {
        const double t = std::lerp(1.0, lowest_ / limit_, (i + 0.5) / kBarSteps);
        const double reach = i + 1 < kBarSteps ? std::min(0.6, step) : 0.0;
        canvas.fill({bar.x, bar.y + i * step, bar.width, step + reach}, color_of(map_, t, Theme::light));
    }
    canvas.frame(bar, {kBorder, style_.grid_line()});
    draw_clip_marks(canvas, bar);
    double previous = 1e9;
    for (const Tick& tick : bar_ticks()) {
        const double y = bar.bottom() - (tick.value - lowest_) / (limit_ - lowest_) * bar.height;
        if (previous - y < text.size) continue;  // a small matrix has no room for all
        previous = y;
        canvas.line({bar.right(), y}, {bar.right() + style_.tick_length(), y}, {kBorder, style_.grid_line()});
        const double x = bar.right() + style_.tick_length() + 0.7 * style_.gap();
        canvas.text(typographic(tick.label), {x, y + text.ascent() / 2}, text);
    }
}

void HeatmapPicture::draw_clip_marks(Canvas& canvas, const Rect& bar) const {
    const ClippedCells clipped = clipped_cells(heatmap_);
    const auto mark = [&](double base, double tip, double end) {
        const std::vector<Point> corners = {{bar.x, base}, {bar.right(), base}, {bar.center().x, tip}};
        canvas.polygon(corners, color_of(map_, end, Theme::light), 1.0);
        canvas.polyline({corners[0], corners[2], corners[1]}, {kBorder, style_.grid_line()});
    };
    const double length = 0.8 * bar.width;
    if (clipped.above > 0) mark(bar.y, bar.y - length, 1.0);
    if (clipped.below > 0) mark(bar.bottom(), bar.bottom() + length, -1.0);
}

double HeatmapPicture::draw_norm_strip(Canvas& canvas, const Rect& matrix) const {
    if (!heatmap_.norm) return matrix.bottom() + style_.gap();
    const double reference = std::max(0.0, heatmap_.norm_reference);
    const double longest = std::max(*heatmap_.norm, reference);
    const Rect track{matrix.x, matrix.bottom() + 2 * style_.gap(), matrix.width, 4.0 * style_.scale};
    canvas.fill(track, kTrack);
    if (std::isfinite(longest) && longest > 0.0) {
        canvas.fill({track.x, track.y, track.width * std::max(0.0, *heatmap_.norm) / longest, track.height},
                    kFaintInk);
        const double mark = track.x + track.width * reference / longest;
        if (reference > 0.0)
            canvas.line({mark, track.y - style_.gap() / 2}, {mark, track.bottom() + style_.gap() / 2},
                        {categorical(1, Theme::light), 1.2 * style_.scale});
    }
    const TextStyle text = style_.note();
    const double end = track.bottom() + style_.gap() + text.line_height();
    draw_title(canvas, {norm_text()}, cell_, matrix.center().x, end, text, meter_);
    return end;
}

}  // namespace emergence::page
