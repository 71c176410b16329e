#pragma once
// What experiment "td" shows: plots, matrices, the update that they carry out, one prompt layer by layer, scenes.

#include <memory>
#include <string>
#include <vector>

#include "core/experiments/in_context_td/pictures/own_world.h"
#include "core/experiments/in_context_td/seed/td_seed.h"
#include "core/lab/snapshot.h"
#include "core/measures/network_evaluator.h"
#include "core/measures/td_trace.h"
#include "core/pictures/figure_spec.h"
#include "core/training/multi_task_td.h"

namespace emergence {

/// MSVE against context length for the networks and batch TD, with the best linear predictor and
/// predict-zero.
PlotSpec value_error_plot(const InContextTdConfig& config, const NetworkEvaluator& evaluator,
                          const LearnedSeeds& seeds);
/// The read-outs of that plot at the marked context length.
std::vector<Scalar> value_error_scalars(const InContextTdConfig& config, const HeldOutBank& bank, const PlotSpec& plot);

/// The training curves of these settings. `bank` gives the reference errors; without it the curve of value errors is
/// left out.
std::vector<MetricPlot> in_context_td_plots(const InContextTdConfig& config, const HeldOutBank* bank);

// Shows a network with more layers than it is trained with, and on other context lengths, while it trains.

/// Plots of value errors end at this multiple of the error of predicting zero.
inline constexpr double kErrorCut = 1.25;

/// Makes an evaluator with a bank that is small enough to keep up with training; null without extra layers or
/// without true values.
std::shared_ptr<const NetworkEvaluator> make_depth_evaluator(const InContextTdConfig& config);

/// Adds MSVE against the number of layers at the marked context length, and the map layers x context length
/// of
///     min(MSVE / MSVE of predicting zero - 1, 1).
/// `evaluator` is make_depth_evaluator()'s.
void add_depth_views(const InContextTdConfig& config, const NetworkEvaluator& evaluator, const LearnedSeeds& seeds,
                     Snapshot& snapshot);

// The weights of experiment "td" as pictures: the blocks of each matrix, theory's target, and how signs are aligned.

/// Theory's P and Q for the loss's algorithm, with C = I and largest entry 1. Losses td, td_lambda and monte_carlo have
/// the weights of Theorem 1, or of Corollary 1 for a single layer; residual_gradient those of Corollary 2;
/// average_reward none, see has_target(). traces: whether there is a mask of traces, under which the same weights run
/// TD(lambda) (Corollary 3).
struct TheoryMatrices {
    Table P, Q;
    std::string name;
};
TheoryMatrices in_context_td_theory(int d, int num_layers, LossKind loss = LossKind::td, bool traces = false);

/// Shows the networks of these seeds: matrices, the theory's update, and the weights as arrays.
void show_network(const InContextTdConfig& config, const std::vector<const InContextTdSeed*>& seeds,
                  Snapshot& snapshot);

// What theory says about the matrices of experiment "td", block by block, and the update that they carry out.

/// The meaning of theory's matrices block by block (`matrix` is "P0", "Q0", ..), and the update that they
/// carry out. `stored`: the number of layers with separate matrices. traces: under a mask of traces, Corollary 3.
std::vector<BlockMeaning> in_context_td_meanings(const std::string& matrix, int num_layers,
                                                 LossKind loss = LossKind::td, int stored = 1);
Formula in_context_td_formula(int num_layers, int stored = 1, LossKind loss = LossKind::td, bool traces = false);
/// The same of two heads, Theorem 3; `matrix` is "P1", "Q1", "P2", "Q2" or "W"; one_Q: one "Q12" serves both.
std::vector<BlockMeaning> two_head_meanings(const std::string& matrix, bool learns_W = false);
Formula two_head_formula(bool one_Q);

// The microscope of experiment "td": the drawn world's prompt with the chosen state as its query, layer by
// layer, through the learned or the constructed network.

/// Whether the settings ask for the microscope and the model has attention.
bool has_microscope(const InContextTdConfig& config);

/// Traces the prompt through one seed's learned network, or through Theorem 1's construction with C = alpha I
/// (setting microscope_of), beside batch TD with the seed's trained alpha.
TdTrace microscope_trace(const InContextTdConfig& config, const TdWorld& world, const LearnedWeights& seed);

/// Adds Z_l, its attention and Gram matrix, the implicit weights and TD errors of all layers beside batch
/// TD's, plots of the chosen layer's weights and of the values by layer, and the range of the up and down
/// keys.
void add_microscope(const InContextTdConfig& config, const TdWorld& world, const LearnedSeeds& seeds,
                    Snapshot& snapshot);

// CartPole drawn live: one simulated task with the network's value of each state beside it.

/// A cart with its pole at one moment. `parameters` are the task's.
DrawingSpec cart_pole_drawing(const CartPoleParameters& parameters, const CartPoleFrame& frame);

/// One trajectory of held-out task number config.inside.watched_task. Immutable, so any thread may read it.
class CartPoleScene {
  public:
    /// `config.task` must be CartPole.
    explicit CartPoleScene(const InContextTdConfig& config);

    /// The scene with the values that these networks assign to the states.
    Scene scene(const InContextTdConfig& config, const LearnedSeeds& seeds) const;

  private:
    PlotSpec value_plot(const InContextTdConfig& config, const LearnedSeeds& seeds) const;

    /// The time of the first moment: the first state with a whole context before it.
    int first_;
    /// The discounted rewards that followed each state; no rows with average reward.
    Series followed_;
    PlotSpec reward_;
    std::unique_ptr<const TrajectoryValues> values_;
    Scene still_;  // without values
};

/// The scene that the settings select; null if the task is not CartPole.
std::shared_ptr<const CartPoleScene> make_cart_pole_scene(const InContextTdConfig& config);

// A sketch of the prompt Z, which every layer of in-context TD works on.

/// Z of Wang et al. 2025, Section 3: (2d + 1) x (n + 1), a column [phi; gamma phi'; R] per transition and the query's
/// [phi; 0; 0]. One moment, id "prompt".
Scene prompt_scene(const InContextTdConfig& config);

}  // namespace emergence
