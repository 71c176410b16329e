#pragma once
// The physics of CartPole under a random policy, an evaluation task of Appendix F of Wang et al. 2025.

#include <array>
#include <cstdint>
#include <numbers>

#include "core/base/rng.h"

namespace emergence {

/// x (m), x_dot (m/s), theta (rad, 0 upright), theta_dot (rad/s).
using CartPoleState = std::array<double, 4>;

/// Where the cart leaves the track and where the pole counts as fallen: Gym's 2.4 and 12 degrees.
constexpr double kCartLimit = 2.4, kPoleLimit = 12 * std::numbers::pi / 180;

/// The physics and the policy of one task.
struct CartPoleParameters {
    double cart_mass;    // kg, U(0.5, 1.5)
    double pole_mass;    // kg, U(0.05, 0.15) in the authors' code, U(0.5, 1.5) in the paper
    double half_length;  // m, U(0.5, 1.5)
    double gravity;      // m/s^2, U(7, 12)
    double time_step;    // s, U(0.01, 0.05)
    double force;        // N, U(5, 15)
    double push_right;   // probability of pushing right, else left: U(0, 1)
};

/// The physics of task number `index` of the world `seed`.
CartPoleParameters draw_cart_pole(bool heavy_pole, uint64_t seed, uint32_t index);

/// One step of Gym's equations (Euler, kinematics first): push is +1 or -1. Does not reset.
CartPoleState cart_pole_step(const CartPoleParameters& parameters, const CartPoleState& state, double push);

/// Off the track or fallen.
bool cart_pole_failed(const CartPoleState& state);

/// A draw of p_0: U(-0.05, 0.05)^4, four uniforms.
CartPoleState cart_pole_start(Stream& stream);

/// The next state under the random policy, a failed one being replaced at once by a draw of p_0.
struct CartPoleMove {
    CartPoleState state;
    bool pushed_right;
    bool reset;
};
CartPoleMove cart_pole_move(const CartPoleParameters& parameters, const CartPoleState& state, Stream& stream);

}  // namespace emergence
