#include "core/tasks/cart_pole.h"

#include <cmath>

namespace emergence {
CartPoleParameters draw_cart_pole(bool heavy_pole, uint64_t seed, uint32_t index) {
    Stream stream(seed, Purpose::task_parameters, index);
    CartPoleParameters p{};
    p.cart_mass = stream.uniform(0.5, 1.5);
    const double mass = stream.uniform();
    p.pole_mass = heavy_pole ? 0.5 + mass : 0.05 + 0.1 * mass;
    p.half_length = stream.uniform(0.5, 1.5);
    p.gravity = stream.uniform(7, 12);
    p.time_step = stream.uniform(0.01, 0.05);
    p.force = stream.uniform(5, 15);
    p.push_right = stream.uniform();
    return p;
}

CartPoleState cart_pole_step(const CartPoleParameters& p, const CartPoleState& state, double push) {
    const auto [x, x_dot, theta, theta_dot] = state;
    const double cosine = std::cos(theta), sine = std::sin(theta);
    const double total = p.cart_mass + p.pole_mass, moment = p.pole_mass * p.half_length;
    const double pull = (p.force * push + moment * theta_dot * theta_dot * sine) / total;
    const double theta_acceleration = (p.gravity * sine - cosine * pull) /
                                      (p.half_length * (4.0 / 3.0 - p.pole_mass * cosine * cosine / total));
    const double acceleration = pull - moment * theta_acceleration * cosine / total;
    return {x + p.time_step * x_dot, x_dot + p.time_step * acceleration, theta + p.time_step * theta_dot,
            theta_dot + p.time_step * theta_acceleration};
}

bool cart_pole_failed(const CartPoleState& state) {
    return std::abs(state[0]) > kCartLimit || std::abs(state[2]) > kPoleLimit;
}

CartPoleState cart_pole_start(Stream& stream) {
    CartPoleState state{};
    for (double& x : state) x = stream.uniform(-0.05, 0.05);
    return state;
}

CartPoleMove cart_pole_move(const CartPoleParameters& parameters, const CartPoleState& state,
                            Stream& stream) {
    CartPoleMove move{};
    move.pushed_right = stream.uniform() < parameters.push_right;
    move.state = cart_pole_step(parameters, state, move.pushed_right ? 1 : -1);
    move.reset = cart_pole_failed(move.state);
    if (move.reset) move.state = cart_pole_start(stream);
    return move;
}

}  // namespace emergence
