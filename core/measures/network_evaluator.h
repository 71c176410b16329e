#pragma once
// Any network, measured on a held-out bank: linear attention through its implicit weights, every other
// network prompt by prompt, with each state of each task as the query.

#include <memory>
#include <vector>

#include "core/base/eigen.h"
#include "core/base/types.h"
#include "core/measures/held_out_bank.h"
#include "core/models/network_shape.h"

namespace emergence {

/// Whether a network's value is linear in the query, so that one weight vector a context says it all.
inline bool is_linear(const NetworkShape& shape) {
    return shape.model == Model::attention && shape.activation == Activation::identity;
}
/// Whether layers can be applied more often than trained: they share their weights.
inline bool shares_layers(const NetworkShape& shape) {
    return shape.model == Model::attention && shape.stored == 1;
}

/// Networks of one shape on one bank. Weights are flat, as training has them. Safe from several threads.
class NetworkEvaluator {
  public:
    /// The shape's context length does not matter: each measurement names one of the bank's.
    NetworkEvaluator(const NetworkShape& shape, std::shared_ptr<const HeldOutBank> bank);

    const HeldOutBank& bank() const { return *bank_; }

    /// All scores against batch TD of as many steps with step size alpha, at the bank's context length number
    /// `index` (Appendix D.1.2, Wang et al. 2025): IWS by regressing the values on the features, SS by the
    /// gradient with respect to the query.
    BankScores compare(size_t index, const std::vector<float>& weights, float alpha) const;
    /// Each MRP's own value error with `layers` layers; another number than trained only where layers are
    /// shared.
    std::vector<double> errors(size_t index, int layers, const std::vector<float>& weights) const;
    /// Their mean, at each of the bank's context lengths.
    std::vector<double> msve_by_length(int layers, const std::vector<float>& weights) const;
    /// The same for every number of layers in `layers`, a row each: depth and length beyond training.
    Table msve_by_depth_and_length(const std::vector<int>& layers, const std::vector<float>& weights) const;

  private:
    // A task's states, each a query.
    struct Queries {
        Eigen::MatrixXd features;  // d x m
        Eigen::VectorXd weight;    // m: stationary distribution
        Eigen::VectorXd v;         // m: true values; empty where there are none
        int first_prompt;
    };
    struct Answer {
        std::vector<float> values, by_query;  // prompts; prompts x d
    };
    NetworkShape at(size_t index, int layers) const;
    LinearAttentionView view(int layers, const std::vector<float>& weights) const;
    void add_task(int number);
    Answer run(size_t index, int layers, const std::vector<float>& weights, bool gradients) const;
    static Eigen::VectorXd values_of(const Queries& task, const Answer& answer);
    double squared_distance(const Queries& task, const Eigen::VectorXd& a, const Eigen::VectorXd& b) const;

    NetworkShape shape_;
    std::shared_ptr<const HeldOutBank> bank_;
    // Empty for linear attention.
    std::vector<Queries> tasks_;
    std::vector<float> contexts_, queries_;
    std::vector<int> context_of_;
};

}  // namespace emergence
