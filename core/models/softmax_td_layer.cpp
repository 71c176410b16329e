#include "core/models/softmax_td_layer.h"

#include <cmath>

namespace emergence {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

void normalise_columns(MatrixXd& A) {
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
        A.col(j) = (A.col(j).array() - A.col(j).maxCoeff()).exp().matrix().eval();
        A.col(j) /= A.col(j).sum();
    }
}

// With Q = sharpness diag(I, 0) the scores are inner products, so |x_i - x_j|^2 follows from three of them.
MatrixXd rbf_of(const MatrixXd& scores) {
    const VectorXd squares = scores.diagonal();
    MatrixXd A(scores.rows(), scores.cols());
    for (Eigen::Index j = 0; j < A.cols(); ++j)
        for (Eigen::Index i = 0; i < A.rows(); ++i) A(i, j) = std::exp(scores(i, j) - 0.5 * (squares[i] + squares[j]));
    return A;
}

}  // namespace

SoftmaxTdWeights softmax_td_construction(int d, double step, double sharpness) {
    SoftmaxTdWeights weights{MatrixXd::Zero(d + 3, d + 3), MatrixXd::Zero(d + 3, d + 3)};
    weights.P.row(d + 2).tail(3) << step, step, -step;
    weights.Q.topLeftCorner(d, d) = sharpness * MatrixXd::Identity(d, d);
    return weights;
}

MatrixXd softmax_td_prompt(const MatrixXd& features, const VectorXd& rewards) {
    const auto d = features.rows(), n = rewards.size();
    MatrixXd Z = MatrixXd::Zero(d + 3, n + 1);
    Z.topRows(d) = features;
    Z.row(d).head(n) = rewards.transpose();
    return Z;
}

MatrixXd attention_kernel(const MatrixXd& Z, const MatrixXd& Q, const KernelOptions& options) {
    const auto n = Z.cols() - 1, sources = options.mask_query ? n : n + 1;
    const MatrixXd scores = Z.transpose() * Q * Z / options.temperature;
    MatrixXd A = scores.topRows(sources);
    switch (options.kernel) {
        case ScoreKernel::softmax:
            normalise_columns(A);
            break;
        case ScoreKernel::relu:
            A = A.cwiseMax(0.0) / static_cast<double>(n);
            break;
        case ScoreKernel::elu:
            A = A.unaryExpr([](double s) { return s > 0 ? s : std::expm1(s); }) / static_cast<double>(n);
            break;
        case ScoreKernel::rbf:
            A = rbf_of(scores).topRows(sources) / static_cast<double>(n);
            break;
    }
    MatrixXd kernel = MatrixXd::Zero(n + 1, n + 1);
    kernel.topRows(sources) = A;
    // No mixing in the query's column: it would read the query's own column, which is masked.
    kernel.leftCols(n) *= 1.0 - options.mixing;
    kernel.topLeftCorner(n, n).diagonal().array() += options.mixing;
    return kernel;
}

MatrixXd left_shift(int n) {
    MatrixXd S = MatrixXd::Zero(n + 1, n + 1);
    for (int j = 0; j < n; ++j) S(j + 1, j) = 1.0;
    return S;
}

MatrixXd dual_head_layer(const MatrixXd& Z, const SoftmaxTdWeights& weights, double gamma,
                         const KernelOptions& options) {
    const auto D = Z.rows();
    const MatrixXd current = weights.P * Z * attention_kernel(Z, weights.Q, options);
    MatrixXd next = Z + current;
    next.row(D - 2) += gamma * (current * left_shift(static_cast<int>(Z.cols()) - 1)).row(D - 1);
    return next;
}

MatrixXd temporal_shift_layer(const MatrixXd& Z, const SoftmaxTdWeights& weights, double gamma,
                              const KernelOptions& options, bool shift) {
    const auto D = Z.rows(), n = Z.cols() - 1;
    MatrixXd next = Z + weights.P * Z * attention_kernel(Z, weights.Q, options);
    if (!shift) return next;
    const VectorXd current = next.row(D - 1);
    next.row(D - 2).head(n) = gamma * current.tail(n).transpose();
    next(D - 2, n) = 0.0;
    return next;
}

}  // namespace emergence
