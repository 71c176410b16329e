#pragma once
// The physics of CartPole under a random policy, an evaluation task of Appendix F, Wang et al. 2025.

#include <array>
#include <cstdint>
#include <numbers>

#include "core/base/rng.h"

namespace emergence {

/// x (m), x_dot (m/s), theta (rad, 0 upright), theta_dot (rad/s).
using CartPoleState = std::array<double, 4>;

/// The episode ends when |x| > 2.4 m or |theta| > 12 degrees, as in Gym. kPoleLimit: radians.
constexpr double kCartLimit = 2.4, kPoleLimit = 12 * std::numbers::pi / 180;

/// The physics and the policy of one task.
struct CartPoleParameters {
    // kg, U(0.5, 1.5)
    double cart_mass;
    // kg, U(0.05, 0.15) in the authors' code, U(0.5, 1.5) in the paper
    double pole_mass;
    // m, U(0.5, 1.5)
    double half_length;
    // m/s^2, U(7, 12)
    double gravity;
    // s, U(0.01, 0.05)
    double time_step;
    // N, U(5, 15)
    double force;
    // Probability of a push to the right, else to the left: U(0, 1).
    double push_right;
};

/// The parameters of task number `index` of the world `seed`. heavy_pole: the paper's pole mass, else the code's.
CartPoleParameters draw_cart_pole(bool heavy_pole, uint64_t seed, uint32_t index);

/// One step of Gym's equations (Euler, kinematics first), without reset. push: +1 (right) or -1 (left).
CartPoleState cart_pole_step(const CartPoleParameters& parameters, const CartPoleState& state, double push);

/// Whether the cart is off the track or the pole has fallen.
bool cart_pole_failed(const CartPoleState& state);

/// A draw from p_0 = U(-0.05, 0.05)^4: four uniform numbers.
CartPoleState cart_pole_start(Stream& stream);

/// The next state under the random policy. A draw from p_0 replaces a failed state at once (`reset`).
struct CartPoleMove {
    CartPoleState state;
    bool pushed_right;
    bool reset;
};
/// One move from `state`: one uniform number, and four more for a reset.
CartPoleMove cart_pole_move(const CartPoleParameters& parameters, const CartPoleState& state, Stream& stream);

}  // namespace emergence
