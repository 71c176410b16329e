// Draws a matrix or a drawing on the page.

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/export/cell_picture.h"
#include "core/pictures/axis.h"
#include "core/pictures/drawing.h"
#include "core/pictures/matrix_cells.h"
#include "core/pictures/pen.h"

namespace emergence::page {
namespace {

// Draws a HeatmapSpec, always the whole matrix. It knows how much room it needs around its square cells. All arguments
// must outlive it.
class HeatmapPicture final : public CellPicture {
  public:
    HeatmapPicture(const HeatmapSpec& heatmap, const Rect& cell, const Style& style, const TextMeter& meter);

    // The room around the matrix for block labels, colour bar, norm strip and note, without the title.
    Insets insets() const override { return insets_; }
    Need need() const override;
    // Draws the matrix as large as it fits at the top of `area`, centred in the cell. The title ends at `title_bottom`.
    void draw(Canvas& canvas, const Rect& area, double title_bottom) const override;

  private:
    // The text is broken into lines, but no word is broken.
    std::vector<BlockLabel> row_lines() const;
    std::vector<BlockLabel> column_lines() const;
    void wrap_labels(std::vector<BlockLabel>& labels, double limit) const;
    double longest_line(const std::vector<BlockLabel>& labels) const;
    double flat_labels_width() const;
    double bar_room() const;
    double strip_room() const;
    double marks_room() const;  // room for the legend of the marks
    std::vector<std::string> note_lines() const;
    Size cell_size(const Rect& area) const;

    void draw_values(Canvas& canvas, const CellGrid& place, const CellColors& color) const;
    // Returns where it ends.
    double draw_norm_strip(Canvas& canvas, const Rect& matrix) const;

    const HeatmapSpec& heatmap_;
    const ColorMap& map_;
    double limit_ = 1.0;
    Insets insets_;
    std::optional<Legend> marks_legend_;
    bool turned_ = false;  // column labels are turned
};

HeatmapPicture::HeatmapPicture(const HeatmapSpec& heatmap, const Rect& cell, const Style& style, const TextMeter& meter)
    : CellPicture(heatmap.title, cell, style, meter), heatmap_(heatmap), map_(color_map_of(heatmap)) {
    if (std::isfinite(heatmap.limit) && heatmap.limit > 0.0) limit_ = heatmap.limit;
    const auto height_of = [](size_t lines, const TextStyle& text) {
        return static_cast<double>(lines) * text.line_height();
    };
    std::vector<LegendEntry> marks;
    for (const CellMarks& one : heatmap.marks) marks.push_back({.name = one.name, .color = one.color, .points = true});
    if (!marks.empty()) marks_legend_ = legend_below(marks, cell.width, style, meter);
    insets_.left = longest_line(row_lines()) + 2 * style_.gap();
    insets_.right = bar_room();
    insets_.bottom = strip_room() + marks_room() + style_.gap() + height_of(note_lines().size(), style_.note());
    // The matrix's size decides whether its column labels have room, and the labels decide the size. The matrix is
    // largest if labels lie flat, so this asks first what fits then.
    insets_.top = style_.block().line_height() + 2.5 * style_.gap();
    Rect below_title = cell_;
    below_title.height -= title_height();
    turned_ = flat_labels_width() > cell_size(insets_.inside(below_title)).width * heatmap_.values.columns;
    if (turned_) insets_.top = longest_line(column_lines()) + 4 * style_.gap();
}

CellPicture::Need HeatmapPicture::need() const {
    constexpr double kLeastSide = 36.0, kFullSide = 130.0;  // of a matrix, at scale 1
    const double line = style_.block().line_height(), least = kLeastSide * style_.scale;
    double row_labels = 0.0, row = style_.tick().line_height(), column_labels = 0.0;
    for (const BlockLabel& label : row_lines()) {
        const double height = line * static_cast<double>(label.lines.size());
        row_labels += height;
        row = std::max(row, height / (label.last - label.first));
    }
    for (const BlockLabel& label : column_lines()) column_labels += line * static_cast<double>(label.lines.size());
    const Size side = cell_size({0, 0, cell_.width - insets_.left - insets_.right, 1e6});
    const double cells = std::min(row * heatmap_.values.rows, cell_.width);
    const double height = std::max({least, row_labels, heatmap_.free_aspect ? cells : 0.0});
    return {insets_, std::max(least, turned_ ? column_labels : flat_labels_width()), height,
            heatmap_.free_aspect
                ? height
                : std::max(height, std::min(side.height * heatmap_.values.rows, kFullSide * style_.scale))};
}

Size HeatmapPicture::cell_size(const Rect& area) const {
    const Size room{area.width / std::max(1, heatmap_.values.columns), area.height / std::max(1, heatmap_.values.rows)};
    if (heatmap_.free_aspect) return room;
    const int larger = std::max({1, heatmap_.values.rows, heatmap_.values.columns});
    const double side = std::min({room.width, room.height, 0.5 * cell_.width * 3 / larger});
    return {side, side};
}

// A word that is longer than the limit stays on its line.
void HeatmapPicture::wrap_labels(std::vector<BlockLabel>& labels, double limit) const {
    const TextStyle text = style_.block();
    for (BlockLabel& label : labels) label.lines = meter_.wrap_words(label.lines[0], text, limit);
}

std::vector<BlockLabel> HeatmapPicture::row_lines() const {
    std::vector<BlockLabel> labels = row_labels(heatmap_, {heatmap_.values, {}}, style_.picture());
    if (heatmap_.row_word.empty()) wrap_labels(labels, 0.25 * cell_.width);
    return labels;
}

std::vector<BlockLabel> HeatmapPicture::column_lines() const {
    std::vector<BlockLabel> labels = column_labels(heatmap_, {heatmap_.values, {}}, style_.picture());
    if (turned_) wrap_labels(labels, 60.0 * style_.scale);
    return labels;
}

double HeatmapPicture::longest_line(const std::vector<BlockLabel>& labels) const {
    double longest = 0.0;
    for (const BlockLabel& label : labels) longest = std::max(longest, meter_.widest(label.lines, style_.block()));
    return longest;
}

double HeatmapPicture::flat_labels_width() const {
    double sum = -style_.gap();
    if (!heatmap_.column_word.empty()) return sum;  // numbers lie flat, and those without room are left out
    for (const Block& block : heatmap_.column_blocks)
        sum += meter_.text_width(greek(block.label), style_.block()) + style_.gap();
    return sum;
}

double HeatmapPicture::bar_room() const {
    const auto [most, middle, least] = bar_numbers(heatmap_);
    const double widest = std::max(meter_.text_width(most, style_.tick()), meter_.text_width(least, style_.tick()));
    return 14.0 * style_.scale + 2 * style_.gap() + widest;
}

double HeatmapPicture::marks_room() const { return marks_legend_ ? marks_legend_->height() + style_.gap() : 0.0; }

double HeatmapPicture::strip_room() const {
    return heatmap_.norm ? 3 * style_.gap() + 4.0 * style_.scale + style_.note().line_height() : style_.gap();
}

std::vector<std::string> HeatmapPicture::note_lines() const {
    return meter_.wrap(heatmap_.note, style_.note(), cell_.width);
}

void HeatmapPicture::draw_values(Canvas& canvas, const CellGrid& place, const CellColors& color) const {
    constexpr size_t kMostSquares = 1600;  // a larger matrix is one image, because its squares would fill megabytes
    const Table& values = heatmap_.values;
    const bool image = values.values.size() > kMostSquares;
    if (image) {
        std::vector<Rgb> colors;
        for (const double value : values.values) colors.push_back(color(value / limit_));
        canvas.cells(place.seen, values.columns, values.rows, colors);
    }
    for (int row = 0; row < values.rows; ++row)
        for (int column = 0; column < values.columns; ++column) {
            const double value = values(row, column);
            const Rect own = place.seen_of({row, row + 1, column, column + 1});
            Rect square = own;
            // Cells reach under the next ones, because viewers show the paper between edges that only touch.
            square.width += column + 1 < values.columns ? std::min(0.6, 0.5 * own.width) : 0.0;
            square.height += row + 1 < values.rows ? std::min(0.6, 0.5 * own.height) : 0.0;
            if (!image) canvas.fill(square, color(value / limit_));
            if (std::isnan(value))
                canvas.line({own.x, own.bottom()}, {own.right(), own.y},
                            {kHatch, std::min(style_.grid_line(), 0.1 * own.width)});
        }
}

void HeatmapPicture::draw(Canvas& canvas, const Rect& area, double title_bottom) const {
    const Table& values = heatmap_.values;
    if (values.rows <= 0 || values.columns <= 0) {
        draw_own_title(canvas, cell_.center().x, title_bottom);
        canvas.text("no data", cell_.center(), style_.note(), Align::center);
        return;
    }
    const Size side = cell_size(area);
    const double width = side.width * values.columns;
    const double left = cell_.x + (cell_.width - insets_.left - width - insets_.right) / 2 + insets_.left;
    const Rect matrix{left, area.y, width, side.height * values.rows};
    draw_own_title(canvas, matrix.center().x, title_bottom);
    const CellGrid place(values, matrix);
    const PictureStyle look = style_.picture();
    const CellColors colors = [this](double t) { return color_of(map_, t, Theme::light); };
    draw_values(canvas, place, colors);
    draw_cell_numbers(canvas, heatmap_, colors, place, look);
    draw_hatching(canvas, heatmap_, place, look);
    draw_borders(canvas, heatmap_, place, look);
    draw_cell_marks(canvas, heatmap_, place, look);
    draw_row_labels(canvas, row_lines(), place, look);
    draw_column_labels(canvas, column_lines(), place, turned_, look);
    const Rect bar{matrix.right() + 7.0 * style_.scale, matrix.y, 7.0 * style_.scale, matrix.height};
    draw_color_bar(canvas, heatmap_, colors, bar, look);
    const std::vector<std::string> note = note_lines();
    double below = draw_norm_strip(canvas, matrix) + style_.gap();
    if (marks_legend_) {
        marks_legend_->draw(canvas, {cell_.x + (cell_.width - marks_legend_->width()) / 2, below}, look);
        below += marks_room();
    }
    const double note_bottom = below + static_cast<double>(note.size()) * style_.note().line_height();
    draw_title(canvas, note, cell_, matrix.center().x, note_bottom, style_.note(), meter_);
}

double HeatmapPicture::draw_norm_strip(Canvas& canvas, const Rect& matrix) const {
    if (!heatmap_.norm) return matrix.bottom() + style_.gap();
    const Rect strip{matrix.x, matrix.bottom() + 2 * style_.gap(), matrix.width, 4.0 * style_.scale};
    emergence::draw_norm_strip(canvas, heatmap_, strip, style_.picture());
    const TextStyle text = style_.note();
    const double end = strip.bottom() + style_.gap() + text.line_height();
    draw_title(canvas, {norm_text(heatmap_, meter_, text, cell_.width)}, cell_, matrix.center().x, end, text, meter_);
    return end;
}

// Draws a DrawingSpec as large as it fits, with its read-out below. All arguments must outlive it.
class DrawingPicture final : public CellPicture {
  public:
    DrawingPicture(const DrawingSpec& drawing, const Rect& cell, const Style& style, const TextMeter& meter);

    Insets insets() const override;
    Need need() const override;
    void draw(Canvas& canvas, const Rect& area, double title_bottom) const override;

  private:
    const DrawingSpec& drawing_;
    std::vector<std::string> readout_;  // in lines
};

DrawingPicture::DrawingPicture(const DrawingSpec& drawing, const Rect& cell, const Style& style, const TextMeter& meter)
    : CellPicture(drawing.title, cell, style, meter),
      drawing_(drawing),
      readout_(meter.wrap(drawing.readout, style.note(), cell.width)) {}

Insets DrawingPicture::insets() const {
    return {0.0, style_.gap(), 0.0, style_.gap() + static_cast<double>(readout_.size()) * style_.note().line_height()};
}

CellPicture::Need DrawingPicture::need() const {
    return {insets(), 130.0 * style_.scale, 110.0 * style_.scale, 110.0 * style_.scale};
}

void DrawingPicture::draw(Canvas& canvas, const Rect& area, double title_bottom) const {
    draw_own_title(canvas, cell_.center().x, title_bottom);
    const DrawingFit fit = draw_shapes(canvas, drawing_, area, style_.picture());
    double baseline = bounds_of(drawing_, fit).bottom() + style_.gap() + style_.note().line_height();
    for (const std::string& line : readout_) {
        canvas.text(line, {cell_.center().x, baseline}, style_.note(), Align::center);
        baseline += style_.note().line_height();
    }
}

}  // namespace

std::unique_ptr<CellPicture> make_picture(const HeatmapSpec& heatmap, const Rect& cell, const Style& style,
                                          const TextMeter& meter) {
    return std::make_unique<HeatmapPicture>(heatmap, cell, style, meter);
}

std::unique_ptr<CellPicture> make_picture(const DrawingSpec& drawing, const Rect& cell, const Style& style,
                                          const TextMeter& meter) {
    return std::make_unique<DrawingPicture>(drawing, cell, style, meter);
}

}  // namespace emergence::page
