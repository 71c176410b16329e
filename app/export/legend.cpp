#include "app/export/legend.h"

#include <algorithm>
#include <optional>

namespace emergence::page {
namespace {

double sample_width(const Style& style) { return 16.0 * style.scale; }
double entry_gap(const Style& style) { return 8.0 * style.scale; }

/// Where in the free room: 0..1 to the right and downwards.
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
        for (const std::string& line : items_.back().lines)
            widest = std::max(widest, meter.text_width(line, style.legend()));
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
            // Whatever is free beats whatever is not, then corners beat edges, then wide room beats narrow.
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
        // Without a limit, to see how wide it wants to be.
        Legend legend(entries, columns, 1e6, style, meter);
        if (legend.width() <= width) return legend;
    }
    // A long list in one column would leave no room for the plot: long names are broken into two lines, unless that is
    // no flatter.
    constexpr size_t kLong = 6;
    const Legend one(entries, 1, width, style, meter);
    if (entries.size() < kLong) return one;
    const Legend two(entries, 2, width, style, meter);
    return two.height() < one.height() ? two : one;
}

}  // namespace emergence::page
