#pragma once
// How weighted softmax TD converges on one chain, for contexts of several lengths (Theorem 2 of the softmax
// paper).

#include <cstdint>
#include <vector>

#include "core/algorithms/softmax_td.h"
#include "core/tasks/mrp.h"

namespace emergence {

struct SoftmaxConvergenceOptions {
    bool one_hot = true;  // scores of states by name; else by features
    double sharpness = 8.0;
    double step = 1.0;
    int num_states = 10;
    int d = 4;
    double gamma = 0.9;
    std::vector<int> lengths;  // ascending: each context is the beginning of the next
};

/// One chain and one trajectory of it.
class SoftmaxConvergence {
  public:
    SoftmaxConvergence(const SoftmaxConvergenceOptions& options, uint64_t seed);

    /// max over states of |v_l(s) - v(s)| of each length, for the layer that was last applied.
    std::vector<double> errors() const;
    void apply_layer();

    /// The same where layers never end: the fixed point of Eq. (25); NaN where there is no single one.
    const std::vector<double>& floors() const { return floors_; }
    /// K(s, s') of the population, Eq. (27), and its margin C of Assumption 5.1.
    const Eigen::MatrixXd& population_kernel() const { return population_; }
    double margin() const { return diagonality_margin(population_, options_.gamma); }
    /// Mhat of context number `index`, and the margin that it has inherited.
    const Eigen::MatrixXd& kernel(size_t index) const { return operators_[index].M; }
    /// I - Mhat + gamma Phat, what a layer multiplies errors by where the step size is 1.
    Eigen::MatrixXd layer_map(size_t index) const;
    double empirical_margin(size_t index) const { return diagonality_margin(kernel(index), options_.gamma); }

  private:
    double error_of(const Eigen::VectorXd& v) const { return (v - true_value_).cwiseAbs().maxCoeff(); }

    SoftmaxConvergenceOptions options_;
    Mrp mrp_;
    Eigen::VectorXd true_value_;
    Eigen::MatrixXd population_;
    std::vector<SoftmaxTdOperators> operators_;
    std::vector<Eigen::VectorXd> values_;
    std::vector<double> floors_;
};

}  // namespace emergence
