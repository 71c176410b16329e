#pragma once
// Means, lines, shares and bootstrap intervals of numbers, some of which may not be known.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/base/rng.h"

namespace emergence {

/// The larger and the smaller of two numbers; NaN if either is NaN, which std::max and std::min lose. A test makes sure
/// that the sciences use only these.
template <class Number>
constexpr Number larger(Number a, Number b) {
    return b != b || b > a ? b : a;
}
template <class Number>
constexpr Number smaller(Number a, Number b) {
    return b != b || b < a ? b : a;
}
template <class Number>
constexpr Number larger(std::initializer_list<Number> all) {
    Number most = *all.begin();
    for (const Number one : all) most = larger(most, one);
    return most;
}
template <class Number>
constexpr Number smaller(std::initializer_list<Number> all) {
    Number least = *all.begin();
    for (const Number one : all) least = smaller(least, one);
    return least;
}

/// The arithmetic mean; NaN for an empty vector.
double mean_of(const std::vector<double>& values);

/// Student's 97.5 % quantile with n - 1 degrees of freedom, n >= 2, from the normal one, z: Cornish and Fisher's series
/// (Abramowitz and Stegun, 26.7.5).
inline double student_quantile(int64_t n) {
    const double z = 1.959963984540054, z2 = z * z, degrees = static_cast<double>(n - 1);
    return z * (1 + (z2 + 1) / (4 * degrees) + ((5 * z2 + 16) * z2 + 3) / (96 * degrees * degrees) +
                (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * degrees * degrees * degrees));
}

struct LineFit {
    double slope = 0.0;        // NaN with fewer than two different x
    double correlation = 0.0;  // Pearson's correlation; NaN if x or y does not vary
};
/// The least-squares line through the points (x[i], y[i]) whose coordinates are both finite.
/// x, y: of the same length.
LineFit fit_line(const std::vector<double>& x, const std::vector<double>& y);

// Shares: for how many seeds, runs or starts something holds, with the interval.

/// Wilson's 95 % interval of a share of `total`; NaN if `total` is 0.
std::pair<double, double> share_interval(double share, int total);

/// `count` of `total` with share_interval().
struct Fraction {
    int count = 0, total = 0;
    double value = 0.0, low = 0.0, high = 0.0;
};
Fraction fraction(int count, int total);
/// "20 of 30, 95 % interval 0.49 to 0.81".
std::string fraction_text(const Fraction& fraction);

/// The correlation of two shares of the same `a.total` seeds, of which `both` count for both, corrected for continuity
/// (Newcombe 1998, method 10 for paired differences).
double share_correlation(const Fraction& a, const Fraction& b, int both);

/// The 95 % interval of the sum of `weight` times each share, from Wilson's intervals (Newcombe 1998; Zou and Donner
/// 2008). correlation: of the shares at two places; 0 if they are of different seeds.
struct WeightedShare {
    Fraction share;
    double weight = 1.0;
};
std::pair<double, double> share_sum_interval(const std::vector<WeightedShare>& terms,
                                             const std::function<double(size_t, size_t)>& correlation);

// Bootstrap intervals of statistics of independent things: seeds, chains, environments.

/// Indices into a list; a sample with replacement repeats some.
using Places = std::vector<size_t>;

struct BootstrapInterval {
    double low = 0.0, high = 0.0;
};

/// The 95 % percentile interval of a statistic of independent lists from `samples` draws of their places with
/// replacement (Efron 1979). Draws whose statistic is NaN are left out; NaN if none is left, or if a list has fewer
/// than two places, which say nothing of how they vary.
/// statistic: a function of a vector of Places.
template <class Statistic>
BootstrapInterval bootstrap_of_lists(const std::vector<size_t>& counts, int samples, Stream random,
                                     const Statistic& statistic) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (std::any_of(counts.begin(), counts.end(), [](size_t count) { return count < 2; })) return {kNone, kNone};
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
    if (values.empty()) return {kNone, kNone};
    std::sort(values.begin(), values.end());
    const size_t cut = values.size() / 40;  // 2.5 % at either end
    return {values[cut], values[values.size() - 1 - cut]};
}
/// The same for one list of `count` places, always with the same draws. statistic: a function of Places.
template <class Statistic>
BootstrapInterval bootstrap_interval(size_t count, int samples, const Statistic& statistic) {
    return bootstrap_of_lists({count}, samples, Stream(0, Purpose::testing, 1),
                              [&](const std::vector<Places>& lists) { return statistic(lists[0]); });
}

}  // namespace emergence
