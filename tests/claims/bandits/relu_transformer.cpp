#include "tests/claims/bandits/relu_transformer.h"

#include <algorithm>

#include "core/base/linear_algebra.h"
#include "core/base/statistics.h"

namespace emergence {
namespace {

double operator_norm(const Eigen::MatrixXd& matrix) {
    if (matrix.size() == 0) return 0.0;
    // The square root of the largest eigenvalue of the smaller Gram matrix.
    const Eigen::MatrixXd gram =
        matrix.rows() < matrix.cols() ? Eigen::MatrixXd(matrix * matrix.transpose()) : matrix.transpose() * matrix;
    return std::sqrt(symmetric_eigenvalues(gram).maxCoeff<Eigen::PropagateNaN>());
}

}  // namespace

void pass_token(const ReluLayer& layer, Eigen::Index i, Eigen::MatrixXd& H) {
    const auto seen = H.leftCols(i + 1);
    Eigen::VectorXd h = H.col(i);
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(h.size());
    for (const ReluHead& head : layer.heads) {
        const Eigen::VectorXd query = head.K.transpose() * (head.Q * h);
        const Eigen::VectorXd weights = (seen.transpose() * query).cwiseMax(0.0);
        sum += head.V * (seen * weights);
    }
    h += sum / static_cast<double>(i + 1);
    if (layer.W_1.rows() > 0) h += layer.W_2 * (layer.W_1 * h).cwiseMax(0.0);
    H.col(i) = h;
}

double norm_of(const std::vector<ReluLayer>& layers) {
    double norm = 0.0;
    for (const ReluLayer& layer : layers) {
        double keys = 0.0, values = 0.0;
        for (const ReluHead& head : layer.heads) {
            keys = larger({keys, operator_norm(head.Q), operator_norm(head.K)});
            values += operator_norm(head.V);
        }
        norm = larger(norm, keys + values + operator_norm(layer.W_1) + operator_norm(layer.W_2));
    }
    return norm;
}

}  // namespace emergence
