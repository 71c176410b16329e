#include "core/algorithms/batch_td.h"

#include "core/base/error.h"

namespace emergence {
BatchUpdate td_update(const Transitions& context) { return {context.reward, context.phi}; }

BatchUpdate residual_gradient_update(const Transitions& context) {
    return {context.reward, context.phi - context.gamma_phi_next};
}

BatchUpdate td_lambda_update(const Transitions& context, double trace_decay) {
    BatchUpdate update = td_update(context);
    Eigen::MatrixXd& traces = update.direction;
    for (Eigen::Index j = 1; j < traces.cols(); ++j) traces.col(j) += trace_decay * traces.col(j - 1);
    return update;
}

BatchUpdate average_reward_update(const Transitions& context) {
    BatchUpdate update = td_update(context);
    double sum = 0.0;
    for (Eigen::Index j = 0; j < update.reward.size(); ++j) {
        sum += context.reward[j];
        update.reward[j] -= sum / static_cast<double>(j + 1);
    }
    return update;
}

std::vector<Eigen::VectorXd> batch_iterates(const Transitions& context, const BatchUpdate& update,
                                            const std::vector<Eigen::MatrixXd>& C, int steps) {
    check(C.size() == 1 || C.size() == static_cast<size_t>(steps), "one C, or one a step");
    const auto n = context.phi.cols();
    std::vector<Eigen::VectorXd> w = {Eigen::VectorXd::Zero(context.phi.rows())};
    for (int l = 0; l < steps; ++l) {
        Eigen::VectorXd sum = Eigen::VectorXd::Zero(context.phi.rows());
        for (Eigen::Index j = 0; j < n; ++j) {
            const double td_error =
                update.reward[j] + w.back().dot(context.gamma_phi_next.col(j)) - w.back().dot(context.phi.col(j));
            sum += td_error * update.direction.col(j);
        }
        const Eigen::MatrixXd& preconditioner = C.size() == 1 ? C[0] : C[l];
        w.push_back(w.back() + preconditioner * sum / static_cast<double>(n));
    }
    return w;
}

BatchSystem batch_system(const Transitions& context, const BatchUpdate& update) {
    const auto n = static_cast<double>(context.phi.cols());
    return {update.direction * (context.phi - context.gamma_phi_next).transpose() / n,
            update.direction * update.reward / n};
}

std::vector<Eigen::VectorXd> batch_td(const Transitions& context, const std::vector<Eigen::MatrixXd>& C, int steps) {
    return batch_iterates(context, td_update(context), C, steps);
}

}  // namespace emergence
