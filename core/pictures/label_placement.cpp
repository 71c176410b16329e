#include "core/pictures/label_placement.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace emergence {

std::vector<double> place_side_by_side(const std::vector<double>& centers, const std::vector<double>& extents,
                                       double length, double gap) {
    const size_t n = centers.size();
    std::vector<double> starts(n);
    const double room = length - gap * (n > 0 ? static_cast<double>(n - 1) : 0.0);
    double end = -gap;
    if (std::accumulate(extents.begin(), extents.end(), 0.0) > room) {
        end = -std::numeric_limits<double>::infinity();
        for (size_t i = 0; i < n; ++i) {
            starts[i] = centers[i] - extents[i] / 2;
            if (starts[i] < end + gap)
                starts[i] = std::numeric_limits<double>::quiet_NaN();
            else
                end = starts[i] + extents[i];
        }
        return starts;
    }
    for (size_t i = 0; i < n; ++i) {
        starts[i] = std::max(centers[i] - extents[i] / 2, end + gap);
        end = starts[i] + extents[i];
    }
    double limit = length;
    for (size_t i = n; i-- > 0;) {
        starts[i] = std::min(starts[i], limit - extents[i]);
        limit = starts[i] - gap;
    }
    return starts;
}

}  // namespace emergence
