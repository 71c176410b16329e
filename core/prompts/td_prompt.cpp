#include "core/prompts/td_prompt.h"

namespace emergence {

Transitions draw_transitions(const Mrp& mrp, double gamma, int n, Stream& stream) {
    StateSampler sampler;
    sampler.reset(mrp);
    Transitions context{Eigen::MatrixXd(mrp.d(), n), Eigen::MatrixXd(mrp.d(), n), Eigen::VectorXd(n)};
    int state = sampler.first(stream.uniform());
    for (int j = 0; j < n; ++j) {
        const int next = sampler.next(state, stream.uniform());
        context.phi.col(j) = mrp.features.col(state);
        context.gamma_phi_next.col(j) = gamma * mrp.features.col(next);
        context.reward[j] = mrp.reward[state];
        state = next;
    }
    return context;
}

Eigen::MatrixXd td_prompt(const Transitions& context, const Eigen::VectorXd& query) {
    const auto d = context.phi.rows(), n = context.phi.cols();
    Eigen::MatrixXd Z = Eigen::MatrixXd::Zero(2 * d + 1, n + 1);
    Z.topLeftCorner(d, n) = context.phi;
    Z.block(d, 0, d, n) = context.gamma_phi_next;
    Z.bottomLeftCorner(1, n) = context.reward.transpose();
    Z.col(n).head(d) = query;
    return Z;
}

}  // namespace emergence
