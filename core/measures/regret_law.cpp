#include "core/measures/regret_law.h"

#include <algorithm>
#include <cmath>

#include "core/base/line_fit.h"
#include "core/base/rng.h"

namespace emergence {
namespace {

constexpr int kBootstrapSamples = 400;

// The slope of the line through (log x, log y), over the points with x > 0 and y > 0.
double log_slope(const std::vector<double>& x, const std::vector<double>& y) {
    std::vector<double> log_x, log_y;
    for (size_t i = 0; i < x.size(); ++i) {
        if (!(x[i] > 0.0 && y[i] > 0.0)) continue;
        log_x.push_back(std::log(x[i]));
        log_y.push_back(std::log(y[i]));
    }
    return fit_line(log_x, log_y).slope;
}

}  // namespace

std::vector<double> optimal_rate(const BanditTrajectory& world, const std::vector<int>& at) {
    std::vector<double> rates;
    double amount = 0.0;
    int segments = 1, seen = 1;  // seen: rounds counted so far
    for (const int t : at) {
        for (; seen < t; ++seen) {
            const double change = (world.means.col(seen) - world.means.col(seen - 1)).cwiseAbs().maxCoeff();
            amount += change;
            if (change != 0.0) ++segments;
        }
        const double by_changes = std::sqrt(static_cast<double>(segments) * t);
        rates.push_back(std::min(by_changes, std::cbrt(amount * t * t) + std::sqrt(static_cast<double>(t))));
    }
    return rates;
}

double fitted_constant(const std::vector<double>& x, const std::vector<double>& y) {
    double xx = 0.0, xy = 0.0;
    for (size_t i = 0; i < x.size(); ++i) {
        xx += x[i] * x[i];
        xy += x[i] * y[i];
    }
    return xx > 0.0 ? xy / xx : 0.0;
}

FittedExponent fitted_exponent(const std::vector<double>& x, const std::vector<std::vector<double>>& rows) {
    const auto slope_of = [&](const auto& row_of) {
        std::vector<double> sums(x.size(), 0.0);
        for (size_t r = 0; r < rows.size(); ++r) {
            const std::vector<double>& row = rows[row_of(r)];
            for (size_t i = 0; i < x.size(); ++i) sums[i] += row[i];
        }
        return log_slope(x, sums);
    };
    FittedExponent fit;
    fit.value = slope_of([](size_t r) { return r; });
    Stream random(0, Purpose::testing, 1);
    std::vector<double> slopes;
    const auto count = static_cast<double>(rows.size());
    for (int b = 0; b < kBootstrapSamples; ++b)
        slopes.push_back(slope_of([&](size_t) {
            return std::min(static_cast<size_t>(random.uniform() * count), rows.size() - 1);
        }));
    std::sort(slopes.begin(), slopes.end());
    fit.low = slopes[kBootstrapSamples / 40];
    fit.high = slopes[kBootstrapSamples - 1 - kBootstrapSamples / 40];
    return fit;
}

}  // namespace emergence
