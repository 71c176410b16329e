#pragma once
// What experiment "td" shows: plots, matrices, the update that they carry out, one prompt layer by layer, scenes.

#include <string>
#include <vector>

#include "core/experiments/in_context_td/pictures/own_world.h"
#include "core/experiments/in_context_td/seed/td_seed.h"
#include "core/lab/snapshot.h"
#include "core/measures/network_evaluator.h"
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

/// Plots of value errors end at this multiple of the error of predicting zero.
inline constexpr double kErrorCut = 1.25;

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
// layer, through the learned network.

/// Whether the settings ask for the microscope and the model has attention.
bool has_microscope(const InContextTdConfig& config);

/// Traces the prompt through one seed's learned network, beside batch TD with the seed's trained alpha.
TdTrace microscope_trace(const InContextTdConfig& config, const TdWorld& world, const LearnedWeights& seed);

/// Adds Z_l, its attention and Gram matrix, the implicit weights and TD errors of all layers beside batch
/// TD's, plots of the chosen layer's weights and of the values by layer, and the range of the up and down
/// keys.
void add_microscope(const InContextTdConfig& config, const TdWorld& world, const LearnedSeeds& seeds,
                    Snapshot& snapshot);

// CartPole drawn live.

/// A cart with its pole at one moment. `parameters` are the task's.
DrawingSpec cart_pole_drawing(const CartPoleParameters& parameters, const CartPoleFrame& frame);

/// One trajectory of held-out task number config.inside.watched_task, which must be CartPole.
Scene cart_pole_scene(const InContextTdConfig& config);

// A sketch of the prompt Z, which every layer of in-context TD works on.

/// Z of Wang et al. 2025, Section 3: (2d + 1) x (n + 1), a column [phi; gamma phi'; R] per transition and the query's
/// [phi; 0; 0]. One moment, id "prompt".
Scene prompt_scene(const InContextTdConfig& config);

}  // namespace emergence
