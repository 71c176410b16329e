#pragma once
// What experiment "td" shows: plots, matrices, the update that they carry out, the editable world, one prompt layer by
// layer, surgery, scenes.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/experiments/in_context_td/seed/td_seed.h"
#include "core/lab/snapshot.h"
#include "core/measures/network_evaluator.h"
#include "core/pictures/drawing.h"
#include "core/pictures/figure_spec.h"
#include "core/tasks/task.h"

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

/// The meaning of theory's matrices block by block (`matrix` is "P0", "Q0", ..), and the update that they carry out.
/// `stored`: the number of layers with separate matrices. traces: under a mask of traces, Corollary 3.
std::vector<BlockMeaning> in_context_td_meanings(const std::string& matrix, int num_layers,
                                                 LossKind loss = LossKind::td, int stored = 1);
Formula in_context_td_formula(int num_layers, int stored = 1, LossKind loss = LossKind::td, bool traces = false);

// One MRP that the user views and edits: a held-out task or an own file, one context from it, and the values that the
// networks compute from that context.

/// Colours of the network and of batch TD in the world and in the microscope.
inline constexpr int kNetworkColor = 0, kBatchTdColor = 1;

/// An MRP and its edits by hand.
struct TdWorld {
    std::string title;
    /// Names of the states.
    std::vector<std::string> states;
    double gamma = 0.9;
    NamedNumbers edits;
    /// Before the edits and after.
    Mrp original, mrp;
    /// Stationary distribution of `mrp`: m.
    Vec stationary;
    /// How much each state counts in errors: `stationary`, or the visits if the chain leaves states for ever (see
    /// error_weights()): m.
    Vec weights;
    bool leaves_states = false;
    /// True values of `mrp`: m.
    Vec v;
    /// The setting world_state counted from 0, at most the last state.
    int chosen = 0;
    /// The context that every seed receives: eval_context_length transitions from p_0, and the path of states
    /// S_0 .. S_n. Edits do not change its random numbers, so that the path changes as little as possible.
    Transitions context;
    std::vector<int> path;

    int num_states() const { return mrp.num_states(); }
};

/// Whether the settings ask for the world or the microscope, and the task is a finite MRP with discounted
/// values.
bool looks_inside(const InContextTdConfig& config);

/// The own MRP that the settings name; null if they name none. Throws InputError if read_world() does, or if
/// its number of features differs from the network's.
std::shared_ptr<const WorldFile> own_world(const InContextTdConfig& config);

/// `mrp` with the edits: "p2,3" is p(2, 3), "r1" a reward, "phi1,2" feature 2 of state 1; states count from
/// 1. The other probabilities of an edited row share the rest in their proportion, or equally if all are 0.
/// Throws InputError if an edit has another name or number, or if a probability or the sum of a row's edits
/// is outside 0 to 1.
Mrp edited(const Mrp& mrp, const NamedNumbers& edits);

/// The world that the settings select. `file` is the result of own_world(). Throws InputError with the setting's name
/// if the edits do not fit, or leave the chain without a unique stationary distribution.
TdWorld td_world(const InContextTdConfig& config, const WorldFile* file);

/// One seed's value of each state from the world's context: by the network, and by as many steps of batch TD with the
/// seed's step size. NaN for a seed that failed.
struct TdWorldValues {
    Vec network, batch_td;
};
std::vector<TdWorldValues> td_world_values(const InContextTdConfig& config, const TdWorld& world,
                                           const LearnedSeeds& seeds);

/// Adds the world as a drawing with handles, with the value errors as read-outs, if the settings ask for it; and of an
/// own world the value errors, of the network and of batch TD.
void add_td_world(const InContextTdConfig& config, const TdWorld& world, const LearnedSeeds& seeds, Snapshot& snapshot);

// The microscope: the drawn world's prompt with the chosen state as its query, layer by layer.

/// Traces the prompt through one seed's learned network, beside batch TD with the seed's trained alpha.
TdTrace microscope_trace(const InContextTdConfig& config, const TdWorld& world, const LearnedWeights& seed);

/// If the settings ask for the microscope and the model has attention, adds Z_l, its attention and Gram matrix, the
/// implicit weights and TD errors of all layers beside batch TD's, plots of the chosen layer's weights and of the
/// values by layer, and the range of the up and down keys.
void add_microscope(const InContextTdConfig& config, const TdWorld& world, const LearnedSeeds& seeds,
                    Snapshot& snapshot);

// Operations on a copy of the weights, and their effect on the value error. They do not affect training and can be
// undone, because the weights themselves never change.

/// One operation on all of a network's matrices, on one matrix, or on one block of it.
struct Operation {
    enum class Kind { snap, zero, scale };
    Kind kind = Kind::snap;
    /// 'P' or 'Q'; 0: both.
    char matrix = 0;
    /// The stored layer; -1: all.
    int layer = -1;
    /// Block of the prompt: 0 phi, 1 gamma phi', 2 R; -1: the whole matrix.
    int row = -1;
    int column = -1;
    /// The factor of scale.
    double factor = 1;
};

/// Reads operations, applied from left to right, such as
///     snap; zero P[phi,R]; scale Q0[phi,next] 0.5
/// Each operation acts on both matrices, on one matrix, on one layer's matrix, or on a block with rows and columns phi,
/// next or R. An empty text has none. Throws InputError for any other text, and for layers that are not stored.
std::vector<Operation> parse_operations(std::string_view text, int stored_layers);

/// The flat weights after the operations. snap (ours) projects a learned matrix or block X on theory's T of the
/// loss's algorithm, see in_context_td_theory():
///     X := T <X, T> / <T, T>,  0 if T = 0
std::vector<float> operate(const NetworkShape& shape, const std::vector<float>& weights,
                           const std::vector<Operation>& operations, LossKind loss = LossKind::td);

/// The factor c of all P, between 1/16 and 16, that minimises the mean value error on the evaluator's bank at
/// context length number `index`: it refits the step size of a linear network.
double refitted_step(const NetworkEvaluator& evaluator, size_t index, const std::vector<float>& weights);
/// The flat weights with all P times c.
std::vector<float> with_step(const std::vector<float>& weights, double c);

/// The held-out MRPs on which operated networks are judged, and others on which their step size is refitted.
struct SurgeryBench {
    static constexpr int kJudgedMrps = 128, kFittedMrps = 96;
    std::shared_ptr<const NetworkEvaluator> judged, fitted;
};
/// Null if there are no operations, no theory or no true values.
std::shared_ptr<const SurgeryBench> make_surgery_bench(const InContextTdConfig& config);

/// Adds the value error against context length of the untouched network, the operated one, and the operated
/// one with its step size refitted; their errors at the marked length; and the operated matrices, "operated
/// P" and "operated Q" among the weights.
void add_surgery_views(const InContextTdConfig& config, const SurgeryBench& bench, const LearnedSeeds& seeds,
                       Snapshot& snapshot);

/// Throws InputError if `surgery` is invalid for these settings.
void check_surgery(const InContextTdConfig& config);

/// A sketch of the prompt Z of Wang et al. 2025, Section 3: (2d + 1) x (n + 1), a column [phi; gamma phi'; R] per
/// transition and the query's [phi; 0; 0]. One moment, id "prompt".
Scene prompt_scene(const InContextTdConfig& config);

}  // namespace emergence
