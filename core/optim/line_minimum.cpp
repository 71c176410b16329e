#include "core/optim/line_minimum.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace emergence {

double line_minimum(const std::function<double(double)>& value, double low, double high, double pace,
                    int cuts) {
    constexpr double kGolden = 0.6180339887498949, kInfinity = std::numeric_limits<double>::infinity();
    const auto bounded = [&](double at) {
        const double found = value(at);
        return std::isfinite(found) ? found : kInfinity;
    };
    double best = low, least = kInfinity;
    for (double at = low; at <= high; at += pace)
        if (const double found = bounded(at); found < least) {
            least = found;
            best = at;
        }
    double from = std::max(low, best - pace), to = std::min(high, best + pace);
    double a = to - kGolden * (to - from), b = from + kGolden * (to - from);
    double at_a = bounded(a), at_b = bounded(b);
    for (int i = 0; i < cuts; ++i) {
        if (at_a < at_b) {
            to = b;
            b = std::exchange(a, b - kGolden * (b - from));
            at_b = std::exchange(at_a, bounded(a));
        } else {
            from = a;
            a = std::exchange(b, a + kGolden * (to - a));
            at_a = std::exchange(at_b, bounded(b));
        }
    }
    return (from + to) / 2;
}

}  // namespace emergence
