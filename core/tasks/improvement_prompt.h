#pragma once
// The prompts of in-context policy improvement, Eqs. (4) and (13), Liang and Lai: n columns of context with zeros
// after their first r entries, and a last column with the parameters in its last c entries.

#include <vector>

#include "core/base/eigen.h"
#include "core/tasks/improvement_shape.h"

namespace emergence {

/// A prompt without its zeros, and the teacher's update for it.
template <class T>
struct ImprovementPrompt {
    explicit ImprovementPrompt(const ImprovementShape& shape);

    int n;
    // padded_row(r)
    int stride;
    // n x stride: x_i in the first r entries, then zeros.
    std::vector<T> X;
    // c
    std::vector<T> query;
    // outputs: the update of the parameters, Eq. (2) or (3).
    std::vector<T> teacher;

    PromptView<T> view() const { return {X.data(), query.data(), teacher.data()}; }
    T* row(int i) { return X.data() + static_cast<size_t>(i) * static_cast<size_t>(stride); }
    const T* row(int i) const { return X.data() + static_cast<size_t>(i) * static_cast<size_t>(stride); }
};

extern template struct ImprovementPrompt<float>;
extern template struct ImprovementPrompt<double>;

/// The prompt H as the paper writes it: D x (n + 1).
Eigen::MatrixXd dense_prompt(const ImprovementShape& shape, const ImprovementPrompt<double>& prompt);

}  // namespace emergence
