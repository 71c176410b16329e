#pragma once
// Means, lines, shares and bootstrap intervals of numbers, some of which may not be known.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/base/rng.h"

namespace emergence {

/// The larger and the smaller of two numbers; NaN if one of both is, which std::max and std::min lose.
inline double larger(double a, double b) { return std::isnan(b) || b > a ? b : a; }
inline double smaller(double a, double b) { return std::isnan(b) || b < a ? b : a; }

/// The arithmetic mean; NaN for an empty vector.
double mean_of(const std::vector<double>& values);

/// A straight line through points.
struct LineFit {
    /// The number of points whose x and y are both finite.
    int count = 0;
    /// NaN with fewer than two different x.
    double slope = 0.0;
    /// Pearson's correlation; NaN if x or y does not vary.
    double correlation = 0.0;
};
/// The least-squares line through the points (x[i], y[i]) whose coordinates are both finite.
/// x, y: of the same length.
LineFit fit_line(const std::vector<double>& x, const std::vector<double>& y);

// The share of seeds, runs or starts of which something holds, with its interval.

/// Wilson's 95 % interval of a share of `total`; NaN of none.
std::pair<double, double> share_interval(double share, int total);

/// `count` of `total` with share_interval().
struct Fraction {
    int count = 0, total = 0;
    double value = 0.0, low = 0.0, high = 0.0;
};
Fraction fraction(int count, int total);
/// "20 of 30, 95 % interval 0.49 to 0.81".
std::string fraction_text(const Fraction& fraction);

/// Newcombe's 95 % interval of b's share less a's. `both`: if a and b are of the same seeds, the number of seeds that
/// both count; -1 if they are of others.
std::pair<double, double> share_difference_interval(const Fraction& a, const Fraction& b, int both = -1);

// Bootstrap intervals of statistics of independent things: seeds, chains, environments.

/// Places of things in a list; a sample with replacement has some of them more than once.
using Places = std::vector<size_t>;

struct BootstrapInterval {
    double low = 0.0, high = 0.0;
};

/// The 95 % percentile interval of a statistic of independent lists from `samples` draws of their places with replacement
/// (Efron 1979). Draws whose statistic is NaN are left out; NaN if none is left.
/// statistic: a function of a vector of Places. counts: at least 1 each.
template <class Statistic>
BootstrapInterval bootstrap_of_lists(const std::vector<size_t>& counts, int samples, Stream random,
                                     const Statistic& statistic) {
    std::vector<Places> lists;
    for (const size_t count : counts) lists.emplace_back(count);
    std::vector<double> values;
    for (int sample = 0; sample < samples; ++sample) {
        for (Places& places : lists)
            for (size_t& place : places)
                place = std::min(static_cast<size_t>(random.uniform() * static_cast<double>(places.size())),
                                 places.size() - 1);
        if (const double value = statistic(lists); !std::isnan(value)) values.push_back(value);
    }
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (values.empty()) return {kNone, kNone};
    std::sort(values.begin(), values.end());
    const size_t cut = values.size() / 40;  // 2.5 % at either end
    return {values[cut], values[values.size() - 1 - cut]};
}
/// The same of one list of `count`; always the same draws. statistic: a function of Places.
template <class Statistic>
BootstrapInterval bootstrap_interval(size_t count, int samples, const Statistic& statistic) {
    return bootstrap_of_lists({count}, samples, Stream(0, Purpose::testing, 1),
                              [&](const std::vector<Places>& lists) { return statistic(lists[0]); });
}

}  // namespace emergence
