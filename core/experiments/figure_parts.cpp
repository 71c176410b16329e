#include "core/experiments/figure_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/error.h"

namespace emergence {

PlotSpec plot_of_run(const FinishedRun& run, const std::string& id, const std::string& title,
                     const std::string& as) {
    const auto renamed = [&](PlotSpec plot) {
        plot.title = title;
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

std::vector<std::vector<double>> final_values(const Snapshot& snapshot, const MetricHistory& history,
                                              const std::string& metric, bool emerged_only) {
    const uint64_t first = static_cast<uint64_t>(snapshot.settings.integer("seed"));
    std::vector<std::vector<double>> values;
    for (const SeedStatus& seed : snapshot.seeds) {
        if (seed.failed || (emerged_only && !seed.emerged)) continue;
        const auto& column = history.column(metric, static_cast<int>(seed.seed - first));
        const auto last =
            std::find_if(column.rbegin(), column.rend(), [](double x) { return !std::isnan(x); });
        if (last != column.rend()) values.push_back({*last});
    }
    return values;
}

Summary final_summary(const FinishedRun& run, const std::string& metric, bool emerged_only) {
    return summarise(final_values(run.snapshot, run.history, metric, emerged_only), 0);
}

std::vector<std::vector<double>> logged_values(const FinishedRun& run, const std::string& metric) {
    const uint64_t first = static_cast<uint64_t>(run.snapshot.settings.integer("seed"));
    std::vector<std::vector<double>> values;
    for (const SeedStatus& seed : run.snapshot.seeds)
        if (!seed.failed) values.push_back(run.history.column(metric, static_cast<int>(seed.seed - first)));
    return values;
}

std::vector<std::vector<double>> values_at(const FinishedRun& run, const std::string& metric, size_t row) {
    const uint64_t first = static_cast<uint64_t>(run.snapshot.settings.integer("seed"));
    std::vector<std::vector<double>> values;
    for (const SeedStatus& seed : run.snapshot.seeds) {
        if (seed.failed) continue;
        const auto& column = run.history.column(metric, static_cast<int>(seed.seed - first));
        if (!column.empty()) values.push_back({column[std::min(row, column.size() - 1)]});
    }
    return values;
}

Places all_places(size_t count) {
    Places places(count);
    std::iota(places.begin(), places.end(), size_t{0});
    return places;
}

Summary summary_at(const std::vector<std::vector<double>>& rows, const Places& places, size_t column) {
    std::vector<double> values;
    for (const size_t place : places)
        if (place < rows.size() && column < rows[place].size() && std::isfinite(rows[place][column]))
            values.push_back(rows[place][column]);
    return summarise(values, true);
}

Measurement bootstrapped(size_t count, const std::function<double(const Places&)>& statistic,
                         const std::string& detail) {
    constexpr int kSamples = 2000;
    Measurement measured{statistic(all_places(count)), detail, {}, static_cast<int64_t>(count)};
    if (count < 2) return measured;
    const BootstrapInterval interval = bootstrap_interval(count, kSamples, statistic);
    // A statistic with a bias, such as a largest value, may lie outside its draws.
    if (std::isfinite(interval.low) && std::isfinite(interval.high))
        measured.interval =
            Range{std::min(interval.low, measured.value), std::max(interval.high, measured.value)};
    return measured;
}

std::string mean_text(const Summary& summary) {
    return fmt::format("{:.3g} \u00b1 {:.2g}", summary.mean, summary.standard_error);
}

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
    series.rows.resize(std::max(series.rows.size(), holds.size()));
    for (size_t k = 0; k < series.rows.size(); ++k) {
        series.rows[k].resize(series.x.size(), std::numeric_limits<double>::quiet_NaN());
        if (k < holds.size()) series.rows[k].push_back(holds[k] ? 1.0 : 0.0);
    }
    series.x.push_back(x);
    for (std::vector<double>& row : series.rows)
        row.resize(series.x.size(), std::numeric_limits<double>::quiet_NaN());
}

}  // namespace emergence
