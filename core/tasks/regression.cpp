#include "core/tasks/regression.h"

#include <cmath>

#include "core/base/check.h"
#include "core/base/rng.h"

namespace emergence {

Eigen::MatrixXd Covariance::power(double p) const {
    return U.transpose() * eigenvalues.array().pow(p).matrix().asDiagonal() * U;
}

Eigen::VectorXd eigenvalues_of(Spectrum spectrum, int d, double condition) {
    check(d >= 1 && condition >= 1, "a spectrum's size and condition number");
    static constexpr double kPaper[] = {1, 1, 0.5, 0.25, 1};
    Eigen::VectorXd values = Eigen::VectorXd::Ones(d);
    for (int i = 0; i < d; ++i) switch (spectrum) {
            case Spectrum::paper:
                values(i) = kPaper[i % 5] * kPaper[i % 5];
                break;
            case Spectrum::geometric:
                if (d > 1) values(i) = std::pow(condition, -static_cast<double>(i) / (d - 1));
                break;
            case Spectrum::two_levels:
                if (i >= (d + 1) / 2) values(i) = 1 / condition;
                break;
            case Spectrum::identity:
                break;
        }
    return values;
}

Eigen::MatrixXd random_rotation(int d, uint64_t seed) {
    Stream stream(seed, Purpose::task_parameters);
    Eigen::MatrixXd gaussian(d, d);
    for (int i = 0; i < d; ++i)
        for (int j = 0; j < d; ++j) gaussian(i, j) = stream.normal();
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(gaussian);
    Eigen::MatrixXd Q = qr.householderQ();
    // Q is uniform (Haar) only if R has a positive diagonal.
    for (int j = 0; j < d; ++j)
        if (qr.matrixQR()(j, j) < 0) Q.col(j) = -Q.col(j);
    return Q;
}

double RegressionTask::loss(const Eigen::VectorXd& w) const {
    return (X.transpose() * (w - w_star)).squaredNorm() / (2 * static_cast<double>(X.cols()));
}

Eigen::VectorXd RegressionTask::gradient(const Eigen::VectorXd& w) const {
    return X * (X.transpose() * (w - w_star)) / static_cast<double>(X.cols());
}

RegressionTask draw_regression_task(const Covariance& covariance, WeightPrior prior, int n, uint64_t seed,
                                    uint32_t index) {
    const Eigen::Index d = covariance.d();
    const auto normals = [d](Stream stream, Eigen::Index columns) {
        Eigen::MatrixXd values(d, columns);
        for (Eigen::Index j = 0; j < columns; ++j)
            for (Eigen::Index i = 0; i < d; ++i) values(i, j) = stream.normal();
        return values;
    };
    const Eigen::VectorXd roots = covariance.eigenvalues.cwiseSqrt();
    const Eigen::MatrixXd to_x = covariance.U.transpose() * roots.asDiagonal();
    RegressionTask task;
    task.X = to_x * normals(Stream(seed, Purpose::features, index, 0), n);
    task.query = to_x * normals(Stream(seed, Purpose::features, index, 1), 1);
    const Eigen::VectorXd latent = normals(Stream(seed, Purpose::true_weights, index), 1);
    task.w_star = covariance.U.transpose() *
                  (prior == WeightPrior::identity ? latent : latent.cwiseQuotient(roots).eval());
    return task;
}

}  // namespace emergence
