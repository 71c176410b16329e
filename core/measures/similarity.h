#pragma once
// The comparisons of Appendix D.1.2, Wang et al. 2025, for any value function of one context.

#include <vector>

#include "core/base/linear_algebra.h"
#include "core/measures/held_out_bank.h"

namespace emergence {

/// VD: sum_s d(s) (v1(s) - v2(s))^2. All arguments: m.
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

/// MSVE: sum_s d(s) (estimate(s) - v(s))^2.
double mean_square_value_error(const Eigen::VectorXd& estimate, const Eigen::VectorXd& v,
                               const Eigen::VectorXd& stationary);

// Decoys: algorithms other than batch TD that resemble it. They show how much a similarity near 1 proves.

/// Implicit weight similarities: mean cosines with batch TD's weight vector.
struct DecoySimilarities {
    // The same number of steps of TD without gamma phi' in the prompt.
    double no_bootstrap = 0;
    // One step from 0: w = alpha (1/n) sum R phi.
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
    GramBank bank_of(const std::vector<float>& grams) const;
    std::vector<float> weights(const std::vector<float>& grams, int layers, float alpha) const;

    int d_, size_, groups_, context_length_;
    std::vector<float> grams_, without_bootstrap_;
};

}  // namespace emergence
