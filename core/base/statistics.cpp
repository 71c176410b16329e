#include "core/base/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/array.h"

namespace emergence {

double mean_of(const std::vector<double>& values) {
    if (values.empty()) return kMissing;
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

LineFit fit_line(const std::vector<double>& x, const std::vector<double>& y) {
    LineFit fit;
    double n = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0, sum_yy = 0;
    for (size_t i = 0; i < x.size(); ++i) {
        if (!std::isfinite(x[i]) || !std::isfinite(y[i])) continue;
        n += 1;
        sum_x += x[i];
        sum_y += y[i];
        sum_xx += x[i] * x[i];
        sum_xy += x[i] * y[i];
        sum_yy += y[i] * y[i];
    }
    const double both = n * sum_xy - sum_x * sum_y;
    const double spread_x = n * sum_xx - sum_x * sum_x, spread_y = n * sum_yy - sum_y * sum_y;
    const bool varies = n >= 2 && spread_x > 0;
    fit.slope = varies ? both / spread_x : kMissing;
    fit.correlation = varies && spread_y > 0 ? both / std::sqrt(spread_x * spread_y) : kMissing;
    return fit;
}

std::pair<double, double> share_interval(double share, int total) {
    if (total == 0) return {kMissing, kMissing};
    constexpr double kZ = 1.959964;  // 95 %
    const double n = total, centre = (share + kZ * kZ / (2 * n)) / (1 + kZ * kZ / n);
    const double half = kZ * std::sqrt(share * (1 - share) / n + kZ * kZ / (4 * n * n)) / (1 + kZ * kZ / n);
    return {share <= 0.0 ? 0.0 : std::max(0.0, centre - half), share >= 1.0 ? 1.0 : std::min(1.0, centre + half)};
}

Fraction fraction(int count, int total) {
    const double share = static_cast<double>(count) / total;
    const auto [low, high] = share_interval(share, total);
    return {count, total, share, low, high};
}

std::string fraction_text(const Fraction& f) {
    return fmt::format("{} of {}, 95 % interval {:.2f} to {:.2f}", f.count, f.total, f.low, f.high);
}

double share_correlation(const Fraction& a, const Fraction& b, int both) {
    const double n = a.total, in_both = both, in_a = a.count - both, in_b = b.count - both,
                 in_none = n - in_both - in_a - in_b;
    const double spread = a.count * (n - a.count) * b.count * (n - b.count);
    if (!(spread > 0.0)) return 0.0;
    const double excess = in_both * in_none - in_a * in_b;
    return (excess > 0.0 ? std::max(0.0, excess - n / 2) : excess) / std::sqrt(spread);
}

std::pair<double, double> share_sum_interval(const std::vector<WeightedShare>& terms,
                                             const std::function<double(size_t, size_t)>& correlation) {
    double sum = 0.0;
    std::vector<double> down, up;  // how far each term can move the sum
    for (const auto& [share, weight] : terms) {
        sum += weight * share.value;
        const double lower = weight * (share.low - share.value), higher = weight * (share.high - share.value);
        down.push_back(weight > 0.0 ? lower : higher);
        up.push_back(weight > 0.0 ? higher : lower);
    }
    const auto reach = [&](const std::vector<double>& moves) {
        double squares = 0.0;
        for (size_t i = 0; i < moves.size(); ++i)
            for (size_t j = 0; j < moves.size(); ++j) {
                const double sign = terms[i].weight * terms[j].weight > 0.0 ? 1.0 : -1.0;
                squares += (i == j ? 1.0 : sign * correlation(i, j)) * std::abs(moves[i] * moves[j]);
            }
        return std::sqrt(std::max(0.0, squares));
    };
    return {sum - reach(down), sum + reach(up)};
}

}  // namespace emergence
