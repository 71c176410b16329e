#include "core/algorithms/linear_bandits.h"

#include <cmath>

namespace emergence {

void ArmRegression::reset(const Eigen::MatrixXd& gram, double lambda) {
    covariance_ = gram / lambda;
    estimates_.setZero(gram.rows());
}

void ArmRegression::add(int arm, double reward) {
    column_ = covariance_.col(arm);
    const double share = 1.0 / (1.0 + column_(arm));
    estimates_ += (share * (reward - estimates_(arm))) * column_;
    for (Eigen::Index k = 0; k < column_.size(); ++k) covariance_.col(k) -= (share * column_(k)) * column_;
}

BanditChoice LinUcb::choose(int, Stream&) {
    BanditChoice choice;
    const Eigen::VectorXd& estimates = regression_.estimates();
    for (int k = 0; k < static_cast<int>(estimates.size()); ++k) {
        const double bonus = alpha_ * std::sqrt(std::max(regression_.covariance()(k, k), 0.0));
        if (k == 0 || estimates(k) + bonus > choice.optimistic)
            choice = {k, estimates(k) + bonus, estimates(k)};
    }
    return choice;
}

}  // namespace emergence
