#pragma once
// Experiment "td": operations on a copy of the learned weights, and what they do to the value error. Training
// takes no notice; taking an operation back leaves no trace, because the weights themselves never change.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/experiments/in_context_td/td_study.h"

namespace emergence {

/// One operation on all of a network's matrices, on one or on a block of one.
struct Operation {
    enum class Kind { snap, zero, scale };
    Kind kind = Kind::snap;
    char matrix = 0;  // 'P' or 'Q'; 0: both
    int layer = -1;   // of those stored; -1: every one
    int row = -1;     // block of the prompt: 0 phi, 1 gamma phi', 2 R; -1: the whole matrix
    int column = -1;
    double factor = 1;  // of scale
};

/// Reads e.g. "snap; zero P[phi,R]; scale Q0[phi,next] 0.5", carried out from left to right: snap, zero or
/// scale, of nothing (both matrices), a matrix, a layer's or a block of it by its rows and columns, phi, next
/// or R. Empty is none. Throws InputError, naming the field `surgery`, for anything else and for layers that
/// are not stored.
std::vector<Operation> parse_operations(std::string_view text, int stored_layers);

/// The flat weights after the operations. To snap is to project what is learned on theory's matrix (Eq. (7),
/// or Eq. (9) for one layer; ours): a block becomes the nearest multiple of theory's, zero where theory has
/// zeros; a whole matrix the nearest multiple of theory's whole.
std::vector<float> operate(const NetworkShape& shape, const std::vector<float>& weights,
                           const std::vector<Operation>& operations);

/// The factor c of all P, between 1/16 and 16, with which a linear network's mean value error on the
/// evaluator's bank at context length number `index` is least: the step size, refitted.
double refitted_step(const NetworkEvaluator& evaluator, size_t index, int layers,
                     const std::vector<float>& weights);
/// The flat weights with all P times c.
std::vector<float> with_step(const std::vector<float>& weights, double c);

/// Where the operated network is measured, and other MRPs on which its step size is refitted.
struct SurgeryBench {
    static constexpr int kJudgedMrps = 128, kFittedMrps = 96;
    std::shared_ptr<const NetworkEvaluator> judged, fitted;
};
/// Null where nothing is operated on, or there is no theory or no true value.
std::shared_ptr<const SurgeryBench> make_surgery_bench(const InContextTdConfig& config);

/// Adds the value error against context length of the untouched network, the operated one and the operated
/// one with its step size refitted; what they are at the marked length; and the operated matrices, which are
/// "operated P" and "operated Q" among the weights.
void add_surgery_views(const InContextTdConfig& config, const SurgeryBench& bench,
                       const std::vector<LearnedWeights>& seeds, Snapshot& snapshot);

/// Throws InputError where `surgery` cannot be carried out with the other settings.
void check_surgery(const InContextTdConfig& config);

}  // namespace emergence
