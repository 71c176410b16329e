#include "core/measures/map_sums.h"

#include "core/base/lane_dispatch.h"

namespace emergence {

// One per compiled instruction set, see map_sums_kernels.cpp. sums: loss; gradient; the upper halves of curvature and
// scatter, row by row.
EMERGENCE_DECLARE_ON_LANES(void map_lane_sums(const MapBank&, const double* wanted, const double* parameters,
                                              int layers, bool derivatives, double* sums);)

MapSums map_sums(const MapBank& bank, const double* wanted, const std::vector<double>& parameters, bool derivatives) {
    const size_t p = parameters.size(), half = p * (p + 1) / 2;
    std::vector<double> flat(derivatives ? 1 + p + 2 * half : 1);
    EMERGENCE_ON_LANES(instruction_set(), map_lane_sums(bank, wanted, parameters.data(), static_cast<int>(p) - 2,
                                                        derivatives, flat.data()));
    MapSums sums{flat[0], {}, {}, {}};
    if (!derivatives) return sums;
    sums.gradient.assign(flat.begin() + 1, flat.begin() + 1 + static_cast<std::ptrdiff_t>(p));
    for (std::vector<double>* whole : {&sums.curvature, &sums.scatter}) {
        whole->resize(p * p);
        const double* entry = flat.data() + 1 + p + (whole == &sums.scatter ? half : 0);
        for (size_t a = 0; a < p; ++a)
            for (size_t b = a; b < p; ++b) (*whole)[a * p + b] = (*whole)[b * p + a] = *entry++;
    }
    return sums;
}

}  // namespace emergence
