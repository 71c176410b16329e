#pragma once
// Held-out Boyan chains on which the softmax transformer is measured: its value error, and how diagonal its
// kernel is (the softmax paper).

#include <cstdint>
#include <vector>

#include "core/base/eigen.h"
#include "core/models/softmax_td_windows.h"
#include "core/tasks/task.h"

namespace emergence {

struct SoftmaxTdBankOptions {
    TaskOptions tasks;
    int context_length = 30;
    int size = 64;      // chains; of each 16 sliding windows are prompts
    uint64_t seed = 1;  // of the world
};

/// A network, or a construction, as a bank measures it.
struct SoftmaxTdView {
    const std::vector<float>& weights;  // P, then Q
    double temperature = 1.0;
    double mixing = 0.0;
};

/// How diagonal the first layer's kernel is, each a mean over the bank's chains.
struct KernelDiagonality {
    double kappa = 0;        // mean over the context of A[i,i]: the kernel diagonal mean, Eq. (34)
    double kappa_state = 0;  // mean over the states of the context of the weight that they give to themselves
    double ceiling = 0;      // of kappa: the number of distinct states over n
    double margin = 0;       // C of Assumption 5.1, with the chain's stationary distribution
    double holds = 0;        // the share of chains on which that margin is positive
};

class SoftmaxTdBank {
  public:
    explicit SoftmaxTdBank(const SoftmaxTdBankOptions& options);

    const SoftmaxTdBankOptions& options() const { return options_; }
    /// A workspace for `layers` layers; one thread at a time.
    std::unique_ptr<SoftmaxTdWindows<float>> workspace(int layers) const;

    /// Mean over all prompts of (v - v(S_n))^2.
    double msve(const SoftmaxTdView& network, SoftmaxTdWindows<float>& workspace) const;
    KernelDiagonality diagonality(const SoftmaxTdView& network) const;

    /// The same error of predicting 0, and of linear batch TD of `layers` steps with step size alpha.
    double msve_of_zero() const;
    double msve_of_batch_td(int layers, double alpha) const;

    /// The first window of chain `index`, modulo how many there are, as the transformer's prompt.
    struct Prompt {
        Eigen::MatrixXd Z;           // D x (n+1)
        std::vector<int> states;     // S_0 .. S_n
        std::vector<double> values;  // v(s) of every state
    };
    Prompt prompt(int index) const;

  private:
    struct Chain {
        StateFeatures<float> features;
        std::vector<float> rewards;
        std::vector<double> values;      // v(s)
        std::vector<double> stationary;  // d(s)
        std::vector<int> states;         // a trajectory, as 16 windows read it
    };
    SoftmaxTdShape shape(int layers) const;

    SoftmaxTdBankOptions options_;
    std::vector<Chain> chains_;
};

}  // namespace emergence
