#pragma once
// What experiment "td" draws beside plots and matrices: CartPole, and the prompt.

#include <memory>
#include <vector>

#include "core/experiments/in_context_td/td.h"
#include "core/measures/trajectory_values.h"
#include "core/pictures/figure_spec.h"

namespace emergence {

// CartPole drawn live: one simulated task with the network's value of each state beside it.

struct LearnedWeights;

/// A cart with its pole at one moment. `parameters` are the task's.
DrawingSpec cart_pole_drawing(const CartPoleParameters& parameters, const CartPoleFrame& frame);

/// One trajectory of held-out task number config.inside.watched_task. Immutable, so any thread may read it.
class CartPoleScene {
  public:
    /// `config.task` must be CartPole.
    explicit CartPoleScene(const InContextTdConfig& config);

    /// The scene with the values that these networks assign to the states.
    Scene scene(const InContextTdConfig& config, const std::vector<LearnedWeights>& seeds) const;

  private:
    PlotSpec value_plot(const InContextTdConfig& config, const std::vector<LearnedWeights>& seeds) const;

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

// The prompt Z that every layer of in-context TD works on, as a sketch with its parts named.

/// Z of Wang et al. 2025, Section 3: (2d + 1) x (n + 1), a column [phi; gamma phi'; R] per transition and the query's
/// [phi; 0; 0]. One moment, id "prompt".
Scene prompt_scene(const InContextTdConfig& config);

}  // namespace emergence
