#pragma once
// CartPole drawn live: one simulated task with the network's value of each state beside it.

#include <memory>
#include <vector>

#include "core/experiments/in_context_td/td.h"
#include "core/measures/trajectory_values.h"
#include "core/pictures/scene.h"

namespace emergence {

struct LearnedWeights;

/// A cart with its pole at one moment. parameters: the task's.
DrawingSpec cart_pole_drawing(const CartPoleParameters& parameters, const CartPoleFrame& frame);

/// One task of the held-out world, number config.inside.watched_task, walked along one trajectory. Never
/// changed, so that it may be read on any thread.
class CartPoleScene {
  public:
    /// config.task is CartPole.
    explicit CartPoleScene(const InContextTdConfig& config);

    /// Whether it is the one that these settings ask for.
    bool fits(const InContextTdConfig& config) const { return config.inside.watched_task == watched_task_; }
    /// With the values that these networks assign to the states.
    Scene scene(const InContextTdConfig& config, const std::vector<LearnedWeights>& seeds) const;

  private:
    PlotSpec value_plot(const InContextTdConfig& config, const std::vector<LearnedWeights>& seeds) const;

    int watched_task_;
    int first_;  // the time of the first moment: the first state with a whole context before it
    std::vector<CartPoleFrame> frames_;
    Series followed_;  // the discounted rewards that followed each state; no rows with average reward
    PlotSpec reward_;
    std::unique_ptr<const TrajectoryValues> values_;
    Scene still_;  // without values
};

/// What the settings ask to be drawn; null where the task is not CartPole.
std::shared_ptr<const CartPoleScene> make_cart_pole_scene(const InContextTdConfig& config);

}  // namespace emergence
