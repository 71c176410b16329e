#include "core/experiments/figure_parts.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/statistics.h"

namespace emergence {

PlotSpec plot_of_run(const FinishedRun& run, const std::string& id, const std::string& title, const std::string& as) {
    const auto renamed = [&](PlotSpec plot) {
        if (!title.empty()) plot.title = title;
        if (!as.empty()) plot.id = as;
        return plot;
    };
    for (const MetricPlot& description : run.plots)
        if (description.id == id) {
            AxisSpec x;
            x.label = run.snapshot.step_unit;
            x.minimum = 0.0;
            return renamed(run.history.plot(description, x, run.snapshot.step));
        }
    for (const PlotSpec& plot : run.snapshot.plots)
        if (plot.id == id) return renamed(plot);
    throw InputError(fmt::format("plot '{}': the run has none of that name", id));
}

HeatmapSpec heatmap_of_run(const FinishedRun& run, const std::string& name, MatrixView::Mode mode) {
    for (const NamedMatrix& matrix : run.snapshot.matrices)
        if (matrix.name == name) return heatmap_of(run.snapshot, matrix, {mode});
    throw InputError(fmt::format("matrix '{}': the run has none of that name", name));
}

const Scalar& scalar_of(const FinishedRun& run, const std::string& name) {
    for (const Scalar& scalar : run.snapshot.scalars)
        if (scalar.name == name) return scalar;
    throw InputError(fmt::format("the run has no number '{}'", name));
}

std::vector<size_t> live_seeds(const Snapshot& snapshot) {
    std::vector<size_t> places;
    for (size_t k = 0; k < snapshot.seeds.size(); ++k)
        if (!snapshot.seeds[k].failed) places.push_back(k);
    return places;
}

SeedRows final_values(const Snapshot& snapshot, const MetricHistory& history, const std::string& metric,
                      bool emerged_only) {
    SeedRows rows;
    for (const SeedValue& one : values({snapshot, history}, metric_quantity(metric)))
        if (!one.failed && (!emerged_only || snapshot.seeds[one.index].emerged)) rows.push_back({one.value});
    return rows;
}

SeedRows final_values(const FinishedRun& run, const std::string& metric) {
    return final_values(run.snapshot, run.history, metric);
}

Summary final_summary(const FinishedRun& run, const std::string& metric, bool emerged_only) {
    return summarise(final_values(run.snapshot, run.history, metric, emerged_only), 0);
}

SeedRows logged_values(const FinishedRun& run, const std::string& metric) {
    SeedRows rows;
    for (const size_t k : live_seeds(run.snapshot)) rows.push_back(run.history.column(metric, static_cast<int>(k)));
    return rows;
}

void add_point(Series& series, double x, const SeedRows& values) {
    const size_t points = series.x.size();
    series.x.push_back(x);
    series.rows.resize(larger(series.rows.size(), values.size()));
    for (size_t k = 0; k < series.rows.size(); ++k) {
        series.rows[k].resize(points, kMissing);
        series.rows[k].push_back(k < values.size() && !values[k].empty() ? values[k][0] : kMissing);
    }
}

double largest_of(const std::vector<double>& values) {
    double largest = values.empty() ? kMissing : values.front();
    for (const double value : values) largest = larger(largest, value);
    return largest;
}

double least_of(const std::vector<double>& values) {
    double least = values.empty() ? kMissing : values.front();
    for (const double value : values) least = smaller(least, value);
    return least;
}

Summary summary_at(const std::vector<std::vector<double>>& rows, const Places& places, size_t column) {
    std::vector<double> values;
    for (const size_t place : places)
        if (place < rows.size() && column < rows[place].size() && std::isfinite(rows[place][column]))
            values.push_back(rows[place][column]);
    return summarise(values, true);
}

std::string mean_text(const Summary& summary) { return fmt::format("{:.3g}{}", summary.mean, plus_minus(summary)); }

Fraction emerged_fraction(const Snapshot& snapshot) {
    const auto count = std::count_if(snapshot.seeds.begin(), snapshot.seeds.end(),
                                     [](const SeedStatus& seed) { return seed.emerged; });
    return fraction(static_cast<int>(count), static_cast<int>(snapshot.seeds.size()));
}

std::vector<bool> emerged_seeds(const Snapshot& snapshot) {
    std::vector<bool> emerged;
    for (const SeedStatus& seed : snapshot.seeds) emerged.push_back(seed.emerged);
    return emerged;
}

void add_share(double x, const std::vector<bool>& holds, Series& series) {
    series.share = true;
    SeedRows shares;
    for (const bool one : holds) shares.push_back({one ? 1.0 : 0.0});
    add_point(series, x, shares);
}

}  // namespace emergence
