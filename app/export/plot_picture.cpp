// Draws a plot on the page, and legends.

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/export/cell_picture.h"
#include "core/base/ranges.h"
#include "core/pictures/axis.h"
#include "core/pictures/draw_plot.h"
#include "core/pictures/plot.h"

namespace emergence::page {
namespace {

double sample_width(const Style& style) { return 16.0 * style.scale; }
double entry_gap(const Style& style) { return 8.0 * style.scale; }

/// The place in the free room, from 0 to 1 to the right and downwards.
struct Corner {
    double right, down;
    int rank;  // 0 a corner, 1 an edge, 2 inside
};

std::vector<Corner> places() {
    constexpr int kSteps = 16;
    std::vector<Corner> all;
    for (int i = kSteps; i >= 0; --i) {
        for (int j = 0; j <= kSteps; ++j) {
            const int inner = (i % kSteps != 0 ? 1 : 0) + (j % kSteps != 0 ? 1 : 0);
            all.push_back({static_cast<double>(i) / kSteps, static_cast<double>(j) / kSteps, inner});
        }
    }
    return all;
}

}  // namespace

Legend::Legend(const std::vector<LegendEntry>& entries, int columns, double limit, const Style& style,
               const TextMeter& meter)
    : columns_(std::clamp(columns, 1, std::max(1, static_cast<int>(entries.size())))), style_(style) {
    const double before_text = sample_width(style) + style.gap();
    const double text_limit = std::max(20.0, limit / columns_ - before_text - entry_gap(style));
    double widest = 0.0;
    for (const LegendEntry& entry : entries) {
        items_.push_back({entry, meter.wrap(entry.name, style.legend(), text_limit)});
        widest = std::max(widest, meter.widest(items_.back().lines, style.legend()));
    }
    column_width_ = before_text + widest + entry_gap(style);
}

size_t Legend::num_rows() const {
    const auto columns = static_cast<size_t>(columns_);
    return (items_.size() + columns - 1) / columns;
}

double Legend::row_height(size_t row) const {
    size_t lines = 1;
    const auto columns = static_cast<size_t>(columns_);
    for (size_t i = row * columns; i < std::min(items_.size(), (row + 1) * columns); ++i)
        lines = std::max(lines, items_[i].lines.size());
    return static_cast<double>(lines) * style_.legend().line_height();
}

double Legend::height() const {
    double height = 0.0;
    for (size_t row = 0; row < num_rows(); ++row) height += row_height(row);
    return height;
}

void Legend::draw(Canvas& canvas, Point upper_left, const PictureStyle& look) const {
    const TextStyle text = style_.legend();
    double y = upper_left.y;
    for (size_t i = 0; i < items_.size(); ++i) {
        const auto column = static_cast<int>(i % static_cast<size_t>(columns_));
        if (i > 0 && column == 0) y += row_height(i / static_cast<size_t>(columns_) - 1);
        const double x = upper_left.x + column * column_width_;
        const double middle = y + text.line_height() / 2;
        const auto& [entry, lines] = items_[i];
        draw_sample(canvas, entry, {x, middle}, look);
        double baseline = middle + text.ascent() / 2;
        for (const std::string& line : lines) {
            canvas.text(line, {x + sample_width(style_) + style_.gap(), baseline}, text);
            baseline += text.line_height();
        }
    }
}

PlacedLegend place_inside(const std::vector<LegendEntry>& entries, const Rect& area, const Obstacles& obstacles,
                          const Style& style, const TextMeter& meter) {
    const double pad = 5.0 * style.scale;
    const Rect room = area.grown(-pad);
    std::optional<PlacedLegend> best;
    double best_score = 0.0;
    for (int columns = 1; columns <= std::min<int>(4, static_cast<int>(entries.size())); ++columns) {
        const Legend legend(entries, columns, room.width, style, meter);
        const bool fits = legend.width() <= room.width && legend.height() <= room.height;
        if (best && (!fits || !best->covers)) break;
        for (const Corner& place : places()) {
            const Rect box{room.x + place.right * std::max(0.0, room.width - legend.width()),
                           room.y + place.down * std::max(0.0, room.height - legend.height()), legend.width(),
                           legend.height()};
            const double covered = obstacles.covered_by(box.grown(2.0 * style.scale));
            // A free place beats one that covers something. Then corners beat edges, and then wide places beat narrow
            // ones.
            const double score = 1e6 * covered + 1e4 * place.rank + obstacles.covered_by(box.grown(3 * pad));
            if (best && score >= best_score) continue;
            best = PlacedLegend{legend, {box.x, box.y}, covered > 0.0 || !fits};
            best_score = score;
        }
    }
    return *best;
}

Legend legend_below(const std::vector<LegendEntry>& entries, double width, const Style& style, const TextMeter& meter) {
    for (int columns = static_cast<int>(entries.size()); columns > 1; --columns) {
        // No limit is set, to measure its natural width.
        Legend legend(entries, columns, 1e6, style, meter);
        if (legend.width() <= width) return legend;
    }
    // A long list in one column would leave no room for the plot. So long names are broken into two lines, unless the
    // legend is no flatter then.
    constexpr size_t kLong = 6;
    const Legend one(entries, 1, width, style, meter);
    if (entries.size() < kLong) return one;
    const Legend two(entries, 2, width, style, meter);
    return two.height() < one.height() ? two : one;
}

namespace {

// The plot has the limits of its axes, and hidden series are left out.
PlotSpec with_ranges(PlotSpec plot) {
    cut_outliers(plot);
    set_ranges(plot, shapes_of(plot), {});
    std::erase_if(plot.series, [](const Series& series) { return series.hidden; });
    return plot;
}

bool has_data(const std::vector<SeriesShape>& shapes) {
    return any_of(shapes, [](const SeriesShape& shape) {
        return any_of(shape.center, [](double v) { return std::isfinite(v); });
    });
}

// Draws a PlotSpec, and knows how much room it needs around its axes. `style` and `meter` must outlive it.
class PlotPicture final : public CellPicture {
  public:
    PlotPicture(const PlotSpec& plot, const Rect& cell, const Style& style, const TextMeter& meter);

    // The room around the axes for labels, ticks and a legend below the plot, without the title.
    Insets insets() const override;
    Need need() const override;
    bool has_axes() const override { return true; }
    // Moves the legend below the plot if it would cover something inside `area` and there is room. Returns true if
    // insets() has grown.
    bool make_room(const Rect& area) override;
    // The title ends at `title_bottom`.
    void draw(Canvas& canvas, const Rect& area, double title_bottom) const override;

  private:
    PlotLayout layout_in(const Rect& area) const;
    std::vector<Tick> x_ticks(double width) const;
    std::vector<Tick> y_ticks(double height) const;
    std::vector<std::string> x_title_lines() const;
    std::vector<std::string> y_title_lines() const;
    double left_room() const;
    double right_room() const;
    // The plot before it is aligned with others.
    double axis_width() const;
    // The legend goes below the plot if it would cover something inside `area`.
    std::optional<Legend> legend_out_of(const Rect& area) const;
    double widest_label(const std::vector<Tick>& ticks) const;
    void draw_axis_titles(Canvas& canvas, const Rect& area) const;
    void draw_legend(Canvas& canvas, const Rect& area, const Obstacles& obstacles) const;

    PlotSpec shown_;
    std::vector<SeriesShape> shapes_;
    PictureStyle look_;
    std::vector<LegendEntry> entries_;
    AxisRange range_x_, range_y_;
    std::optional<Legend> legend_below_;
};

PlotPicture::PlotPicture(const PlotSpec& plot, const Rect& cell, const Style& style, const TextMeter& meter)
    : CellPicture(plot.title, cell, style, meter),
      shown_(with_ranges(plot)),
      shapes_(shapes_of(shown_)),
      look_(style.picture()),
      entries_(legend_entries(shown_)),
      range_x_(*shown_.x.minimum, *shown_.x.maximum),
      range_y_(*shown_.y.minimum, *shown_.y.maximum) {}

PlotLayout PlotPicture::layout_in(const Rect& area) const {
    return lay_out_plot(shown_, shapes_, PlotPlace(shown_, range_x_, range_y_, area), look_, meter_);
}

double PlotPicture::widest_label(const std::vector<Tick>& ticks) const {
    double widest = 0.0;
    for (const Tick& tick : ticks) widest = std::max(widest, meter_.text_width(with_minus(tick.label), style_.tick()));
    return widest;
}

/// Chooses as many ticks as have room for their labels side by side.
std::vector<Tick> PlotPicture::x_ticks(double width) const {
    for (int wanted = std::max(2, static_cast<int>(width / (34.0 * style_.scale)));; --wanted) {
        std::vector<Tick> ticks = make_ticks(shown_.x, range_x_, wanted);
        double previous_end = -1e9;
        bool fits = true;
        for (const Tick& tick : ticks) {
            if (tick.label.empty()) continue;
            const double at = width * axis_fraction(tick.value, range_x_.first, range_x_.second, shown_.x.scale);
            const double half = meter_.text_width(with_minus(tick.label), style_.tick()) / 2;
            fits = fits && at - half > previous_end;
            previous_end = at + half + 0.7 * style_.tick().size;
        }
        if (fits || wanted <= 2) return ticks;
    }
}

std::vector<Tick> PlotPicture::y_ticks(double height) const {
    const int wanted = std::max(2, static_cast<int>(height / (24.0 * style_.scale)));
    return make_ticks(range_y_.first, range_y_.second, shown_.y.scale, wanted);
}

/// The title is no wider than the axis, because the space to its left belongs to the other title.
std::vector<std::string> PlotPicture::x_title_lines() const {
    return meter_.wrap(axis_title(shown_.x), style_.axis(), axis_width());
}

std::vector<std::string> PlotPicture::y_title_lines() const {
    return meter_.wrap(axis_title(shown_.y), style_.axis(), 0.55 * cell_.height);
}

double PlotPicture::left_room() const {
    const double ticks = style_.tick_length() + style_.gap() + widest_label(y_ticks(0.75 * cell_.height));
    const std::vector<std::string> lines = y_title_lines();
    if (lines.empty()) return ticks;
    return ticks + style_.gap() + static_cast<double>(lines.size()) * style_.axis().line_height();
}

double PlotPicture::right_room() const {
    return std::max(4.0 * style_.scale, widest_label(x_ticks(0.8 * cell_.width)) / 2);
}

double PlotPicture::axis_width() const { return std::max(0.2 * cell_.width, cell_.width - left_room() - right_room()); }

Insets PlotPicture::insets() const {
    Insets room{left_room(), style_.gap(), right_room(), 0.0};
    room.bottom = style_.tick_length() + style_.gap() + style_.tick().size;
    if (const std::vector<std::string> lines = x_title_lines(); !lines.empty())
        room.bottom += style_.gap() + static_cast<double>(lines.size()) * style_.axis().line_height();
    if (legend_below_) room.bottom += legend_below_->height() + style_.gap();
    return room;
}

CellPicture::Need PlotPicture::need() const {
    Need need{insets(), 90.0 * style_.scale, 76.0 * style_.scale, 76.0 * style_.scale};
    const Rect least{cell_.x + left_room(), cell_.y, axis_width(), need.height};
    if (const auto legend = legend_out_of(least)) need.around.bottom += legend->height() + style_.gap();
    return need;
}

std::optional<Legend> PlotPicture::legend_out_of(const Rect& area) const {
    if (legend_below_ || entries_.empty()) return std::nullopt;
    if (!place_inside(entries_, area, layout_in(area).obstacles, style_, meter_).covers) return std::nullopt;
    const Legend legend = legend_below(entries_, axis_width(), style_, meter_);
    // There is also room below the labels of the y axis.
    const Legend wider = legend_below(entries_, cell_.width, style_, meter_);
    return wider.height() < legend.height() ? wider : legend;
}

bool PlotPicture::make_room(const Rect& area) {
    const auto legend = legend_out_of(area);
    if (!legend) return false;
    // A plot beside one whose legend stands below has room already.
    const double free = std::max(0.0, cell_.bottom() - area.bottom() - insets().bottom);
    const double left = area.height - std::max(0.0, legend->height() - free);
    // A plot that is mostly legend shows less than one whose legend covers something.
    if (left < 0.15 * cell_.height) return false;
    legend_below_ = legend;
    return true;
}

void PlotPicture::draw(Canvas& canvas, const Rect& area, double title_bottom) const {
    draw_own_title(canvas, area.center().x, title_bottom);
    const PlotLayout layout = layout_in(area);
    const PlotAxes axes =
        lay_out_axes(layout.place, x_ticks(area.width), y_ticks(area.height),
                     {cell_.x - cell_.width, cell_.right() + cell_.width, cell_.right() + cell_.width}, look_, meter_);
    draw_grid(canvas, axes, area, look_);
    draw_axis_titles(canvas, area);
    draw_plot(canvas, shown_, layout, std::vector<Emphasis>(shown_.series.size(), Emphasis::normal), look_);
    draw_axes_frame(canvas, axes, area, look_);
    draw_legend(canvas, area, layout.obstacles);
    if (!shown_.series.empty() && !has_data(shapes_))
        canvas.text("no data", area.center(), style_.note(), Align::center);
}

void PlotPicture::draw_legend(Canvas& canvas, const Rect& area, const Obstacles& obstacles) const {
    if (entries_.empty()) return;
    if (legend_below_) {
        const double x = std::min(area.x, cell_.right() - legend_below_->width());
        const double below = insets().bottom - legend_below_->height();
        legend_below_->draw(canvas, {std::max(cell_.x, x), area.bottom() + below}, look_);
        return;
    }
    const PlacedLegend placed = place_inside(entries_, area, obstacles, style_, meter_);
    if (placed.covers)
        canvas.fill({placed.upper_left.x, placed.upper_left.y, placed.legend.width(), placed.legend.height()},
                    {kPaper, 0.75});
    placed.legend.draw(canvas, placed.upper_left, look_);
}

void PlotPicture::draw_axis_titles(Canvas& canvas, const Rect& area) const {
    const TextStyle text = style_.axis();
    const std::vector<std::string> x_lines = x_title_lines();
    const double below_ticks = area.bottom() + style_.tick_length() + 2 * style_.gap() + style_.tick().size;
    draw_title(canvas, x_lines, cell_, area.center().x,
               below_ticks + static_cast<double>(x_lines.size()) * text.line_height(), text, meter_);
    const std::vector<std::string> y_lines = y_title_lines();
    double longest = 0.0;
    for (const std::string& line : y_lines) longest = std::max(longest, meter_.text_width(line, text));
    // A title longer than the axis hangs over at the lower end, because no other title is there.
    const double middle = std::max(area.center().y, area.y + longest / 2);
    double x = area.x - style_.tick_length() - 2 * style_.gap() - widest_label(y_ticks(area.height)) - text.descent() -
               (static_cast<double>(y_lines.size()) - 1.0) * text.line_height();
    for (const std::string& line : y_lines) {
        canvas.text(line, {x, middle}, text, Align::center, Level::baseline, 1);
        x += text.line_height();
    }
}

}  // namespace

std::unique_ptr<CellPicture> make_picture(const PlotSpec& plot, const Rect& cell, const Style& style,
                                          const TextMeter& meter) {
    return std::make_unique<PlotPicture>(plot, cell, style, meter);
}

}  // namespace emergence::page
