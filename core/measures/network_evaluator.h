#pragma once
// How near the values of a network are to those of batch TD.

#include <memory>
#include <vector>

#include "core/base/array.h"
#include "core/base/linear_algebra.h"
#include "core/measures/held_out_bank.h"
#include "core/models/network_windows.h"

namespace emergence {

// The comparisons of Appendix D.1.2, Wang et al. 2025, for any value function of one context.

/// VD, or with the true values the MSVE: sum_s d(s) (v1(s) - v2(s))^2. All arguments: m.
double value_difference(const Eigen::VectorXd& v1, const Eigen::VectorXd& v2, const Eigen::VectorXd& stationary);

/// The implicit weight, w = argmin sum_s d(s) (w' phi(s) - v(s))^2, of least norm if it is not unique. features: d x m;
/// v, stationary: m.
Eigen::VectorXd implicit_weight(const Eigen::MatrixXd& features, const Eigen::VectorXd& v,
                                const Eigen::VectorXd& stationary);

/// The cosine of the angle between two vectors; 0 if one is 0.
double cosine_similarity(const Eigen::VectorXd& a, const Eigen::VectorXd& b);

/// SS: sum_s d(s) cos(gradient1(s), gradient2(s)). gradients: d x m, one gradient by phi(s) per column.
double sensitivity_similarity(const Eigen::MatrixXd& gradients1, const Eigen::MatrixXd& gradients2,
                              const Eigen::VectorXd& stationary);

// Decoys: algorithms other than batch TD that resemble it. They show how much a similarity near 1 proves.

/// Implicit weight similarities: mean cosines with batch TD's weight vector.
struct DecoySimilarities {
    // TD with as many steps, but without gamma phi' in the prompt.
    double no_bootstrap = 0;
    // A single step, w = alpha (1/n) sum R phi.
    double reward_correlation = 0;
};

/// The decoys on the first `count` contexts of a bank.
class Decoys {
  public:
    /// index: of the bank's context length.
    Decoys(const HeldOutBank& bank, size_t index, int count);

    /// The similarities to `layers` steps of batch TD with step size alpha.
    DecoySimilarities similarities(int layers, float alpha) const;

  private:
    int d_, size_, groups_, context_length_;
    std::vector<float> grams_, without_bootstrap_;
};

// The measurement of any network on a held-out bank: of linear attention by its implicit weights, of every other
// network prompt by prompt, with each state of each task as the query.

/// Whether a network's value is linear in the query, so that one weight vector per context determines it.
inline bool is_linear(const NetworkShape& shape) {
    return shape.model != Model::rnn && shape.activation == Activation::identity;
}

/// Networks of one shape on one bank. weights: flat, as in training. Thread-safe.
class NetworkEvaluator {
  public:
    /// Ignores the shape's context length: each measurement names one of the bank's.
    NetworkEvaluator(const NetworkShape& shape, std::shared_ptr<const HeldOutBank> bank);

    const HeldOutBank& bank() const { return *bank_; }

    /// All scores of Appendix D.1.2, Wang et al. 2025, against batch TD with the same number of steps and step size
    /// alpha, at the bank's context length number `index`. IWS regresses the values on the features; SS uses the
    /// gradient by the query.
    BankScores compare(size_t index, const std::vector<float>& weights, float alpha) const;
    /// The step size with which as many steps of batch TD have values nearest to the network's, up to rounding: the
    /// least VD. 1 for tasks without true values, which have no VD.
    float nearest_alpha(size_t index, const std::vector<float>& weights) const;
    /// The value error of each MRP.
    std::vector<double> errors(size_t index, const std::vector<float>& weights) const;
    /// The MSVE at each of the bank's context lengths.
    std::vector<double> msve_by_length(const std::vector<float>& weights) const;

  private:
    // The states of a task; each is a query.
    struct Queries {
        Eigen::MatrixXd features;  // d x m
        Eigen::VectorXd weight;    // m: stationary distribution
        Eigen::VectorXd v;         // m: true values; empty if none
        int first_prompt;
    };
    struct Answer {
        std::vector<float> values, by_query;  // prompts; prompts x d
    };
    NetworkShape at(size_t index) const;
    LinearAttentionView view(const std::vector<float>& weights) const { return view_of(at(0), weights); }
    void add_task(int number);
    Answer run(size_t index, const std::vector<float>& weights, bool gradients) const;
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
