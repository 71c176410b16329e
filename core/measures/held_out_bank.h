#pragma once
// Held-out tasks on which a network is measured: a world of their own, so that measuring never changes
// training.

#include <cstdint>
#include <vector>

#include "core/measures/implicit_weights.h"
#include "core/tasks/task.h"

namespace emergence {

/// What a bank is made of.
struct BankOptions {
    TaskOptions tasks = {};
    int size = 2000;                   // contexts
    std::vector<int> context_lengths;  // ascending: a shorter context is the start of a longer one
    uint64_t seed = 1;                 // of the world
    /// Context i is of task i mod pool_size, walked along trajectories that no training of this world sees;
    /// 0: each context is of a task of its own.
    int pool_size = 0;
    /// Prompts without a discount, errors against differential values and up to a constant, and a batch TD
    /// that is told R - rbar, with rbar the mean of the context's rewards so far (Theorem 3, Wang et al.
    /// 2025).
    bool average_reward = false;
};

/// The averages over a bank of Appendix D.1.2's comparisons and of the mean square value error. Where tasks
/// have no true values only the two similarities are measured, the others stay 0.
struct BankScores {
    double value_difference = 0;            // VD: mean of |v_TF - v_TD|^2 under the stationary distribution
    double implicit_weight_similarity = 0;  // IWS: mean cosine of w_TF and w_TD
    double sensitivity_similarity = 0;      // SS: mean cosine of the gradients by phi(s)
    double msve = 0;                        // of the network
    double mean_square_value = 0;           // of the network: VD where batch TD predicts zero
    double msve_batch_td = 0;
};

/// Contexts drawn once; each state's value is weighted by the MRP's stationary distribution.
class HeldOutBank {
  public:
    explicit HeldOutBank(const BankOptions& options);

    const BankOptions& options() const { return options_; }
    /// Whether there are true values, and so value errors.
    bool has_values() const { return options_.tasks.has_values(); }
    /// The contexts of length options().context_lengths[index], as a network sees them.
    GramBank contexts(size_t index) const;
    /// The same as batch TD sees them: others with average reward only.
    GramBank batch_td_contexts(size_t index) const;

    /// Makes `task` the one of context `index` and starts the trajectory whose beginning that context is; its
    /// randomness is the answer's.
    Stream start_context(Task& task, uint32_t index) const;
    /// The discount within prompts.
    double prompt_gamma() const { return options_.average_reward ? 1.0 : options_.tasks.gamma; }
    /// What value errors are measured against; stationary: the MRP's distribution.
    Eigen::VectorXd true_values(const Mrp& mrp, const Eigen::VectorXd& stationary) const;
    /// sum_s d(s) phi(s) phi(s)' of context i's task, d x d; of tasks with true values.
    Eigen::MatrixXd feature_moments(int i) const;
    /// Batch TD's weight vector (d) after `layers` steps, of each context of contexts(index).
    std::vector<Eigen::VectorXd> batch_td_vectors(size_t index, int layers, float alpha) const;

    /// Mean over the bank of sum_s d(s) v(s)^2: the error of predicting zero.
    double msve_of_zero() const { return mean(zero_errors_); }
    /// Mean over the bank of min_w sum_s d(s) (w' phi(s) - v(s))^2.
    double msve_of_best_linear() const { return mean(best_linear_errors_); }

    /// At each context length, the error of one value for all states of a task: the mean of the context's
    /// rewards times the factor that suits this bank best (near 1/(1 - gamma) where contexts are long).
    /// Meaningless with average reward, whose values are right up to a constant.
    std::vector<double> msve_of_mean_reward() const;

    /// All scores of `network` against batch TD of as many steps with step size alpha, at contexts(index).
    BankScores compare(size_t index, const LinearAttentionView& network, float alpha) const;
    /// Each MRP's own error, at contexts(index): heavy-tailed, so that its median is worth a look beside the
    /// mean.
    std::vector<double> errors(size_t index, const LinearAttentionView& network) const;
    std::vector<double> errors(size_t index, int layers, float alpha) const;
    /// MSVE at each context length; `alpha` instead of a network: batch TD.
    std::vector<double> msve_by_length(const LinearAttentionView& network) const;
    std::vector<double> msve_by_length(int layers, float alpha) const;

  private:
    // See ErrorGeometry; in double for the scores that are logged.
    struct Geometry {
        std::vector<double> C;  // d x d: Phi D Phi'
        std::vector<double> b;  // d: Phi D v
        double c = 0;           // v' D v
    };
    void add_contexts(Task& task, Stream& stream, uint32_t index);
    GramBank bank_of(const std::vector<std::vector<float>>& grams, size_t index) const;
    void store_gram(const Eigen::MatrixXd& gram, uint32_t index, std::vector<float>& grams) const;
    void add_geometry(const Mrp& mrp);
    void add_lanes(const Geometry& task, int index);
    static double mean(const std::vector<double>& values);
    double squared_error(const Geometry& task, const double* w) const;
    /// Each MRP's sum_s d(s) (w' phi(s) - v(s))^2; weights: as implicit_weights.h writes them.
    std::vector<double> errors_of(const std::vector<float>& weights) const;
    /// Task number i's weight from lanes.
    void gather(const std::vector<float>& weights, int i, double* w) const;
    size_t weights_size() const;

    BankOptions options_;
    int groups_;
    std::vector<std::vector<float>> grams_;           // [length]: see GramBank
    std::vector<std::vector<float>> batch_td_grams_;  // the same with R - rbar; empty without average reward
    std::vector<Geometry> tasks_;
    std::vector<float> C_lanes_, b_lanes_, c_lanes_;  // the same, as value_errors() reads it
    std::vector<double> zero_errors_, best_linear_errors_;
    std::vector<double> mean_values_;                // of each task, weighted by its stationary distribution
    std::vector<std::vector<double>> mean_rewards_;  // [length]: of each context
};

}  // namespace emergence
