#include "core/tasks/td_prompt.h"

namespace emergence {

std::vector<int> draw_path(const Mrp& mrp, int n, Stream& stream) {
    StateSampler sampler;
    sampler.reset(mrp);
    std::vector<int> path = {sampler.first(stream.uniform())};
    for (int j = 0; j < n; ++j) path.push_back(sampler.next(path.back(), stream.uniform()));
    return path;
}

Transitions transitions_along(const Mrp& mrp, double gamma, const std::vector<int>& path) {
    const auto n = static_cast<Eigen::Index>(path.size()) - 1;
    Transitions context{Eigen::MatrixXd(mrp.d(), n), Eigen::MatrixXd(mrp.d(), n), Eigen::VectorXd(n)};
    for (Eigen::Index j = 0; j < n; ++j) {
        const int state = path[j], next = path[static_cast<size_t>(j) + 1];
        context.phi.col(j) = mrp.features.col(state);
        context.gamma_phi_next.col(j) = gamma * mrp.features.col(next);
        context.reward[j] = mrp.reward[state];
    }
    return context;
}

Transitions draw_transitions(const Mrp& mrp, double gamma, int n, Stream& stream) {
    return transitions_along(mrp, gamma, draw_path(mrp, n, stream));
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
