#include "core/training/window_loss.h"

#include <cmath>

namespace emergence {
namespace {

template <class T>
void write_targets(const LossOptions& options, const LossInput<T>& in, T* targets) {
    const T lambda = options.kind == LossKind::monte_carlo ? T(1) : static_cast<T>(options.lambda);
    targets[in.batch] = in.values[in.batch];
    for (int w = in.batch - 1; w >= 0; --w) {
        T next = in.values[w + 1];
        switch (options.kind) {
            case LossKind::td:
            case LossKind::residual_gradient:
                targets[w] = std::fma(in.gamma, next, in.rewards[w]);
                break;
            case LossKind::td_lambda:
            case LossKind::monte_carlo:
                next = std::fma(lambda, targets[w + 1] - next, next);
                targets[w] = std::fma(in.gamma, next, in.rewards[w]);
                break;
            case LossKind::average_reward:
                targets[w] = in.rewards[w] - in.mean_rewards[w] + next;
                break;
        }
    }
}

template <class T>
T own_loss(const OwnLoss& own, const LossInput<T>& in, T* value_gradient) {
    const auto batch = static_cast<size_t>(in.batch);
    const std::vector<double> rewards(in.rewards, in.rewards + batch), means(in.mean_rewards, in.mean_rewards + batch),
        values(in.values, in.values + batch + 1);
    std::vector<double> targets(batch, 0.0), weights(batch, 1.0), slopes(batch, 0.0);
    own({in.batch, static_cast<double>(in.gamma), rewards.data(), means.data(), values.data()}, targets.data(),
        weights.data(), slopes.data());
    double loss = 0.0;
    std::vector<double> gradient(batch + 1, 0.0);
    for (size_t w = 0; w < batch; ++w) {
        const double delta = targets[w] - values[w], step = 2.0 / in.batch * weights[w] * delta;
        loss += weights[w] * delta * delta;
        gradient[w] -= step;
        gradient[w + 1] += slopes[w] * step;
    }
    for (size_t w = 0; w <= batch; ++w) value_gradient[w] = static_cast<T>(gradient[w]);
    return static_cast<T>(loss / in.batch);
}

}  // namespace

const std::vector<std::string>& loss_names() {
    static const std::vector<std::string> names = {"td", "residual_gradient", "td_lambda", "monte_carlo",
                                                   "average_reward"};
    return names;
}

const char* loss_words(LossKind kind) {
    constexpr const char* kWords[] = {"TD loss", "residual-gradient loss", "TD(\u03bb) loss", "Monte Carlo loss",
                                      "average-reward loss"};
    return kWords[static_cast<size_t>(kind)];
}

template <class T>
T window_loss(const LossOptions& options, const LossInput<T>& in, T* targets, T* value_gradient) {
    if (options.own) return own_loss(*options.own, in, value_gradient);
    write_targets(options, in, targets);
    const T scale = T(2) / static_cast<T>(in.batch);
    T loss = T(0);
    for (int w = 0; w <= in.batch; ++w) value_gradient[w] = T(0);
    for (int w = 0; w < in.batch; ++w) {
        const T delta = targets[w] - in.values[w];
        loss = std::fma(delta, delta, loss);
        value_gradient[w] -= scale * delta;
        if (options.kind == LossKind::residual_gradient) value_gradient[w + 1] += in.gamma * (scale * delta);
    }
    return loss / static_cast<T>(in.batch);
}

template float window_loss(const LossOptions&, const LossInput<float>&, float*, float*);
template double window_loss(const LossOptions&, const LossInput<double>&, double*, double*);

}  // namespace emergence
