#pragma once
// A regression task as the transformer's input Z_0, and many tasks as Gram matrices and queries, which are all that
// linear attention needs of a prompt.

#include <vector>

#include "core/base/eigen.h"
#include "core/tasks/gram_sample.h"
#include "core/tasks/regression.h"

namespace emergence {

/// Z_0 of Eq. (1), Ahn et al. 2023: (d+1) x (n+1), columns [x; y], then the query [x; 0].
Eigen::MatrixXd regression_prompt(const RegressionTask& task);

/// Owns the prompts of a GramView.
template <class T>
class GramSample {
  public:
    /// rows: of Z.
    GramSample(int rows, int prompts);

    /// Sets one prompt. Z: rows x (n+1), the query's column last.
    void set(int prompt, const Eigen::MatrixXd& Z, double target);
    GramView<T> view() const { return {rows_, prompts_, context_length_, data_.data()}; }

  private:
    int rows_, prompts_, context_length_ = 1;
    std::vector<T> data_;
};

/// Tasks `first` .. `first` + `prompts` - 1 of the world `seed`; if `whitened`, in the coordinates x~ = Sigma^-1/2 x.
template <class T>
GramSample<T> draw_gram_sample(const Covariance& covariance, WeightPrior prior, int n, int prompts,
                               uint64_t seed, uint32_t first = 0, bool whitened = false);

extern template class GramSample<float>;
extern template class GramSample<double>;

}  // namespace emergence
