#include "core/files/text.h"
#include "core/lab/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"

namespace emergence {

std::vector<std::pair<std::string, int>> tally(const std::vector<std::string>& labels) {
    std::vector<std::pair<std::string, int>> counts;
    for (const std::string& label : labels)
        if (auto* known = find_by(counts, &std::pair<std::string, int>::first, label))
            ++known->second;
        else
            counts.emplace_back(label, 1);
    std::stable_sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    return counts;
}

MetricHistory::MetricHistory(MetricTable table, int num_seeds) : table_(std::move(table)), num_seeds_(num_seeds) {
    check(num_seeds >= 0, "a history has no negative number of seeds");
    columns_.assign(table_.size(), std::vector<std::vector<double>>(static_cast<size_t>(num_seeds)));
}

void MetricHistory::append(const MetricRow& row) {
    check(row.seed_index >= 0 && row.seed_index < num_seeds_, "a metric row's seed is one of the history's");
    check(row.values.size() == table_.size(), "a metric row has one value a metric");
    const auto step = static_cast<double>(row.step);
    auto place = steps_.end();
    // Fast path: nearly every row is at the last logged step or after it.
    if (!steps_.empty() && step <= steps_.back()) place = std::lower_bound(steps_.begin(), steps_.end(), step);
    const auto at = place - steps_.begin();
    if (place == steps_.end() || *place != step) {
        steps_.insert(place, step);
        for (auto& of_metric : columns_)
            for (auto& column : of_metric) column.insert(column.begin() + at, kMissing);
    }
    const auto seed = static_cast<size_t>(row.seed_index);
    for (size_t metric = 0; metric < table_.size(); ++metric) columns_[metric][seed][at] = row.values[metric];
    ++revision_;
}

namespace {

size_t index_of(const MetricTable& table, const std::string& metric) {
    if (const MetricInfo* found = find_named(table, metric)) return static_cast<size_t>(found - table.data());
    throw InputError(unknown_name("metric", metric, mapped(table, &MetricInfo::name)));
}

}  // namespace

const std::vector<double>& MetricHistory::column(const std::string& metric, int seed_index) const {
    const auto& seeds = columns_[index_of(table_, metric)];
    check(seed_index >= 0 && seed_index < num_seeds_, "a seed index is one of the history's");
    return seeds[seed_index];
}

namespace {

// A place is known if half of each interval is at most this. Elsewhere the path has gaps; medians omit such places.
constexpr double kKnownWithin = 0.5;

// Where a seed stands: see MetricPlane.
struct PlanePlace {
    double x, y, half_x, half_y, tilt, ring;
    std::vector<double> told;
};

// The numbers of one seed after `shown` logged steps.
PlanePlace place_in(const MetricHistory& history, const MetricPlane& plane, int seed, size_t shown) {
    const auto now = [&](const std::string& metric) {
        return shown > 0 ? history.column(metric, seed)[shown - 1] : kMissing;
    };
    return {now(plane.x),    now(plane.y),    now(plane.half_x),      now(plane.half_y),
            now(plane.tilt), now(plane.ring), mapped(plane.told, now)};
}

// A missing coordinate may be anywhere, so its interval crosses the whole plot.
void widen_ellipse(const MetricPlane& plane, const AxisSpec& y_axis, PlanePlace& at) {
    const bool x_known = std::isfinite(at.x), y_known = std::isfinite(at.y);
    if (x_known == y_known) return;
    const AxisSpec& axis = x_known ? y_axis : plane.x_axis;
    (x_known ? at.y : at.x) = (axis.minimum.value_or(0) + axis.maximum.value_or(0)) / 2;
    (x_known ? at.half_y : at.half_x) = std::numeric_limits<double>::infinity();
    at.tilt = 0;
}

Series way_of(const MetricHistory& history, const MetricPlane& plane, int seed, size_t shown) {
    const uint64_t number = plane.first_seed + static_cast<uint64_t>(seed);
    Series way{.name = fmt::format("way of seed {}", number),
               .x = {},
               .rows = {{}},
               .color = plane.groups[static_cast<size_t>(seed) % plane.groups.size()].color,
               .seeds = {number},
               .trail = true};
    const auto until_now = [&](const std::string& metric) {
        const std::vector<double>& all = history.column(metric, seed);
        return std::vector<double>(all.begin(), all.begin() + shown);
    };
    way.x = until_now(plane.x);
    way.rows[0] = until_now(plane.y);
    const std::vector<double>&half_x = history.column(plane.half_x, seed), &half_y = history.column(plane.half_y, seed);
    for (size_t i = 0; i < shown; ++i)
        if (!(half_x[i] <= kKnownWithin && half_y[i] <= kKnownWithin)) way.rows[0][i] = kMissing;
    return way;
}

// One series for each group; of a group that splits, filled marks for seeds that have emerged, then open ones.
std::vector<Series> series_of_groups(const MetricPlane& plane, bool splits) {
    std::vector<Series> points = mapped(plane.groups, [](const MetricPlane::Group& group) {
        return Series{.name = group.name, .x = {}, .rows = {{}}, .color = group.color, .points = true};
    });
    if (!splits) return points;
    points.push_back(points.front());
    points[0].name = plane.split_words;
    points[1].name = "others";
    points[1].dashed = true;
    return points;
}

// The words of a single seed; for several seeds the counts of their verdicts, and medians of the known coordinates.
std::string words_of_group(const MetricTable& table, const MetricPlane& plane, const std::vector<PlanePlace>& places) {
    if (places.size() == 1) return plane.words(places.front().told);
    // "2 of 4 TD, 2 no named algorithm"
    std::string text = listed(tally(mapped(places, [&](const PlanePlace& place) { return plane.verdict(place.told); })),
                              [](const auto& one) { return fmt::format("{} {}", one.second, one.first); });
    text.insert(text.find(' ') + 1, fmt::format("of {} ", places.size()));
    const auto add_median = [&](const std::string& metric, double PlanePlace::*value, double PlanePlace::*half) {
        std::vector<double> values;
        for (const PlanePlace& place : places)
            if (std::isfinite(place.*value) && place.*half <= kKnownWithin) values.push_back(place.*value);
        if (values.empty()) return;
        text += fmt::format("; {} {:.2f} ({} {})", table[index_of(table, metric)].label, summarise(values, true).median,
                            values.size() == 1 ? "known of" : "median of", values.size());
    };
    add_median(plane.x, &PlanePlace::x, &PlanePlace::half_x);
    add_median(plane.y, &PlanePlace::y, &PlanePlace::half_y);
    return text;
}

// when: ", at 400 MRPs", or "" if the step asked for was logged.
void add_plane(const MetricHistory& history, const MetricPlane& plane, size_t shown, const std::string& when,
               PlotSpec& plot) {
    plot.x = plane.x_axis;
    plot.series.push_back(plane.landmarks);
    const bool splits = !plane.split_by.empty() && shown > 0;
    std::vector<Series> points = series_of_groups(plane, splits);
    // The read-out has a line for each series.
    std::vector<std::pair<std::string, std::vector<PlanePlace>>> told;
    for (const Series& series : points) told.push_back({series.name, {}});
    for (int seed = 0; seed < history.num_seeds(); ++seed) {
        plot.series.push_back(way_of(history, plane, seed, shown));
        PlanePlace at = place_in(history, plane, seed, shown);
        const size_t index = splits ? (history.column(plane.split_by, seed)[shown - 1] != 1 ? 1 : 0)
                                    : static_cast<size_t>(seed) % plane.groups.size();
        told[index].second.push_back(at);
        Series& group = points[index];
        group.details.words.push_back(plane.words(at.told) + when);
        widen_ellipse(plane, plot.y, at);
        group.x.push_back(at.x);
        group.rows[0].push_back(at.y);
        group.seeds.push_back(plane.first_seed + static_cast<uint64_t>(seed));
        group.details.half_x.push_back(at.half_x);
        group.details.half_y.push_back(at.half_y);
        group.details.tilt.push_back(at.tilt);
        group.details.ring.push_back(at.ring);
    }
    std::erase_if(told, [](const auto& group) { return group.second.empty(); });
    plot.readout = listed(
        told,
        [&](const auto& group) {
            return (told.size() > 1 ? group.first + ": " : "") + words_of_group(history.table(), plane, group.second) +
                   when;
        },
        "\n");
    for (Series& group : points)
        if (!splits || !group.x.empty()) plot.series.push_back(std::move(group));
}

void add_best_points(const MetricHistory& history, const MetricPlot& description, int64_t last_step, PlotSpec& plot) {
    const size_t lines = plot.series.size();
    bool named = false;
    for (size_t i = 0; i < lines; ++i) {
        if (plot.series[i].dashed) continue;
        Series marks{.name = named ? "" : "best checkpoint",  // the legend has one entry for the marks of all lines
                     .x = {},
                     .rows = {{}},
                     .color = plot.series[i].color,
                     .points = true};
        for (int seed = 0; seed < history.num_seeds(); ++seed)
            if (const auto best = history.best_point(description.best_by, seed, last_step)) {
                marks.x.push_back(history.steps()[*best]);
                marks.rows[0].push_back(history.column(description.metrics[i].metric, seed)[*best]);
            }
        if (marks.x.empty()) continue;
        plot.series.push_back(std::move(marks));
        named = true;
    }
}

}  // namespace

std::optional<size_t> MetricHistory::best_point(const std::vector<std::string>& metrics, int seed_index,
                                                int64_t last_step) const {
    std::optional<size_t> best;
    double largest = 0.0;
    for (size_t i = 0; i < steps_.size() && steps_[i] <= static_cast<double>(last_step); ++i) {
        double product = 1.0;
        for (const std::string& metric : metrics) product *= column(metric, seed_index)[i];
        if (product > largest) largest = product, best = i;
    }
    return best;
}

PlotSpec MetricHistory::plot(const MetricPlot& description, const AxisSpec& x, int64_t last_step) const {
    PlotSpec plot = description;
    plot.x = x;
    const auto end = std::upper_bound(steps_.begin(), steps_.end(), static_cast<double>(last_step));
    const auto shown = end - steps_.begin();
    for (const MetricPlot::Line& line : description.metrics) {
        const size_t metric = index_of(table_, line.metric);
        Series series;
        series.name = line.label.empty() ? table_[metric].label : line.label;
        series.x.assign(steps_.begin(), end);
        for (size_t seed = 0; seed < columns_[metric].size(); ++seed) {
            const std::vector<double>& column = columns_[metric][seed];
            series.rows.emplace_back(column.begin(), column.begin() + shown);
            if (seed % line.groups != line.group)
                std::fill(series.rows.back().begin(), series.rows.back().end(), kMissing);
        }
        series.color = line.color;
        series.dashed = line.dashed;
        series.share = table_[metric].share;
        plot.series.push_back(std::move(series));
    }
    if (!description.best_by.empty()) add_best_points(*this, description, last_step, plot);
    if (!description.plane) return plot;
    // Between two logged steps a headline judges the present weights, so the plane says which step it is of.
    const bool older = shown > 0 && end[-1] < static_cast<double>(last_step);
    add_plane(*this, *description.plane, static_cast<size_t>(shown),
              older ? fmt::format(", at {:.0f} {}", end[-1], x.label) : "", plot);
    return plot;
}

}  // namespace emergence
