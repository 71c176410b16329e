#include "core/measures/line_up_families.h"

#include <algorithm>

namespace emergence {

Eigen::VectorXd family_weights(Family family, const Eigen::MatrixXd& context, int layers,
                               const Eigen::VectorXd& parameters) {
    const std::vector<double> w = FamilyRun<double>(context, layers, parameters.data()).weights(family);
    return Eigen::Map<const Eigen::VectorXd>(w.data(), static_cast<Eigen::Index>(w.size()));
}

Eigen::MatrixXd family_derivatives(Family family, const Eigen::MatrixXd& context, int layers,
                                   const Eigen::VectorXd& parameters) {
    const int count = static_cast<int>(parameters.size()), d = static_cast<int>(context.rows() - 1) / 2;
    Eigen::MatrixXd derivatives(d, count);
    for (int first = 0; first < count; first += kTangents) {
        const int some = std::min(kTangents, count - first);
        std::vector<Dual> seeded;
        for (const double parameter : parameters) seeded.emplace_back(parameter);
        for (int k = 0; k < some; ++k) seeded[static_cast<size_t>(first + k)].derivatives()[k] = 1.0;
        const std::vector<Dual> w = FamilyRun<Dual>(context, layers, seeded.data()).weights(family);
        for (int i = 0; i < d; ++i)
            for (int k = 0; k < some; ++k) derivatives(i, first + k) = w[static_cast<size_t>(i)].derivatives()[k];
    }
    return derivatives;
}

}  // namespace emergence
