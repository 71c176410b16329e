#pragma once
// The physics of CartPole under a random policy, an evaluation task of Appendix F, Wang et al. 2025.

#include <array>
#include <cstdint>
#include <numbers>
#include <vector>

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

// Features and rewards of CartPole's continuous states, and trajectories through them: Appendix F, Wang et al. 2025.
// CartPole has no exact values.

/// The parameters of a CartPole task distribution.
struct CartPoleOptions {
    // The paper's pole mass; else that of the authors' code.
    bool heavy_pole = false;
    // The authors' code: one grid, features and reward U(-1, 1) for each cell, and the reward of the cell that the
    // cart-pole enters. Else tile coding, as the paper's text asks, in our form: see CartPoleTiles.
    bool grid = false;
    // Bins per dimension.
    int bins = 6;
};

/// Identifies a random draw: number `index` of the world `seed`.
struct DrawKey {
    uint64_t seed = 0;
    uint32_t index = 0;
};

/// phi and r of continuous states by tile coding (Sutton and Barto 2018, Section 9.5.4). Eight tilings have `bins`
/// bins per dimension over
///
///     x: +-3 m,   x_dot: +-2.5 m/s,   theta: +-15 degrees,   theta_dot: +-2.5 rad/s
///
/// Tiling k is displaced by k (1, 3, 5, 7) / 8 of a tile, modulo a tile. Each tile has a random vector U(-1, 1)^d and
/// a random reward U(-1, 1); phi and r of a state are the sums over its eight tiles, scaled to unit variance. States
/// outside the range belong to the outermost bins. A grid is a single tiling without scaling.
class CartPoleTiles {
  public:
    CartPoleTiles(const CartPoleOptions& options, int d);
    /// Starts a new task: vectors from `features`, rewards from `reward`.
    void draw(const DrawKey& features, const DrawKey& reward);
    /// Writes phi, then r, to row: d+1 values.
    void read(const CartPoleState& state, double* row);

  private:
    static constexpr int kTilings = 8;

    int tile_of(int tiling, const CartPoleState& state) const;
    const double* row_of(int tile);

    CartPoleOptions options_;
    int d_, tilings_ = options_.grid ? 1 : kTilings;
    // Bins per dimension, and one more if tilings are displaced.
    int width_ = options_.bins + (options_.grid ? 0 : 1);
    DrawKey features_, reward_;
    // The offset of each tile in rows_; -1 before the first visit.
    std::vector<int> place_;
    // The visited tiles, so that draw() resets only these.
    std::vector<int> visited_;
    // phi, then r, of each visited tile.
    std::vector<double> rows_;
};

}  // namespace emergence
