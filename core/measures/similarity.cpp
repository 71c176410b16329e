#include "core/measures/similarity.h"

#include "core/base/linear_algebra.h"

namespace emergence {

double value_difference(const Eigen::VectorXd& v1, const Eigen::VectorXd& v2,
                        const Eigen::VectorXd& stationary) {
    return (v1 - v2).cwiseAbs2().dot(stationary);
}

Eigen::VectorXd implicit_weight(const Eigen::MatrixXd& features, const Eigen::VectorXd& v,
                                const Eigen::VectorXd& stationary) {
    const Eigen::VectorXd root = stationary.cwiseSqrt();
    const Eigen::MatrixXd design = root.asDiagonal() * features.transpose();
    return least_norm_solution(design, root.asDiagonal() * v);
}

double cosine_similarity(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
    const double norms = a.norm() * b.norm();
    return norms == 0 ? 0.0 : a.dot(b) / norms;
}

double sensitivity_similarity(const Eigen::MatrixXd& gradients1, const Eigen::MatrixXd& gradients2,
                              const Eigen::VectorXd& stationary) {
    double sum = 0;
    for (Eigen::Index s = 0; s < stationary.size(); ++s)
        sum += stationary[s] * cosine_similarity(gradients1.col(s), gradients2.col(s));
    return sum;
}

double mean_square_value_error(const Eigen::VectorXd& estimate, const Eigen::VectorXd& v,
                               const Eigen::VectorXd& stationary) {
    return value_difference(estimate, v, stationary);
}

}  // namespace emergence
