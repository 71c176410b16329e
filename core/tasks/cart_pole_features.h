#pragma once
// Features and rewards of CartPole's continuous states, and a walk through them: Appendix F of Wang et al.
// 2025. There are no exact values.

#include <vector>

#include "core/tasks/cart_pole.h"

namespace emergence {

/// What a CartPole task distribution is.
struct CartPoleOptions {
    /// The pole's mass as the paper says; else as in the authors' code.
    bool heavy_pole = false;
    /// The authors' code: one grid of `bins` a dimension, features and reward U(-1, 1) for each cell, the
    /// reward being that of the cell entered. Else tile coding (ours, as the paper's text asks): see
    /// CartPoleTiles.
    bool grid = false;
    int bins = 6;
};

/// Which draw a part of a task is: number `index` of the world `seed`.
struct DrawKey {
    uint64_t seed = 0;
    uint32_t index = 0;
};

/// phi and r of continuous states. With tile coding eight tilings of `bins` bins a dimension, over +-3,
/// +-2.5,
/// +-15 degrees and +-2.5, tiling k displaced by k (1, 3, 5, 7) eighths of a tile (Sutton and Barto 2018,
/// Section 9.5.4); each tile has a random vector U(-1, 1)^d and a random reward, and a state's are the sums
/// over its eight tiles, scaled to unit variance. States beyond the range belong to the outermost bins. A
/// grid is a single tiling, not scaled.
class CartPoleTiles {
  public:
    CartPoleTiles(const CartPoleOptions& options, int d);
    /// The tiles' vectors become those of `features`, their rewards those of `reward`.
    void draw(const DrawKey& features, const DrawKey& reward);
    /// phi, then r: d+1 values, overwritten.
    void read(const CartPoleState& state, double* row);

  private:
    int tile_of(int tiling, const CartPoleState& state) const;
    const double* row_of(int tile);

    CartPoleOptions options_;
    int d_, tilings_, width_;  // bins a dimension, one more where tilings are displaced
    double scale_;
    DrawKey features_, reward_;
    std::vector<int> place_;    // of each tile in rows_, -1 where it was not yet visited
    std::vector<int> visited_;  // tiles, so that a draw costs no more than what was used
    std::vector<double> rows_;  // phi, then r, of each visited tile
};

/// One task, walked along a trajectory.
class CartPoleWalk {
  public:
    CartPoleWalk(const CartPoleOptions& options, int d);
    void draw(const DrawKey& physics, const DrawKey& features, const DrawKey& reward);
    void start(Stream& stream);
    void step(Stream& stream);

    const CartPoleParameters& parameters() const { return parameters_; }
    const CartPoleState& state() const { return state_; }
    /// What follows state().
    const CartPoleMove& move() const { return move_; }
    /// phi(S_t), then R_{t+1}: d+1 values, valid until the next step.
    const double* row() const { return row_.data(); }

  private:
    void look(Stream& stream);

    CartPoleOptions options_;
    CartPoleTiles tiles_;
    CartPoleParameters parameters_{};
    CartPoleState state_{};
    CartPoleMove move_{};
    std::vector<double> row_, entered_;
};

/// A moment of a simulated task, for drawing.
struct CartPoleFrame {
    CartPoleState state;
    std::vector<double> features;  // phi(S_t)
    double reward;                 // R_{t+1}
    bool pushed_right, reset;      // what followed
};

/// Moments of one task and its physics.
struct CartPoleSimulation {
    CartPoleParameters parameters;
    std::vector<CartPoleFrame> frames;
};
/// `steps` moments of a task that is given to `walk`, its randomness being `stream`'s. d: features.
CartPoleSimulation simulate_cart_pole(CartPoleWalk& walk, int d, int steps, Stream stream);

}  // namespace emergence
