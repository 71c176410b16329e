#pragma once
// The block as Eq. (1), Liang and Lai, writes it, with all entries of P and V: the reference for the fast path.

#include "core/algorithms/policy_agent.h"
#include "core/base/eigen.h"
#include "core/models/improvement_block.h"

namespace emergence {

/// The first window of the task's policy, from a drawn state.
template <class T>
ImprovementPrompt<T> first_prompt(const ImprovementShape& shape, const ImprovementTask& task, Stream stream) {
    PolicyAgent<T> agent(shape, {});
    agent.begin(task);
    agent.draw_state(stream);
    ImprovementPrompt<T> prompt(shape);
    agent.collect(stream, prompt);
    return prompt;
}

/// The prompt H as the paper writes it: D x (n + 1).
inline Eigen::MatrixXd dense_prompt(const ImprovementShape& shape, const ImprovementPrompt<double>& prompt) {
    Eigen::MatrixXd H = Eigen::MatrixXd::Zero(shape.rows(), shape.n + 1);
    for (int i = 0; i < shape.n; ++i)
        for (int k = 0; k < shape.context(); ++k) H(k, i) = prompt.X[i * prompt.stride + k];
    for (int k = 0; k < shape.query(); ++k) H(shape.context() + k, shape.n) = prompt.query[k];
    return H;
}

/// H + (1/n) (V H)(H' P H). P, V: D x D; H: D x (n+1).
inline Eigen::MatrixXd naive_improvement(const Eigen::MatrixXd& P, const Eigen::MatrixXd& V, const Eigen::MatrixXd& H) {
    const double n = static_cast<double>(H.cols() - 1);
    return H + (V * H) * (H.transpose() * P * H) / n;
}

/// The loss 1/2 |output - target|^2 and its gradient by P and V, D x D each.
struct NaiveImprovementGradient {
    double loss;
    Eigen::MatrixXd P, V;
};

/// The gradient for one prompt H: D x (n+1). The output is the last entries of the last column, parameters plus
/// update; target: as long as the output.
inline NaiveImprovementGradient naive_improvement_gradient(const Eigen::MatrixXd& P, const Eigen::MatrixXd& V,
                                                           const Eigen::MatrixXd& H, const Eigen::VectorXd& target) {
    const double n = static_cast<double>(H.cols() - 1);
    const Eigen::MatrixXd VH = V * H, scores = H.transpose() * P * H / n;
    const Eigen::MatrixXd out = H + VH * scores;
    Eigen::MatrixXd error = Eigen::MatrixXd::Zero(H.rows(), H.cols());
    error.rightCols(1).bottomRows(target.size()) = out.rightCols(1).bottomRows(target.size()) - target;
    // out = H + V H S,  S = H' P H / n:  dV = E (H S)',  dS = (V H)' E,  dP = H dS H' / n
    const Eigen::MatrixXd score_gradient = VH.transpose() * error / n;
    return {0.5 * error.squaredNorm(), H * score_gradient * H.transpose(), error * (H * scores).transpose()};
}

/// The loss of a block and its gradient: the first moment of an Adam that forgets everything before.
template <class T>
T block_gradient(ImprovementBlock<T>& block, std::vector<T> weights, const PromptView<T>& prompt,
                 std::vector<T>& gradient) {
    std::vector<T> squares(weights.size(), T(0));
    gradient.assign(weights.size(), T(0));
    return block.train(weights.data(), prompt, {gradient.data(), squares.data(), T(0), T(0), T(1), T(0), T(1)});
}

}  // namespace emergence
