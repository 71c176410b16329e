#pragma once
// Softmax TD measured (the softmax paper): value errors and the diagonality of the kernel on held-out Boyan chains, one
// prompt layer by layer, and the paper's theorems in numbers.

#include <cstdint>
#include <vector>

#include "core/algorithms/context_algorithms.h"
#include "core/base/matrix.h"
#include "core/models/softmax_td_layer.h"
#include "core/models/softmax_td_windows.h"
#include "core/tasks/task.h"

namespace emergence {

/// The chains of a bank. Each chain gives 16 sliding windows as prompts.
struct SoftmaxTdBankOptions {
    TaskOptions tasks;
    int context_length = 30;
    // Number of chains.
    int size = 64;
    // The seed of the world.
    uint64_t seed = 1;
};

/// The network or construction to measure.
struct SoftmaxTdView {
    const std::vector<float>& weights;  // P, then Q
    double temperature = 1.0;
    double mixing = 0.0;
};

/// The diagonality of the first layer's kernel, in means over the bank's chains.
struct KernelDiagonality {
    // The kernel diagonal mean, Eq. (34): mean over the context of A[i,i].
    double kappa = 0;
    // Mean over the context's distinct states of the weight that a state gives to itself.
    double kappa_state = 0;
    // The largest possible kappa, (1 - xi) distinct / n + xi, for `distinct` different states in the context.
    double ceiling = 0;
    // C of Assumption 5.1, with the chain's stationary distribution.
    double margin = 0;
    // The share of chains with a positive margin.
    double holds = 0;
};

/// A fixed set of chains and prompts.
class SoftmaxTdBank {
  public:
    explicit SoftmaxTdBank(const SoftmaxTdBankOptions& options);

    const SoftmaxTdBankOptions& options() const { return options_; }
    /// The MSVE of a network of `layers` layers: mean over all prompts of (predicted value - v(S_n))^2.
    double msve(const SoftmaxTdView& network, int layers) const;
    KernelDiagonality diagonality(const SoftmaxTdView& network) const;

    /// The MSVE of predicting 0, and of linear batch TD with `layers` steps of step size alpha.
    double msve_of_zero() const;
    double msve_of_batch_td(int layers, double alpha) const;

    /// The first window of a chain as the transformer's prompt. index: modulo the number of chains.
    struct Prompt {
        Mat Z;                       // D x (n+1)
        std::vector<int> states;     // S_0 .. S_n
        std::vector<double> values;  // v(s) of every state
    };
    Prompt prompt(int index) const;

  private:
    struct Chain {
        StateFeatures<float> features;
        std::vector<double> values;  // v(s)
        Vec stationary;              // d(s)
        std::vector<int> states;     // a trajectory of SoftmaxTdShape::num_times() states
    };
    SoftmaxTdShape shape(int layers) const;
    template <class ValuesOf>
    double mean_square_error(const ValuesOf& values_of) const;

    SoftmaxTdBankOptions options_;
    std::vector<Chain> chains_;
};

/// One prompt through the softmax transformer, layer by layer. Columns are S_0 .. S_{n-1}, then the query S_n.
struct SoftmaxTdTrace {
    // S_0 .. S_n
    std::vector<int> states;
    // (L+1) x (n+1): the current-value memory before each layer and after the last.
    Mat values;
    // L x n: R + target memory - current memory, Eq. (11).
    Mat td_errors;
    // L x n: the value <P[D, :], z> that P writes from each source.
    Mat written;
    // L kernels, n x (n+1) each, sources by rows.
    std::vector<Mat> kernels;
};
SoftmaxTdTrace softmax_td_trace(const SoftmaxTdBank::Prompt& prompt, const SoftmaxTdView& network, int layers,
                                double gamma);

/// The columns of a prompt, without the query, sorted by state and then by time.
std::vector<int> columns_by_state(const std::vector<int>& states);

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

/// Both forms of the constructed softmax transformer against weighted softmax TD in double, as in Figure 7 of the
/// softmax paper, in one trial with its own Boyan chain and trajectory: after layer l = 0 .. layers the largest distance
/// over all n+1 columns, divided by the largest value of the algorithm up to layer l.
struct SoftmaxDifferences {
    // Between the single head with temporal shift and the algorithm, and between the two forms of the layer.
    std::vector<double> to_algorithm, between_forms;
};
SoftmaxDifferences softmax_td_difference(const SoftmaxDifferenceOptions& options, uint64_t seed, uint32_t trial);

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

/// The convergence of weighted softmax TD on one chain along one trajectory, for contexts of several lengths (Theorem 2
/// of the softmax paper).
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
    const Mat& population_kernel() const { return population_; }
    double margin() const { return diagonality_margin(population_, options_.gamma); }
    /// The empirical kernels Mhat and Phat of context number `index`.
    const SoftmaxTdOperators& operators(size_t index) const { return operators_[index]; }

  private:
    double error_of(const Vec& v) const { return (v - true_value_).cwiseAbs().maxCoeff(); }

    SoftmaxConvergenceOptions options_;
    Mrp mrp_;
    Vec true_value_;
    Mat population_;
    std::vector<SoftmaxTdOperators> operators_;
    std::vector<Vec> values_;
    std::vector<double> floors_;
};

}  // namespace emergence
