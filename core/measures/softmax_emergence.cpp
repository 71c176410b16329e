#include "core/measures/softmax_emergence.h"

#include <algorithm>
#include <cmath>

#include "core/base/eigen.h"

namespace emergence {
namespace {

constexpr double kEpsilon = 1e-8;

double a_emergence(const Eigen::MatrixXd& block) {
    const auto d = static_cast<double>(block.rows());
    double on_diagonal = 0.0, mass = 0.0;
    for (Eigen::Index j = 0; j < block.cols(); ++j) {
        const double norm = block.col(j).cwiseAbs().sum() + kEpsilon;
        on_diagonal += std::abs(block(j, j)) / norm;
        mass += block.col(j).cwiseAbs().sum() / norm;
    }
    const Eigen::VectorXd q = block.diagonal();
    const double mean = q.mean(), deviation = std::sqrt((q.array() - mean).square().sum() / d);
    return on_diagonal / (mass + kEpsilon) / (1.0 + deviation / (std::abs(mean) + kEpsilon));
}

}  // namespace

SoftmaxEmergence softmax_emergence(const float* weights, int d) {
    using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const int D = d + 3;
    const Eigen::VectorXd row =
        Eigen::Map<const RowMajor>(weights, D, D).row(D - 1).transpose().cast<double>();
    const Eigen::MatrixXd block =
        Eigen::Map<const RowMajor>(weights + D * D, D, D).topLeftCorner(d, d).cast<double>();
    SoftmaxEmergence e{};
    e.reward = row[d];
    e.bootstrap = row[d + 1];
    e.current = row[d + 2];
    e.others = row.head(d).cwiseAbs().mean();
    e.q_mean = block.diagonal().mean();
    const double off = block.cwiseAbs().sum() - block.diagonal().cwiseAbs().sum();
    e.q_others = d == 1 ? 0.0 : off / (d * (d - 1));
    const auto [least, most] = std::minmax({std::abs(e.reward), std::abs(e.bootstrap), std::abs(e.current)});
    const bool signs = e.reward_lamp() && e.bootstrap_lamp() && e.current_lamp();
    e.v_emergence = signs ? least / (most + kEpsilon) : 0.0;
    e.a_emergence = a_emergence(block);
    return e;
}

}  // namespace emergence
