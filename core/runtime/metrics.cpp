#include "core/runtime/metrics.h"

#include <algorithm>
#include <limits>

#include "core/base/check.h"
#include "core/base/error.h"

namespace emergence {

MetricHistory::MetricHistory(MetricTable table, int num_seeds)
    : table_(std::move(table)), num_seeds_(num_seeds) {
    check(num_seeds >= 0, "a history has no negative number of seeds");
    columns_.assign(table_.size(), std::vector<std::vector<double>>(static_cast<size_t>(num_seeds)));
}

void MetricHistory::append(const MetricRow& row) {
    check(row.seed_index >= 0 && row.seed_index < num_seeds_, "a metric row's seed is one of the history's");
    check(row.values.size() == table_.size(), "a metric row has one value a metric");
    const auto step = static_cast<double>(row.step);
    auto place = steps_.end();
    // Nearly every row is at the last logged step or behind it.
    if (!steps_.empty() && step <= steps_.back())
        place = std::lower_bound(steps_.begin(), steps_.end(), step);
    const auto at = place - steps_.begin();
    if (place == steps_.end() || *place != step) {
        steps_.insert(place, step);
        for (auto& of_metric : columns_)
            for (auto& column : of_metric)
                column.insert(column.begin() + at, std::numeric_limits<double>::quiet_NaN());
    }
    const auto seed = static_cast<size_t>(row.seed_index);
    for (size_t metric = 0; metric < table_.size(); ++metric)
        columns_[metric][seed][static_cast<size_t>(at)] = row.values[metric];
    ++revision_;
}

void MetricHistory::clear() {
    steps_.clear();
    for (auto& of_metric : columns_)
        for (auto& column : of_metric) column.clear();
    ++revision_;
}

size_t MetricHistory::metric_index(const std::string& metric) const {
    std::string names;
    for (size_t i = 0; i < table_.size(); ++i) {
        if (table_[i].name == metric) return i;
        names += (names.empty() ? "" : ", ") + table_[i].name;
    }
    throw InputError("unknown metric '" + metric + "', there are: " + names);
}

const std::vector<double>& MetricHistory::column(const std::string& metric, int seed_index) const {
    const auto& seeds = columns_[metric_index(metric)];
    check(seed_index >= 0 && seed_index < num_seeds_, "a seed index is one of the history's");
    return seeds[static_cast<size_t>(seed_index)];
}

PlotSpec MetricHistory::plot(const MetricPlot& description, const AxisSpec& x, int64_t last_step) const {
    PlotSpec plot;
    plot.id = description.id;
    plot.title = description.title;
    plot.x = x;
    plot.y = description.y;
    plot.lines = description.references;
    plot.note = description.note;
    const auto end = std::upper_bound(steps_.begin(), steps_.end(), static_cast<double>(last_step));
    const auto shown = end - steps_.begin();
    for (const MetricPlot::Line& line : description.lines) {
        const size_t metric = metric_index(line.metric);
        Series series;
        series.name = line.label.empty() ? table_[metric].label : line.label;
        series.x.assign(steps_.begin(), end);
        for (const auto& column : columns_[metric])
            series.rows.emplace_back(column.begin(), column.begin() + shown);
        series.color = line.color;
        series.dashed = line.dashed;
        plot.series.push_back(std::move(series));
    }
    return plot;
}

}  // namespace emergence
