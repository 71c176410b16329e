#include "core/runtime/series_draw.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace emergence {
namespace {

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

/// Collects the thinned line, never two gaps in a row.
class Thinned {
  public:
    void add(double x, double y) {
        points_.x.push_back(x);
        points_.y.push_back(y);
    }
    void gap(double x) {
        if (!points_.y.empty() && !std::isnan(points_.y.back())) add(x, kGap);
    }
    LinePoints take() { return std::move(points_); }

  private:
    LinePoints points_;
};

/// Adds first, lowest, highest and last of [begin, end) in their order, each once.
void add_extremes(const std::vector<double>& x, const std::vector<double>& y, size_t begin, size_t end,
                  Thinned& out) {
    const auto first = y.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto [low, high] = std::minmax_element(first, y.begin() + static_cast<std::ptrdiff_t>(end));
    size_t kept[4] = {begin, static_cast<size_t>(low - y.begin()), static_cast<size_t>(high - y.begin()),
                      end - 1};
    std::sort(std::begin(kept), std::end(kept));
    for (size_t i = 0; i < 4; ++i)
        if (i == 0 || kept[i] != kept[i - 1]) out.add(x[kept[i]], y[kept[i]]);
}

}  // namespace

SeriesShape shape_of(const Series& series, Spread spread) {
    SeriesShape shape;
    const size_t n = series.x.size();
    shape.x = series.x;
    shape.center.assign(n, kGap);
    const bool band = spread != Spread::every_seed && series.rows.size() > 1;
    if (band) {
        shape.band_low.assign(n, kGap);
        shape.band_high.assign(n, kGap);
    } else if (series.rows.size() > 1) {
        for (const std::vector<double>& row : series.rows) shape.seeds.push_back(&row);
    }
    for (size_t i = 0; i < n; ++i) {
        const Summary summary = summarise(series.rows, i);
        if (summary.count == 0) continue;
        shape.center[i] = spread == Spread::median ? summary.median : summary.mean;
        if (!band) continue;
        shape.band_low[i] =
            spread == Spread::median ? summary.lower_quartile : summary.mean - summary.standard_error;
        shape.band_high[i] =
            spread == Spread::median ? summary.upper_quartile : summary.mean + summary.standard_error;
    }
    return shape;
}

LinePoints decimate(const std::vector<double>& x, const std::vector<double>& y, int columns) {
    // Column -1 is everything to the left, `columns` everything to the right.
    const auto column_of = [&](size_t i) {
        return static_cast<int>(std::clamp(std::floor(x[i]), -1.0, static_cast<double>(columns)));
    };
    const auto missing_at = [&](size_t i) { return std::isnan(x[i]) || std::isnan(y[i]); };
    const size_t n = std::min(x.size(), y.size());
    Thinned out;
    for (size_t begin = 0; begin < n;) {
        if (missing_at(begin)) {
            out.gap(x[begin]);
            ++begin;
            continue;
        }
        const int column = column_of(begin);
        size_t end = begin + 1;
        while (end < n && !missing_at(end) && column_of(end) == column) ++end;
        const bool outside = column < 0 || column >= columns;
        if (outside) {
            // A run outside touches the inside at its ends only.
            out.add(x[begin], y[begin]);
            if (end - begin > 1) out.add(x[end - 1], y[end - 1]);
        } else {
            add_extremes(x, y, begin, end, out);
        }
        begin = end;
    }
    return out.take();
}

std::vector<std::pair<size_t, size_t>> runs_without_gaps(const std::vector<double>& y) {
    std::vector<std::pair<size_t, size_t>> runs;
    for (size_t begin = 0; begin < y.size();) {
        if (std::isnan(y[begin])) {
            ++begin;
            continue;
        }
        size_t end = begin + 1;
        while (end < y.size() && !std::isnan(y[end])) ++end;
        runs.emplace_back(begin, end);
        begin = end;
    }
    return runs;
}

}  // namespace emergence
