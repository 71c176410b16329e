#include "core/algorithms/batch_td.h"

#include "core/base/check.h"

namespace emergence {
namespace {

// w_{l+1} = w_l + (1/n) C_l sum_j (reward_j + w_l' gamma_phi_next_j - w_l' phi_j) direction_j
std::vector<Eigen::VectorXd> iterate(const Transitions& context, const Eigen::VectorXd& reward,
                                     const Eigen::MatrixXd& direction, const std::vector<Eigen::MatrixXd>& C,
                                     int steps) {
    check(C.size() == 1 || C.size() == static_cast<size_t>(steps), "one C, or one a step");
    const auto n = context.phi.cols();
    std::vector<Eigen::VectorXd> w = {Eigen::VectorXd::Zero(context.phi.rows())};
    for (int l = 0; l < steps; ++l) {
        Eigen::VectorXd sum = Eigen::VectorXd::Zero(context.phi.rows());
        for (Eigen::Index j = 0; j < n; ++j) {
            const double td_error =
                reward[j] + w.back().dot(context.gamma_phi_next.col(j)) - w.back().dot(context.phi.col(j));
            sum += td_error * direction.col(j);
        }
        const Eigen::MatrixXd& preconditioner = C.size() == 1 ? C[0] : C[static_cast<size_t>(l)];
        w.push_back(w.back() + preconditioner * sum / static_cast<double>(n));
    }
    return w;
}

}  // namespace

std::vector<Eigen::VectorXd> batch_td(const Transitions& context, const std::vector<Eigen::MatrixXd>& C,
                                      int steps) {
    return iterate(context, context.reward, context.phi, C, steps);
}

std::vector<Eigen::VectorXd> batch_residual_gradient(const Transitions& context,
                                                     const std::vector<Eigen::MatrixXd>& C, int steps) {
    return iterate(context, context.reward, context.phi - context.gamma_phi_next, C, steps);
}

std::vector<Eigen::VectorXd> batch_td_lambda(const Transitions& context,
                                             const std::vector<Eigen::MatrixXd>& C, double trace_decay,
                                             int steps) {
    Eigen::MatrixXd traces = context.phi;
    for (Eigen::Index j = 1; j < traces.cols(); ++j) traces.col(j) += trace_decay * traces.col(j - 1);
    return iterate(context, context.reward, traces, C, steps);
}

std::vector<Eigen::VectorXd> batch_average_reward_td(const Transitions& context,
                                                     const std::vector<Eigen::MatrixXd>& C, int steps) {
    Eigen::VectorXd centred = context.reward;
    double sum = 0.0;
    for (Eigen::Index j = 0; j < centred.size(); ++j) {
        sum += context.reward[j];
        centred[j] -= sum / static_cast<double>(j + 1);
    }
    return iterate(context, centred, context.phi, C, steps);
}

}  // namespace emergence
