#pragma once
// Bootstrap intervals of statistics of independent things: seeds, chains, environments.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "core/base/rng.h"

namespace emergence {

/// Places of things in a list; a sample with replacement has some of them more than once.
using Places = std::vector<size_t>;

struct BootstrapInterval {
    double low = 0.0, high = 0.0;
};

/// The 95 % percentile interval of a statistic from `samples` draws of `count` places with replacement (Efron 1979);
/// always the same draws. Draws whose statistic is NaN are left out; NaN if none is left.
/// statistic: a function of Places. count: at least 1.
template <class Statistic>
BootstrapInterval bootstrap_interval(size_t count, int samples, const Statistic& statistic) {
    Stream random(0, Purpose::testing, 1);
    Places places(count);
    std::vector<double> values;
    for (int sample = 0; sample < samples; ++sample) {
        for (size_t& place : places)
            place = std::min(static_cast<size_t>(random.uniform() * static_cast<double>(count)), count - 1);
        if (const double value = statistic(places); !std::isnan(value)) values.push_back(value);
    }
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (values.empty()) return {kNone, kNone};
    std::sort(values.begin(), values.end());
    const size_t cut = values.size() / 40;  // 2.5 % at either end
    return {values[cut], values[values.size() - 1 - cut]};
}

}  // namespace emergence
