#pragma once
// Held-out Boyan chains, which measure the softmax transformer's value error and the diagonality of its kernel
// (the softmax paper).

#include <cstdint>
#include <vector>

#include "core/base/linear_algebra.h"
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
    /// A workspace for `layers` layers, for one thread at a time.
    std::unique_ptr<SoftmaxTdWindows<float>> workspace(int layers) const;

    /// The network's MSVE: mean over all prompts of (predicted value - v(S_n))^2.
    double msve(const SoftmaxTdView& network, SoftmaxTdWindows<float>& workspace) const;
    KernelDiagonality diagonality(const SoftmaxTdView& network) const;

    /// The MSVE of predicting 0, and of linear batch TD with `layers` steps of step size alpha.
    double msve_of_zero() const;
    double msve_of_batch_td(int layers, double alpha) const;

    /// The first window of a chain as the transformer's prompt. index: modulo the number of chains.
    struct Prompt {
        Eigen::MatrixXd Z;           // D x (n+1)
        std::vector<int> states;     // S_0 .. S_n
        std::vector<double> values;  // v(s) of every state
    };
    Prompt prompt(int index) const;

  private:
    struct Chain {
        StateFeatures<float> features;
        std::vector<double> values;      // v(s)
        std::vector<double> stationary;  // d(s)
        std::vector<int> states;         // a trajectory of SoftmaxTdShape::num_times() states
    };
    SoftmaxTdShape shape(int layers) const;
    template <class ValuesOf>
    double mean_square_error(const ValuesOf& values_of) const;

    SoftmaxTdBankOptions options_;
    std::vector<Chain> chains_;
};

// One prompt through the softmax transformer (the softmax paper), layer by layer: the memories, their TD errors, the
// written values and the kernels.

/// The trace. Columns are S_0 .. S_{n-1}, then the query S_n.
struct SoftmaxTdTrace {
    // S_0 .. S_n
    std::vector<int> states;
    // (L+1) x (n+1): the current-value memory before each layer and after the last.
    Eigen::MatrixXd values;
    // L x n: R + target memory - current memory, Eq. (11).
    Eigen::MatrixXd td_errors;
    // L x n: the value <P[D, :], z> that P writes from each source.
    Eigen::MatrixXd written;
    // L kernels, n x (n+1) each, sources by rows.
    std::vector<Eigen::MatrixXd> kernels;
};
/// The trace of one prompt through L = layers layers.
SoftmaxTdTrace softmax_td_trace(const SoftmaxTdBank::Prompt& prompt, const SoftmaxTdView& network, int layers,
                                double gamma);

/// The columns of a prompt, without the query, sorted by state and then by time.
std::vector<int> columns_by_state(const std::vector<int>& states);

}  // namespace emergence
