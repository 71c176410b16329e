#include "core/base/line_fit.h"

#include <cmath>
#include <limits>

namespace emergence {

LineFit fit_line(const std::vector<double>& x, const std::vector<double>& y) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
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
    fit.count = static_cast<int>(n);
    const double both = n * sum_xy - sum_x * sum_y;
    const double spread_x = n * sum_xx - sum_x * sum_x, spread_y = n * sum_yy - sum_y * sum_y;
    const bool varies = fit.count >= 2 && spread_x > 0;
    fit.slope = varies ? both / spread_x : kNone;
    fit.correlation = varies && spread_y > 0 ? both / std::sqrt(spread_x * spread_y) : kNone;
    return fit;
}

}  // namespace emergence
