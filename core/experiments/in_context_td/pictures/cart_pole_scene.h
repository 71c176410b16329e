#pragma once
// CartPole drawn live: one simulated task with the network's value of each state beside it.

#include <memory>
#include <vector>

#include "core/experiments/in_context_td/td.h"
#include "core/measures/trajectory_values.h"
#include "core/pictures/scene.h"

namespace emergence {

struct LearnedWeights;

/// A cart with its pole at one moment. `parameters` are the task's.
DrawingSpec cart_pole_drawing(const CartPoleParameters& parameters, const CartPoleFrame& frame);

/// One trajectory of held-out task number config.inside.watched_task. Immutable, so any thread may read it.
class CartPoleScene {
  public:
    /// `config.task` must be CartPole.
    explicit CartPoleScene(const InContextTdConfig& config);

    /// Whether this scene shows the task that the settings select.
    bool fits(const InContextTdConfig& config) const { return config.inside.watched_task == watched_task_; }
    /// The scene with the values that these networks assign to the states.
    Scene scene(const InContextTdConfig& config, const std::vector<LearnedWeights>& seeds) const;

  private:
    PlotSpec value_plot(const InContextTdConfig& config, const std::vector<LearnedWeights>& seeds) const;

    int watched_task_;
    /// The time of the first moment: the first state with a whole context before it.
    int first_;
    std::vector<CartPoleFrame> frames_;
    /// The discounted rewards that followed each state; no rows with average reward.
    Series followed_;
    PlotSpec reward_;
    std::unique_ptr<const TrajectoryValues> values_;
    Scene still_;  // without values
};

/// The scene that the settings select; null if the task is not CartPole.
std::shared_ptr<const CartPoleScene> make_cart_pole_scene(const InContextTdConfig& config);

}  // namespace emergence
