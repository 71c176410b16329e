#include "core/algorithms/context_algorithms.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/linear_algebra.h"

namespace emergence {

BatchUpdate td_update(const Transitions& context) { return {context.reward, context.phi}; }

BatchUpdate residual_gradient_update(const Transitions& context) {
    return {context.reward, context.phi - context.gamma_phi_next};
}

BatchUpdate td_lambda_update(const Transitions& context, double trace_decay) {
    BatchUpdate update = td_update(context);
    Mat& traces = update.direction;
    for (Index j = 1; j < traces.cols(); ++j) traces.col(j) += trace_decay * traces.col(j - 1);
    return update;
}

BatchUpdate average_reward_update(const Transitions& context) {
    BatchUpdate update = td_update(context);
    double sum = 0.0;
    for (Index j = 0; j < update.reward.size(); ++j) {
        sum += context.reward[j];
        update.reward[j] -= sum / static_cast<double>(j + 1);
    }
    return update;
}

std::vector<Vec> batch_iterates(const Transitions& context, const BatchUpdate& update, const std::vector<Mat>& C,
                                int steps) {
    check(C.size() == 1 || C.size() == static_cast<size_t>(steps), "one C, or one a step");
    const auto n = context.phi.cols();
    std::vector<Vec> w = {Vec::Zero(context.phi.rows())};
    for (int l = 0; l < steps; ++l) {
        Vec sum = Vec::Zero(context.phi.rows());
        for (Index j = 0; j < n; ++j) {
            const double td_error =
                update.reward[j] + w.back().dot(context.gamma_phi_next.col(j)) - w.back().dot(context.phi.col(j));
            sum += td_error * update.direction.col(j);
        }
        const Mat& preconditioner = C.size() == 1 ? C[0] : C[l];
        w.push_back(w.back() + preconditioner * sum / static_cast<double>(n));
    }
    return w;
}

BatchSystem batch_system(const Transitions& context, const BatchUpdate& update) {
    const auto n = static_cast<double>(context.phi.cols());
    return {update.direction * (context.phi - context.gamma_phi_next).transpose() / n,
            update.direction * update.reward / n};
}

std::vector<Vec> batch_td(const Transitions& context, const std::vector<Mat>& C, int steps) {
    return batch_iterates(context, td_update(context), C, steps);
}

std::vector<Vec> weighted_softmax_td(const StateSequence& context, const Similarity& similarity, bool normalised,
                                     double gamma, double step, int steps) {
    const auto n = context.rewards.size();
    std::vector<Vec> v = {Vec::Zero(n + 1)};
    for (int l = 0; l < steps; ++l) {
        const Vec& now = v.back();
        Vec next = now;
        for (Index s = 0; s <= n; ++s) {
            double sum = 0.0, total = 0.0;
            for (Index k = 0; k < n; ++k) {
                const double weight = similarity(context.features.col(k), context.features.col(s));
                const double td_error = context.rewards[k] + gamma * now[k + 1] - now[k];
                sum += weight * td_error;
                total += weight;
            }
            next[s] += step * sum / (normalised ? total : static_cast<double>(n));
        }
        v.push_back(std::move(next));
    }
    return v;
}

Mat state_kernel(const Vec& weights, const Mat& scores) {
    const auto m = scores.rows();
    Mat kernel = Mat::Zero(m, m);
    for (Index s = 0; s < m; ++s) {
        double largest = -std::numeric_limits<double>::infinity();
        for (Index other = 0; other < m; ++other)
            if (weights[other] > 0) largest = std::max(largest, scores(other, s));
        for (Index other = 0; other < m; ++other)
            if (weights[other] > 0) kernel(s, other) = weights[other] * std::exp(scores(other, s) - largest);
        kernel.row(s) /= kernel.row(s).sum();
    }
    return kernel;
}

SoftmaxTdOperators softmax_td_operators(const Mat& counts, const Mat& scores) {
    const Vec left = counts.rowSums();
    SoftmaxTdOperators operators{state_kernel(left, scores), {}};
    Mat transition = counts;  // as seen; rows of states never left stay 0
    for (Index s = 0; s < counts.rows(); ++s)
        if (left[s] > 0) transition.row(s) /= left[s];
    operators.P = operators.M * transition;
    return operators;
}

Vec softmax_td_step(const SoftmaxTdOperators& operators, const Vec& rewards, const Vec& v, double gamma, double step) {
    return v + step * (operators.M * (rewards - v) + gamma * (operators.P * v));
}

double diagonality_margin(const Mat& kernel, double gamma) {
    const Vec diagonal = kernel.diagonal();
    return (2.0 * diagonal - kernel.rowSums()).minCoeff() - gamma;
}

std::vector<Vec> preconditioned_descent(const RegressionTask& task, const std::vector<Mat>& A) {
    std::vector<Vec> iterates = {Vec::Zero(task.w_star.size())};
    for (const Mat& preconditioner : A) {
        const Vec& w = iterates.back();
        iterates.push_back(w + preconditioner * task.gradient(w));
    }
    return iterates;
}

std::vector<Vec> gd_plus_plus(const RegressionTask& task, double step, double shrink, int steps) {
    const Index d = task.X.rows();
    const double n = static_cast<double>(task.X.cols());
    // X = moved * task.X are the moved x; the query moves alike. residual = y - predictions. Weights refer to the x
    // that were given.
    Mat X = task.X;
    Mat moved = Mat::Identity(d, d);
    Vec residual = task.y();
    std::vector<Vec> weights = {Vec::Zero(d)};
    for (int l = 0; l < steps; ++l) {
        const Vec gradient = -(X * residual) / n;
        weights.push_back(weights.back() - step * (moved.transpose() * gradient));
        residual += step * (X.transpose() * gradient);
        const Mat move = Mat::Identity(d, d) - shrink / n * (X * X.transpose());
        X = move * X;
        moved = move * moved;
    }
    return weights;
}

Vec ridge(const RegressionTask& task, double lambda) {
    const double n = static_cast<double>(task.X.cols());
    if (lambda <= 0) return least_norm_solution(task.X.transpose(), task.y());
    const Mat normal = task.X * task.X.transpose() / n + lambda * Mat::Identity(task.X.rows(), task.X.rows());
    return solve_positive(normal, task.X * task.y() / n);
}

Vec one_layer_preconditioner(const Vec& eigenvalues, WeightPrior prior, int n) {
    const double count = n, d = static_cast<double>(eigenvalues.size());
    if (prior == WeightPrior::inverse_covariance) return (eigenvalues * ((count + 1 + d) / count)).cwiseInverse();
    return (eigenvalues * ((count + 1) / count)).cwisePlus(eigenvalues.sum() / count).cwiseInverse();
}

}  // namespace emergence
