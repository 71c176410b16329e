#pragma once
// Operations on a copy of the weights that experiment "td" learns, and their effect on the value error. They
// do not affect training and can be undone, because the weights themselves never change.

#include <memory>
#include <string_view>
#include <vector>

#include "core/experiments/in_context_td/seed/td_seed.h"
#include "core/measures/network_evaluator.h"

namespace emergence {

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

}  // namespace emergence
