#pragma once
// The softmax paper's theorems in numbers: the construction against its algorithm, and convergence.

#include <cstdint>
#include <vector>

#include "core/algorithms/context_algorithms.h"
#include "core/base/linear_algebra.h"
#include "core/models/softmax_td_layer.h"
#include "core/tasks/task.h"

namespace emergence {

// Both forms of the constructed softmax transformer against weighted softmax TD, layer by layer in double, as in Figure
// 7 of the softmax paper.

/// A deliberate error in the transformer, to prove that the check can fail.
enum class SoftmaxFlaw {
    none,
    // gamma is wrong by a factor of 1 + 1e-6.
    gamma,
    // The query is a source too.
    mask,
    // No temporal shift.
    shift,
};

/// The kernel, the task and the sizes of a trial.
struct SoftmaxDifferenceOptions {
    ScoreKernel kernel = ScoreKernel::softmax;
    int d = 4;
    int n = 30;
    int layers = 40;
    int num_states = 10;
    double gamma = 0.9;
    double step = 1.0;
    SoftmaxFlaw flaw = SoftmaxFlaw::none;
};

/// After layer l = 0 .. layers the largest distance over all n+1 columns, divided by the largest value of the algorithm
/// up to layer l.
struct SoftmaxDifferences {
    // Between the single head with temporal shift and the algorithm.
    std::vector<double> to_algorithm;
    // Between the two forms of the layer.
    std::vector<double> between_forms;
};

/// The differences in one trial, which has its own Boyan chain and trajectory.
SoftmaxDifferences softmax_td_difference(const SoftmaxDifferenceOptions& options, uint64_t seed, uint32_t trial);

// The convergence of weighted softmax TD on one chain, for contexts of several lengths (Theorem 2 of the softmax
// paper).

struct SoftmaxConvergenceOptions {
    // Scores between one-hot states; else between features.
    bool one_hot = true;
    double sharpness = 8.0;
    double step = 1.0;
    int num_states = 10;
    int d = 4;
    double gamma = 0.9;
    // Ascending context lengths: each context is the start of the next.
    std::vector<int> lengths = {1000, 10000, 100000, 1000000};
};

/// Follows one chain along one trajectory.
class SoftmaxConvergence {
  public:
    SoftmaxConvergence(const SoftmaxConvergenceOptions& options, uint64_t seed);

    /// max_s |v_l(s) - v(s)| for each length, after the last layer applied.
    std::vector<double> errors() const;
    /// Takes one step of Eq. (25) at each length.
    void apply_layer();

    /// What errors() tends to with more layers: the error at the fixed point of Eq. (25), NaN if that is not unique.
    const std::vector<double>& floors() const { return floors_; }
    /// The population's kernel K(s, s'), Eq. (27), and its margin C of Assumption 5.1.
    const Eigen::MatrixXd& population_kernel() const { return population_; }
    double margin() const { return diagonality_margin(population_, options_.gamma); }
    /// The empirical kernels Mhat and Phat of context number `index`.
    const SoftmaxTdOperators& operators(size_t index) const { return operators_[index]; }

  private:
    double error_of(const Eigen::VectorXd& v) const {
        return (v - true_value_).cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
    }

    SoftmaxConvergenceOptions options_;
    Mrp mrp_;
    Eigen::VectorXd true_value_;
    Eigen::MatrixXd population_;
    std::vector<SoftmaxTdOperators> operators_;
    std::vector<Eigen::VectorXd> values_;
    std::vector<double> floors_;
};

}  // namespace emergence
