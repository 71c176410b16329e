#include "core/measures/identity_distance.h"

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/statistics.h"

namespace emergence {
namespace {

constexpr int kMostSweeps = 100;
constexpr double kNoTurn = 1e-14;

// cos and sin of the rotation of the plane (p, q) that minimises the sum over matrices of M_pq^2. Its angle is half
// that of the leading eigenvector of sum h h', where
//
//     h = (M_pp - M_qq, 2 M_pq)
std::pair<double, double> rotation(const std::vector<Eigen::MatrixXd>& matrices, Eigen::Index p, Eigen::Index q) {
    double difference = 0, cross = 0;
    for (const Eigen::MatrixXd& M : matrices) {
        const double h1 = M(p, p) - M(q, q), h2 = 2 * M(p, q);
        difference += h1 * h1 - h2 * h2;
        cross += h1 * h2;
    }
    // The eigenvector has twice the rotation's angle, and atan2 gives twice the eigenvector's angle.
    const double angle = 0.25 * std::atan2(2 * cross, difference);
    return {std::cos(angle), std::sin(angle)};
}

void turn_columns(Eigen::MatrixXd& M, Eigen::Index p, Eigen::Index q, double c, double s) {
    const Eigen::VectorXd column = M.col(p);
    M.col(p) = c * column + s * M.col(q);
    M.col(q) = c * M.col(q) - s * column;
}

}  // namespace

double identity_distance(const Eigen::MatrixXd& M) {
    const double norm = M.norm();
    if (!(norm > 0)) return 1.0;
    const double a = M.trace() / static_cast<double>(M.rows());
    return (M - a * Eigen::MatrixXd::Identity(M.rows(), M.cols())).norm() / norm;
}

double error_after_scaling(const Eigen::MatrixXd& M, const Eigen::MatrixXd& target) {
    const double square = M.squaredNorm();
    if (!(square > 0)) return 1.0;
    const double a = M.cwiseProduct(target).sum() / square;
    return (a * M - target).norm() / target.norm();
}

double preconditioner_power(const Eigen::MatrixXd& M, const Eigen::VectorXd& eigenvalues) {
    const Eigen::ArrayXd diagonal = M.diagonal().array();
    const bool one_sign = diagonal.minCoeff<Eigen::PropagateNaN>() > 0 || diagonal.maxCoeff<Eigen::PropagateNaN>() < 0;
    const Eigen::ArrayXd across = eigenvalues.array().log() - eigenvalues.array().log().mean();
    const double spread = across.square().sum();
    if (!one_sign || !(spread > 1e-12)) return std::numeric_limits<double>::quiet_NaN();
    return -(across * diagonal.abs().log()).sum() / spread;
}

JointDiagonalisation diagonalise_jointly(std::vector<Eigen::MatrixXd> matrices) {
    check(!matrices.empty(), "something to diagonalise");
    const Eigen::Index d = matrices.front().rows();
    JointDiagonalisation result;
    result.basis = Eigen::MatrixXd::Identity(d, d);
    bool turned = true;
    for (int sweep = 0; turned && sweep < kMostSweeps; ++sweep) {
        turned = false;
        for (Eigen::Index p = 0; p < d; ++p)
            for (Eigen::Index q = p + 1; q < d; ++q) {
                const auto [c, s] = rotation(matrices, p, q);
                if (std::abs(s) <= kNoTurn) continue;
                turned = true;
                for (Eigen::MatrixXd& M : matrices) {
                    turn_columns(M, p, q, c, s);
                    M.transposeInPlace();
                    turn_columns(M, p, q, c, s);
                    M.transposeInPlace();
                }
                turn_columns(result.basis, p, q, c, s);
            }
    }
    double off = 0, all = 0;
    for (const Eigen::MatrixXd& M : matrices) {
        all += M.squaredNorm();
        off += M.squaredNorm() - M.diagonal().squaredNorm();
    }
    result.off_diagonal_mass = all > 0 ? larger(0.0, off / all) : 0.0;
    result.matrices = std::move(matrices);
    return result;
}

}  // namespace emergence
