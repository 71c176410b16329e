#pragma once
// One task, its prompts, and distributions of tasks.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <numbers>
#include <vector>

#include "core/base/matrix.h"
#include "core/base/rng.h"

namespace emergence {

// A Markov reward process with features: one policy-evaluation task (p_0, p, r, phi), Section 3, Wang et al. 2025.

/// One finite MRP with m states.
struct Mrp {
    Vec initial;     // p_0: m
    Mat transition;  // p(s, s'): m x m, rows sum to 1
    Vec reward;      // r(s), received on leaving s: m
    Mat features;    // phi: d x m, one column per state

    int num_states() const { return static_cast<int>(transition.rows()); }
    int d() const { return static_cast<int>(features.rows()); }
};

/// The exact value of every state, v = (I - gamma p)^{-1} r.
Vec true_value(const Mrp& mrp, double gamma);

/// The differential value of average-reward learning, v(s) = sum_t E[R_t - rbar | S_0 = s], where rbar is the mean
/// reward. Solves v = r - rbar + p v with mean 0 under the stationary distribution `stationary`.
Vec differential_value(const Mrp& mrp, const Vec& stationary);

/// The stationary distribution: the null vector of I - p', normalised to sum 1. Throws InputError if it is not unique.
Vec stationary_distribution(const Mrp& mrp);

/// The transient states, which the chain leaves for ever, for example all but the end of an episode.
std::vector<int> transient_states(const Mrp& mrp);

/// How value errors weigh states: by the stationary distribution, or by the expected visits to transient states if the
/// chain ends in one state or among states without reward. In that case the stationary distribution would weigh only
/// states whose values are trivial.
Vec error_weights(const Mrp& mrp, const Vec& stationary);

/// Draws from rows of probabilities by inverting their cumulative sums: one uniform number per draw. It never draws an
/// entry with probability 0.
class RowSampler {
  public:
    /// Each row must sum to 1.
    void reset(const Mat& rows);
    int draw(int row, double uniform) const {
        const double* cumulative = cumulative_.data() + row * (columns_ - 1);
        int k = 0;
        for (int j = 0; j + 1 < columns_; ++j) k += uniform >= cumulative[j] ? 1 : 0;
        return k;
    }

  private:
    int columns_ = 1;
    std::vector<double> cumulative_;  // rows x (columns - 1)
};

/// Draws the states of an MRP: reset() once per MRP, then one uniform number per step.
class StateSampler {
  public:
    void reset(const Mrp& mrp) {
        first_.reset(mrp.initial.transpose());
        next_.reset(mrp.transition);
    }
    int first(double uniform) const { return first_.draw(0, uniform); }
    int next(int state, double uniform) const { return next_.draw(state, uniform); }

  private:
    RowSampler first_, next_;
};

// From a trajectory to the prompt Z_0 of in-context TD, Eq. (7), Wang et al. 2025.

/// One context of n transitions (S_j, R_{j+1}, S_{j+1}).
struct Transitions {
    Mat phi;             // d x n: phi(S_j)
    Mat gamma_phi_next;  // d x n: gamma phi(S_{j+1}), gamma folded in
    Vec reward;          // n: R_{j+1} = r(S_j)
};

/// The states S_0 .. S_n of a trajectory of `mrp` from its initial distribution: n + 1 uniform numbers.
std::vector<int> draw_path(const Mrp& mrp, int n, Stream& stream);
/// The transitions along a path of at least two states.
Transitions transitions_along(const Mrp& mrp, double gamma, const std::vector<int>& path);

/// E[z z'] of a transition z = (phi, gamma phi', R) under the stationary distribution: (2d+1) x (2d+1). The limit of the
/// mean over a context as it grows. Throws InputError if the distribution is not unique.
Mat expected_products(const Mrp& mrp, double gamma);

/// Z_0 of Eq. (7): (2d+1) x (n+1), columns [phi_j; gamma phi_{j+1}; R_{j+1}], then the query [phi; 0; 0]. query: d.
Mat td_prompt(const Transitions& context, const Vec& query);

// CartPole under a random policy, an evaluation task of Appendix F, Wang et al. 2025: its physics, and features and
// rewards of its continuous states. It has no exact values.

/// x (m), x_dot (m/s), theta (rad, 0 upright), theta_dot (rad/s).
using CartPoleState = std::array<double, 4>;

/// The episode ends when |x| > 2.4 m or |theta| > 12 degrees, as in Gym. kPoleLimit: radians.
constexpr double kCartLimit = 2.4, kPoleLimit = 12 * std::numbers::pi / 180;

/// The physics and the policy of one task.
struct CartPoleParameters {
    double cart_mass;    // kg, U(0.5, 1.5)
    double pole_mass;    // kg, U(0.05, 0.15) in the authors' code, U(0.5, 1.5) in the paper
    double half_length;  // m, U(0.5, 1.5)
    double gravity;      // m/s^2, U(7, 12)
    double time_step;    // s, U(0.01, 0.05)
    double force;        // N, U(5, 15)
    double push_right;   // probability of a push to the right, else to the left: U(0, 1)
};

/// The parameters of task number `index` of the world `seed`. heavy_pole: the paper's pole mass, else the code's.
CartPoleParameters draw_cart_pole(bool heavy_pole, uint64_t seed, uint32_t index);

/// One step of Gym's equations (Euler, kinematics first), without reset. push: +1 (right) or -1 (left).
CartPoleState cart_pole_step(const CartPoleParameters& parameters, const CartPoleState& state, double push);

/// Whether the cart is off the track or the pole has fallen.
bool cart_pole_failed(const CartPoleState& state);

/// The parameters of a CartPole task distribution.
struct CartPoleOptions {
    bool heavy_pole = false;  // the paper's pole mass; else that of the authors' code
    // The authors' code: one grid, features and reward U(-1, 1) for each cell, and the reward of the cell that the
    // cart-pole enters. Else tile coding, as the paper's text asks, in our form: see CartPoleTiles.
    bool grid = false;
    int bins = 6;  // bins per dimension
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
    std::vector<int> place_;    // the offset of each tile in rows_; -1 before the first visit
    std::vector<int> visited_;  // the visited tiles, so that draw() resets only these
    std::vector<double> rows_;  // phi, then r, of each visited tile
};

// A task distribution d_task, Section 3, Wang et al. 2025: tasks of any kind that yield trajectories. Boyan chains are
// Algorithms 2 and 3 of Appendix C; loops, the environment of Figure 1, only the authors' code defines.

/// Boyan chains, loops and the worlds of files are finite MRPs with exact values; CartPole has none.
enum class TaskKind { boyan, loop, cart_pole, files };

/// The parameters of a task distribution.
struct TaskOptions {
    int num_states = 10;  // m, at least 3 for a chain; for loops the largest m
    int d = 4;
    double gamma = 0.9;  // used only if representable
    // Algorithm 3: v = Phi' w*, r = (I - gamma p) v, so that the features represent the value exactly.
    bool representable = false;
    bool normal_true_weights = true;  // w* ~ N(0, I) as in the authors' code; else U(-1, 1)^d as in the paper
    TaskKind kind = TaskKind::boyan;
    // Loops: m is uniform from here to num_states for each; 0 means always num_states. Figure 1: 5 to 15 in the
    // authors' code, 5 to 10 in the paper's text.
    int min_states = 0;
    // Loops: the threshold is uniform in this range for each. A higher one leaves fewer connections.
    double min_threshold = 0.1, max_threshold = 0.9;
    CartPoleOptions cart_pole = {};
    // "Too easy" (Section 5): all tasks of all worlds have the same p_0 and p, or the same phi; a loop then has
    // num_states states. CartPole: the same physics and policy, or the same tiles of phi.
    bool fixed_transition = false, fixed_features = false;
    // files: task number i of any world is entry i modulo their number. Not null then.
    std::shared_ptr<const std::vector<Mrp>> worlds = {};
    // Not empty: draws the finite MRPs instead of all above but d and gamma, see draw_mrp(). The same seed and index
    // must give the same one. Called on any thread.
    std::function<void(uint64_t seed, uint32_t index, Mrp& mrp)> own = {};

    /// Whether exact values exist: for finite MRPs, not for CartPole.
    bool has_values() const { return kind != TaskKind::cart_pole; }
};

/// Writes finite MRP number `index` of the world `seed` into `mrp`, whose memory it reuses. Not for CartPole. States
/// count from 0. A chain:
///
///     p(i, i+1) = eps,   p(i, i+2) = 1 - eps,   eps ~ U(0.01, 0.99)     i < m-2
///     p(m-2, m-1) = 1
///     p(m-1, .), p_0 ~ U(0.01, 0.99), normalised
///     r ~ U(-1, 1),   phi ~ U(-1, 1)^d
///
/// A loop has p ~ U(0.01, 0.99), rows normalised, on the connections
///
///     j = i+1 mod m,   or   j != i and U(0.01, 0.99) > threshold
///
/// Each part and each state's features have their own stream, so that more states or features extend the same task, and
/// one part can stay fixed without the others.
void draw_mrp(const TaskOptions& options, uint64_t seed, uint32_t index, Mrp& mrp);

/// One task and one trajectory through it at a time. Not thread-safe.
class Task {
  public:
    virtual ~Task() = default;
    /// The task's finite MRP, or null for other tasks.
    virtual const Mrp* mrp() const { return nullptr; }
    /// Starts task number `index` of the world `seed`.
    virtual void draw(uint64_t seed, uint32_t index) = 0;
    /// Starts a trajectory. Pass the same stream to step(): it supplies all random numbers.
    virtual void start(Stream& stream) = 0;
    /// phi(S_t), then R_{t+1}: d+1 values, valid until the next step.
    virtual const double* row() const = 0;
    /// Moves from S_t to S_{t+1}.
    virtual void step(Stream& stream) = 0;
};

/// A task of the given distribution.
std::unique_ptr<Task> make_task(const TaskOptions& options);

}  // namespace emergence
