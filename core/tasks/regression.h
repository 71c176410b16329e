#pragma once
// Random linear regression without noise, Section 3, Ahn et al. 2023: x ~ N(0, Sigma), y = <w*, x>, and a query whose y
// the network predicts.

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/matrix.h"
#include "core/tasks/layouts.h"

namespace emergence {

/// Sigma = U' diag(eigenvalues) U, where the rows of U are eigenvectors: the paper's U' D^2 U.
struct Covariance {
    Vec eigenvalues;  // d, positive
    Mat U;            // d x d, orthogonal

    Index d() const { return eigenvalues.size(); }
    Mat matrix() const { return power(1.0); }
    /// Sigma^p, symmetric.
    Mat power(double p) const;
};

/// The eigenvalues of Sigma:
///
///     paper       1, 1, 1/4, 1/16, 1, the squares of the paper's D = (1, 1, 0.5, 0.25, 1), repeated beyond five
///     geometric   from 1 down to 1/condition in equal ratios
///     two_levels  1 for the first half (rounded up), 1/condition for the others
///     identity    all 1
enum class Spectrum { paper, geometric, two_levels, identity };

/// d eigenvalues. condition: largest over smallest, for geometric and two_levels.
Vec eigenvalues_of(Spectrum spectrum, int d, double condition);

/// A uniformly distributed orthogonal d x d matrix.
Mat random_rotation(int d, uint64_t seed);

/// The covariance of w*: I in Theorems 1 and 3, Sigma^-1 in Theorems 4 and 5.
enum class WeightPrior { identity, inverse_covariance };

/// One task.
struct RegressionTask {
    Mat X;       // d x n: the context's x
    Vec query;   // d
    Vec w_star;  // d
    Vec y() const { return X.transpose() * w_star; }
    double target() const { return w_star.dot(query); }
    /// (w - w*)' X X' (w - w*) / (2n), Eq. (10).
    double loss(const Vec& w) const;
    /// The gradient of loss(), d entries.
    Vec gradient(const Vec& w) const;
};

/// Task number `index` of the world `seed`. Its random numbers do not depend on n or Sigma, so that moving those
/// changes the prompt only.
RegressionTask draw_regression_task(const Covariance& covariance, WeightPrior prior, int n, uint64_t seed,
                                    uint32_t index);

// A regression task as the transformer's input Z_0, and many tasks as Gram matrices and queries, which are all that
// linear attention needs of a prompt.

/// Z_0 of Eq. (1), Ahn et al. 2023: (d+1) x (n+1), columns [x; y], then the query [x; 0].
Mat regression_prompt(const RegressionTask& task);

/// Owns the prompts of a GramView.
template <class T>
class GramSample {
  public:
    /// rows: of Z.
    GramSample(int rows, int prompts);

    /// Sets one prompt. Z: rows x (n+1), the query's column last.
    void set(int prompt, const Mat& Z, double target);
    GramView<T> view() const { return {rows_, prompts_, context_length_, data_.data()}; }

  private:
    int rows_, prompts_, context_length_ = 1;
    std::vector<T> data_;
};

/// Tasks `first` .. `first` + `prompts` - 1 of the world `seed`; if `whitened`, in the coordinates x~ = Sigma^-1/2 x.
template <class T>
GramSample<T> draw_gram_sample(const Covariance& covariance, WeightPrior prior, int n, int prompts, uint64_t seed,
                               uint32_t first = 0, bool whitened = false);

}  // namespace emergence
