#include "core/measures/family_sums.h"

#include "core/base/instruction_set.h"

namespace emergence {

// One per compiled instruction set, see family_sums_kernels.cpp. sums: loss; gradient; the upper halves of curvature and,
// of scalar steps, of scatter, row by row.
EMERGENCE_DECLARE_ON_LANES(void family_lane_sums(const FamilyBank&, const FamilyTarget&, const double* parameters,
                                                 int size, Steps, bool derivatives, double* sums);
                           void family_lane_errors(const FamilyBank&, const double* wanted, const double* parameters,
                                                   int size, Steps, double* errors);
                           void power_lane_sums(const FamilyBank&, const FamilyTarget&, double beta, double c,
                                                int layers, double* sums);)

FamilySums family_sums(const FamilyBank& bank, const FamilyTarget& target, const std::vector<double>& parameters,
                       Steps steps, bool derivatives) {
    const size_t p = parameters.size(), half = p * (p + 1) / 2;
    std::vector<double> flat(derivatives ? 1 + p + (steps == Steps::scalar ? 2 : 1) * half : 1);
    EMERGENCE_ON_LANES(instruction_set(), family_lane_sums(bank, target, parameters.data(), static_cast<int>(p), steps,
                                                           derivatives, flat.data()));
    FamilySums sums{flat[0], {}, {}, {}};
    if (!derivatives) return sums;
    const double* entry = flat.data() + 1;
    sums.gradient.assign(entry, entry + p);
    entry += p;
    for (std::vector<double>* whole : {&sums.curvature, &sums.scatter}) {
        if (whole == &sums.scatter && steps != Steps::scalar) break;
        whole->resize(p * p);
        for (size_t a = 0; a < p; ++a)
            for (size_t b = a; b < p; ++b) (*whole)[a * p + b] = (*whole)[b * p + a] = *entry++;
    }
    return sums;
}

std::vector<double> family_errors(const FamilyBank& bank, const double* wanted, const std::vector<double>& parameters,
                                  Steps steps) {
    std::vector<double> errors(static_cast<size_t>(bank.groups) * 16);
    EMERGENCE_ON_LANES(
        instruction_set(),
        family_lane_errors(bank, wanted, parameters.data(), static_cast<int>(parameters.size()), steps, errors.data()));
    return errors;
}

std::vector<double> power_sums(const FamilyBank& bank, const FamilyTarget& target, double beta, double c, int layers) {
    std::vector<double> sums(static_cast<size_t>(layers * (layers + 1) / 2 + layers));
    EMERGENCE_ON_LANES(instruction_set(), power_lane_sums(bank, target, beta, c, layers, sums.data()));
    return sums;
}

}  // namespace emergence
