#pragma once
// A task distribution d_task (Section 3 of Wang et al. 2025): tasks that yield trajectories, whatever is
// behind them.

#include <memory>

#include "core/tasks/cart_pole_features.h"
#include "core/tasks/mrp.h"

namespace emergence {

enum class TaskKind { boyan, loop, cart_pole };

struct TaskOptions {
    int num_states = 10;  // m; a loop's largest
    int d = 4;
    double gamma = 0.9;  // used by representable values alone
    bool representable = false;
    bool normal_true_weights = true;
    TaskKind kind = TaskKind::boyan;
    int min_states = 0;                               // a loop's smallest m; 0: always num_states
    double min_threshold = 0.1, max_threshold = 0.9;  // a loop's, see LoopOptions
    CartPoleOptions cart_pole = {};
    /// "Too easy" (Section 5): p_0 and p, or phi, are the same in every task of every world; a loop then has
    /// num_states states. CartPole: the physics and the policy, or phi's tiles.
    bool fixed_transition = false, fixed_features = false;

    /// Finite MRPs know their true values, CartPole does not.
    bool has_values() const { return kind != TaskKind::cart_pole; }
};

/// Finite MRP number `index` of the world `seed`, written into `mrp`. Not for CartPole.
void draw_mrp(const TaskOptions& options, uint64_t seed, uint32_t index, Mrp& mrp);

/// One task at a time, walked along one trajectory at a time. Not thread-safe.
class Task {
  public:
    virtual ~Task() = default;
    /// The finite MRP that the task is, with its true values; null where it is none.
    virtual const Mrp* mrp() const { return nullptr; }
    /// Becomes task number `index` of the world `seed`.
    virtual void draw(uint64_t seed, uint32_t index) = 0;
    /// Starts a trajectory; all randomness is `stream`'s, which must be the one given to step().
    virtual void start(Stream& stream) = 0;
    /// phi(S_t), then R_{t+1}, the reward that follows: d+1 values, valid until the next step.
    virtual const double* row() const = 0;
    /// From S_t to S_{t+1}.
    virtual void step(Stream& stream) = 0;
};

std::unique_ptr<Task> make_task(const TaskOptions& options);

/// `steps` moments of CartPole task number `index` of the world `seed`, as training sees it, for drawing.
CartPoleSimulation simulate_cart_pole(const TaskOptions& options, uint64_t seed, uint32_t index, int steps);

}  // namespace emergence
