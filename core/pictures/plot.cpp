#include "core/pictures/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/pictures/axis.h"
#include "core/pictures/pen.h"

namespace emergence {

static void set_limits(AxisSpec& axis, const AxisRange& range) {
    axis.minimum = range.first;
    axis.maximum = range.second;
}

static std::optional<AxisRange> usable(const std::optional<AxisRange>& range, Scale scale) {
    return range && is_valid(*range, scale) ? range : std::nullopt;
}

// The column that the histogram reads: the nearest to the first vertical line, or the last with a value.
static size_t column_read(const PlotSpec& plot, const Series& series) {
    const auto mark = find_if(plot.lines, [](const ReferenceLine& line) { return line.vertical; });
    size_t best = 0;
    for (size_t i = 0; i < series.x.size(); ++i) {
        if (mark != plot.lines.end()) {
            if (std::abs(series.x[i] - mark->value) < std::abs(series.x[best] - mark->value)) best = i;
            continue;
        }
        const bool any = any_of(series.rows, [i](const auto& row) { return i < row.size() && std::isfinite(row[i]); });
        if (any) best = i;
    }
    return best;
}

// The number of seeds per bin, with an unused last entry. Adds to `outside` the number of values in no bin.
static std::vector<double> count_in_bins(const std::vector<double>& values, const std::vector<double>& edges,
                                         int& outside) {
    std::vector<double> counts(edges.size(), 0.0);
    for (const double value : values) {
        const bool inside = value >= edges.front() && value <= edges.back();
        outside += inside ? 0 : 1;
        if (!inside) continue;
        const auto above = std::upper_bound(edges.begin(), edges.end() - 1, value);
        counts[above - edges.begin() - 1] += 1.0;
    }
    return counts;
}

PlotSpec shown_as(PlotSpec plot, const PlotView& view) {
    plot.x.scale = view.x_scale.value_or(plot.x.scale);
    plot.y.scale = view.y_scale.value_or(plot.y.scale);
    plot.spread = view.spread.value_or(plot.spread);
    plot.smoothing = view.smoothing.value_or(plot.smoothing);
    plot.markers = plot.markers && view.markers;
    plot.sparse_markers = plot.sparse_markers && view.markers;
    if (view.histogram) plot = histogram_of(plot);
    for (Series& series : plot.series) series.hidden = view.hidden.count(series.name) != 0;
    return plot;
}

void set_ranges(PlotSpec& shown, const std::vector<SeriesShape>& shapes, const ViewRanges& ranges) {
    set_limits(shown.x, usable(ranges.x, shown.x.scale).value_or(fit_x(shown)));
    set_limits(shown.y, usable(ranges.y, shown.y.scale).value_or(fit_y(shown, shapes)));
}

bool is_valid(const AxisRange& range, Scale scale) {
    const auto [low, high] = range;
    if (!std::isfinite(low) || !std::isfinite(high) || !std::isfinite(high - low)) return false;
    if (scale == Scale::logarithmic) return low > 1e-300 && high / low > 1.0 + 1e-6;
    return high - low > 1e-9 * std::max(std::abs(low), std::abs(high)) && high - low > 1e-300;
}

AxisRange zoomed(const AxisRange& range, Scale scale, double fraction, double factor) {
    const auto end = [&](double at) {
        return axis_value(fraction + (at - fraction) * factor, range.first, range.second, scale);
    };
    const AxisRange result{end(0.0), end(1.0)};
    return is_valid(result, scale) ? result : range;
}

AxisRange panned(const AxisRange& range, Scale scale, double fraction) {
    const AxisRange result{axis_value(-fraction, range.first, range.second, scale),
                           axis_value(1.0 - fraction, range.first, range.second, scale)};
    return is_valid(result, scale) ? result : range;
}

bool has_distribution(const PlotSpec& plot) {
    return any_of(plot.series, [](const Series& series) { return series.rows.size() > 1; });
}

PlotSpec histogram_of(const PlotSpec& plot) {
    PlotSpec histogram;
    histogram.id = plot.id;
    histogram.title = plot.title;
    histogram.note = plot.note;
    histogram.x = plot.y;
    histogram.row_word = plot.row_word;
    const std::string rows = counted_as(plot.row_word) + "s";
    histogram.y.label = rows;
    histogram.y.minimum = 0.0;
    // A series of the histogram holds its values until the bins are known.
    std::vector<ReferenceLine> single;
    size_t most = 0;
    for (const Series& series : plot.series) {
        if (series.x.empty() || series.points) continue;  // a scatter has no last value
        const size_t column = column_read(plot, series);
        std::vector<double> values;
        gather_column(series.rows, column, values);
        if (series.rows.size() > 1) {
            if (histogram.series.empty())
                histogram.y.label = fmt::format("{} at {} = {}", rows, plot.x.label, readout(series.x[column]));
            most = std::max(most, values.size());
            histogram.series.push_back({.name = series.name,
                                        .x = std::move(values),
                                        .rows = {},
                                        .color = series.color,
                                        .dashed = series.dashed,
                                        .bars = true});
        } else if (!values.empty()) {
            single.push_back({series.name, values[0], true});
        }
    }
    const auto [low, high] = fit_x(histogram);
    const int bins = std::clamp(static_cast<int>(std::lround(3.0 * std::sqrt(static_cast<double>(most)))), 8, 30);
    std::vector<double> edges;
    for (int i = 0; i <= bins; ++i)
        edges.push_back(axis_value(static_cast<double>(i) / bins, low, high, histogram.x.scale));
    int outside = 0;
    for (Series& series : histogram.series)
        series.rows = {count_in_bins(std::exchange(series.x, edges), edges, outside)};
    for (const ReferenceLine& line : plot.lines)
        if (!line.vertical) histogram.lines.push_back({line.label, line.value, true});
    histogram.lines.insert(histogram.lines.end(), single.begin(), single.end());
    if (outside > 0) histogram.readout = counted(outside, "value") + " beyond the axis";
    return histogram;
}

static void add_note(PlotSpec& plot, const char* text) {
    plot.note += (plot.note.empty() ? "" : " ") + std::string(text);
}

static bool same_numbers(const Series& a, const Series& b) {
    if (a.rows.size() != b.rows.size()) return false;
    for (size_t row = 0; row < a.rows.size(); ++row)
        // A run that lags behind is compared as far as it has come.
        for (size_t i = 0; i < std::min(a.rows[row].size(), b.rows[row].size()); ++i)
            if (a.rows[row][i] != b.rows[row][i] && !(std::isnan(a.rows[row][i]) && std::isnan(b.rows[row][i])))
                return false;
    return true;
}

// Whether the reference is the same in the other run.
static bool is_shared(const PlotSpec& other, const Series& reference) {
    return any_of(other.series, [&](const Series& one) {
        return one.dashed && one.name == reference.name && same_numbers(one, reference);
    });
}

// Gives each line from `first` on another dash pattern if it looks like an earlier one.
static void tell_apart(std::vector<Series>& all, size_t first) {
    for (size_t i = first; i < all.size(); ++i) {
        Series& own = all[i];
        const auto taken = [&] {
            return any_of(std::span(all).first(i), [&](const Series& one) {
                return one.color == own.color && one.dashed == own.dashed && one.points == own.points;
            });
        };
        for (int pattern = 1; pattern < kDashPatterns && taken(); ++pattern) {
            own.color = in_dashes(own.color, pattern);
            own.dashed = true;
        }
    }
}

void overlay(PlotSpec& plot, const PlotSpec& of_b) {
    constexpr int kDots = 1;
    const PlotSpec of_a = plot;
    for (Series& series : plot.series)
        if (!series.name.empty() && !(series.dashed && is_shared(of_b, series))) series.name += ", A";
    // Each colour of A has another one in B, which no line of A has while others are left. Ordered things keep their
    // order.
    std::set<int> taken;
    for (const Series& series : of_a.series) taken.insert(in_dashes(series.color, 0));
    std::map<int, int> given;
    const auto color_of_b = [&](int color) {
        const int plain = in_dashes(color, 0);
        const auto [place, is_new] = given.try_emplace(plain, other_course(plain));
        if (!is_new || place->second != plain) return place->second;
        for (const int candidate : {4, 6, 2, 5, 3, 8, 10, 1, 9, 11, 7, 0}) {  // far apart; first that of run B's name
            if (!taken.insert(candidate).second) continue;
            place->second = candidate;
            break;
        }
        return place->second;
    };
    bool left_out = false;  // with what belongs to it
    for (const Series& series : of_b.series) {
        if (!series.name.empty()) left_out = series.dashed && is_shared(of_a, series);
        if (left_out) continue;
        Series& added = plot.series.emplace_back(series);
        added.color = in_dashes(color_of_b(series.color), series.dashed ? kDots : 0);
        added.dashed = true;
        if (!added.name.empty()) added.name += ", B";
    }
    tell_apart(plot.series, of_a.series.size());
    if (!plot.readout.empty() && plot.readout != of_b.readout) plot.readout = "A, " + plot.readout;
    add_note(plot, "Run B is dashed and its references are dotted. References that both runs share are drawn once.");
}

void overlay(std::vector<PlotSpec>& plots, const std::vector<PlotSpec>& of_b) {
    for (PlotSpec& plot : plots)
        for (const PlotSpec& other : of_b)
            if (other.id == plot.id) overlay(plot, other);
}

// One colour a run, a line style a quantity: the first solid, the others in patterns that no reference has.
static void style_as(Series& series, size_t run, int quantity) {
    constexpr int kColors[] = {0, 6, 3, 2, 4, 5, 1, 7, 8, 9, 10, 11};  // far apart; the present run's first
    series.color = in_dashes(kColors[run % std::size(kColors)], quantity);
    series.dashed = quantity > 0;
}

static bool is_quantity(const Series& series) { return !series.dashed && !series.name.empty(); }

// Adds the solid lines of other plots, dashed, with the plot's name behind theirs; those of several plots in styles.
static void add_quantities(PlotSpec& plot, const std::vector<std::pair<std::string, PlotSpec>>& others) {
    const bool several = others.size() > 1;
    const size_t own = plot.series.size();
    for (size_t run = 0; run < others.size(); ++run) {
        int quantity = 0;
        for (const Series& series : others[run].second.series) {
            if (!is_quantity(series)) continue;
            Series& added = plot.series.emplace_back(series);
            added.name += ", " + others[run].first;
            added.dashed = true;
            if (several) style_as(added, run + 1, quantity++);
        }
    }
    int quantity = 0;
    for (size_t i = 0; several && i < own; ++i)
        if (is_quantity(plot.series[i])) style_as(plot.series[i], 0, quantity++);
    tell_apart(plot.series, own);
}

void overlay_kept(PlotSpec& plot, const std::vector<std::pair<std::string, PlotSpec>>& kept) {
    if (kept.empty()) return;
    add_quantities(plot, kept);
    add_note(plot, kept.size() > 1
                       ? "Each run has a colour, each quantity a line style. The name of a saved run follows the "
                         "quantity; this run has no name."
                       : "The saved run is dashed, in the same colours.");
}

void overlay_before(PlotSpec& plot, const PlotSpec& before) {
    add_quantities(plot, {{"before", before}});
    add_note(plot, "Dashed: before the change.");
}

}  // namespace emergence
