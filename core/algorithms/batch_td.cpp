#include "core/algorithms/batch_td.h"

#include "core/base/check.h"

namespace emergence {

std::vector<Eigen::VectorXd> batch_td(const Transitions& context, const std::vector<Eigen::MatrixXd>& C,
                                      int steps) {
    check(C.size() == 1 || C.size() == static_cast<size_t>(steps), "one C, or one a step");
    const auto n = context.phi.cols();
    std::vector<Eigen::VectorXd> w = {Eigen::VectorXd::Zero(context.phi.rows())};
    for (int l = 0; l < steps; ++l) {
        Eigen::VectorXd sum = Eigen::VectorXd::Zero(context.phi.rows());
        for (Eigen::Index j = 0; j < n; ++j) {
            const double td_error = context.reward[j] + w.back().dot(context.gamma_phi_next.col(j)) -
                                    w.back().dot(context.phi.col(j));
            sum += td_error * context.phi.col(j);
        }
        const Eigen::MatrixXd& preconditioner = C.size() == 1 ? C[0] : C[static_cast<size_t>(l)];
        w.push_back(w.back() + preconditioner * sum / static_cast<double>(n));
    }
    return w;
}

}  // namespace emergence
