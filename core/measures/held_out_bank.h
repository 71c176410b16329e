#pragma once
// Held-out tasks for measuring networks. They come from a separate world, so that measuring does not change training.

#include <vector>

#include "core/base/matrix.h"
#include "core/base/statistics.h"
#include "core/measures/lane_measures.h"
#include "core/tasks/task.h"

namespace emergence {

struct BankOptions {
    TaskOptions tasks = {};
    // Number of contexts.
    int size = 2000;
    // Ascending: a shorter context is the start of a longer one.
    std::vector<int> context_lengths;
    // The seed of the world.
    uint64_t seed = 1;
    // Context i belongs to task i mod pool_size, with trajectories that training on this world does not use; 0: each
    // context has its own task.
    int pool_size = 0;
    // Average reward (Theorem 3, Wang et al. 2025): prompts without discount, errors against differential values up to
    // a constant, and a batch TD that receives R - rbar, with rbar the mean of the context's rewards so far.
    bool average_reward = false;
    // Masked networks read the states of contexts, not their Gram matrices.
    bool keeps_states = false;
};

/// Averages over a bank of the comparisons of Appendix D.1.2, Wang et al. 2025, and of the mean square value error.
/// For tasks without true values only the two similarities are measured; the others are 0.
struct BankScores {
    // VD: mean of |v_TF - v_TD|^2 under the stationary distribution.
    double value_difference = 0;
    // IWS and SS: mean cosines of w_TF and w_TD, and of the gradients by phi(s).
    double implicit_weight_similarity = 0, sensitivity_similarity = 0;
    // The network's mean square value; equals VD if batch TD predicts zero.
    double mean_square_value = 0;
    // The mean square value errors of the network and of batch TD.
    double msve = 0, msve_batch_td = 0;
};

/// A fixed set of contexts. Value errors weigh states by error_weights(): the MRP's stationary distribution.
class HeldOutBank {
  public:
    explicit HeldOutBank(const BankOptions& options);

    const BankOptions& options() const { return options_; }
    /// Whether the tasks have true values, and so value errors.
    bool has_values() const { return options_.tasks.has_values(); }
    /// The contexts of length options().context_lengths[index] for a network.
    GramBank contexts(size_t index) const { return bank_of(grams_, index); }
    /// The same contexts for batch TD; they differ for average reward only.
    GramBank batch_td_contexts(size_t index) const {
        return bank_of(batch_td_grams_.empty() ? grams_ : batch_td_grams_, index);
    }

    /// Makes `task` the task of context `index` and starts the trajectory that begins with this context. Returns the
    /// stream for its further steps.
    Stream start_context(Task& task, uint32_t index) const;
    /// The discount in prompts.
    double prompt_gamma() const { return options_.average_reward ? 1.0 : options_.tasks.gamma; }
    /// The reference of value errors, m. stationary: the MRP's stationary distribution.
    Vec true_values(const Mrp& mrp, const Vec& stationary) const {
        return options_.average_reward ? differential_value(mrp, stationary) : true_value(mrp, options_.tasks.gamma);
    }
    /// sum_s d(s) phi(s) phi(s)' of the task of context i, d x d. Requires has_values().
    Mat feature_moments(int i) const;
    /// Batch TD's weight vector (d) after `layers` steps, for each context of batch_td_contexts(index).
    std::vector<Vec> batch_td_vectors(size_t index, int layers, float alpha) const;

    /// The MSVE of predicting zero: mean over the bank of sum_s d(s) v(s)^2.
    double msve_of_zero() const { return mean_of(zero_errors_); }
    /// The MSVE of the best linear value: mean over the bank of min_w sum_s d(s) (w' phi(s) - v(s))^2.
    double msve_of_best_linear() const { return mean_of(best_linear_errors_); }
    /// The MSVE, at each context length, of predicting one value for all states of a task: the mean of the context's
    /// rewards times the best factor for this bank (near 1/(1 - gamma) for long contexts). Meaningless for average
    /// reward, whose values count up to a constant.
    std::vector<double> msve_of_mean_reward() const;
    /// All scores at contexts(index) of `network` against batch TD with the same number of steps and step size alpha.
    BankScores compare(size_t index, const LinearAttentionView& network, float alpha) const;
    /// The error of a network or of batch TD on each MRP at contexts(index). The distribution has a heavy tail, so its
    /// median says more than its mean.
    std::vector<double> errors(size_t index, const LinearAttentionView& network) const;
    std::vector<double> errors(size_t index, int layers, float alpha) const;
    /// MSVE at each context length, of a network or of batch TD.
    template <class... Of>
    std::vector<double> msve_by_length(const Of&... of) const {
        std::vector<double> result;
        for (size_t index = 0; index < grams_.size(); ++index) result.push_back(mean_of(errors(index, of...)));
        return result;
    }

  private:
    void add_contexts(Task& task, Stream& stream, uint32_t index);
    GramBank bank_of(const std::vector<std::vector<float>>& grams, size_t index) const;
    void store_state(const double* row, uint32_t index, int time);
    void add_geometry(const Mrp& mrp);
    // sum_s d(s) (w' phi(s) - v(s))^2 of task i.
    double squared_error(int i, const Vec& w) const;
    // squared_error() of each MRP. weights: in the layout of lane_measures.h.
    std::vector<double> errors_of(const std::vector<float>& weights) const;

    BankOptions options_;
    int groups_;
    // The Gram matrices by context length, see GramBank, and with R - rbar instead of R; empty without average reward.
    std::vector<std::vector<float>> grams_, batch_td_grams_;
    // The contexts' states, see GramBank; empty unless they are kept.
    std::vector<float> states_;
    // The geometry of all tasks, see ErrorGeometry, and in double for the logged scores.
    std::vector<float> C_lanes_, b_lanes_, c_lanes_;
    std::vector<double> C_, b_, c_;
    std::vector<double> zero_errors_, best_linear_errors_;
    // Each task's mean value under its stationary distribution.
    std::vector<double> mean_values_;
    // The mean reward of each context, by context length.
    std::vector<std::vector<double>> mean_rewards_;
};

/// Prompts that algorithms are compared on; immutable.
class FitPrompts {
  public:
    /// Contexts `first` .. `first + count - 1` of the bank at its context length number `index`; first: a multiple of
    /// sixteen. Values are weighted by the tasks' stationary distributions; for tasks without true values all
    /// directions of the weight count equally.
    FitPrompts(const HeldOutBank& bank, size_t index, int first, int count, PlaceAxis axis);

    int size() const { return size_; }
    int d() const { return d_; }
    FamilyBank bank() const {
        return {moments_.data(), weights_.data(), groups_, d_, axis_, states_.data(), context_length_, gamma_};
    }
    /// The network's weight vectors: groups x d x 16, zero beside the prompts.
    std::vector<double> values(const LinearAttentionView& network) const;
    /// Any weight vectors, one per prompt, in that layout.
    std::vector<double> in_lanes(const std::vector<Vec>& weights) const;

  private:
    int d_, size_, groups_ = (size_ + kContextsInGroup - 1) / kContextsInGroup, context_length_, times_;
    PlaceAxis axis_;
    double gamma_;
    std::vector<float> grams_, float_states_;  // as in GramBank
    std::vector<double> moments_, weights_, states_;
};

/// Weight vector number i of a bank's lanes, d entries.
Vec lane_vector(const std::vector<float>& weights, int d, int i);
/// w_TF of a masked network on one context, d entries. rows: (n+1) x (d+1), phi(S_t) then R_{t+1}; gamma: in prompts.
std::vector<float> masked_weight(const NetworkShape& shape, const std::vector<float>& rows, float gamma,
                                 const std::vector<float>& weights);

}  // namespace emergence
