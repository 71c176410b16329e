#include "core/measures/map_sums.h"

#include "core/base/lane_dispatch.h"

namespace emergence {

// One per compiled instruction set, see map_sums_kernels.cpp. sums: loss; gradient; the upper halves of curvature and of
// scatter, row by row.
EMERGENCE_DECLARE_ON_LANES(void map_lane_sums(const MapBank&, const double* wanted, const double* parameters, int size,
                                              bool derivatives, MapKind, double* sums);)

MapSums map_sums(const MapBank& bank, const double* wanted, const std::vector<double>& parameters, bool derivatives,
                 MapKind kind) {
    const size_t p = parameters.size(), half = p * (p + 1) / 2;
    std::vector<double> flat(derivatives ? 1 + p + (kind == MapKind::map ? 2 : 1) * half : 1);
    EMERGENCE_ON_LANES(instruction_set(), map_lane_sums(bank, wanted, parameters.data(), static_cast<int>(p),
                                                        derivatives, kind, flat.data()));
    MapSums sums{flat[0], {}, {}, {}};
    if (!derivatives) return sums;
    const double* entry = flat.data() + 1;
    sums.gradient.assign(entry, entry + p);
    entry += p;
    for (std::vector<double>* whole : {&sums.curvature, &sums.scatter}) {
        if (whole == &sums.scatter && kind != MapKind::map) break;
        whole->resize(p * p);
        for (size_t a = 0; a < p; ++a)
            for (size_t b = a; b < p; ++b) (*whole)[a * p + b] = (*whole)[b * p + a] = *entry++;
    }
    return sums;
}

}  // namespace emergence
