#pragma once
// The prompts of policy improvement in context, Eq. (4) and (13) of Liang and Lai: n columns of context, of
// which the first r entries are not 0, and a last column with the parameters in its last c entries.

#include <vector>

#include "core/base/eigen.h"
#include "core/tasks/improvement_shape.h"

namespace emergence {

/// A prompt without its zeros, and what the teacher makes of it.
template <class T>
struct ImprovementPrompt {
    explicit ImprovementPrompt(const ImprovementShape& shape);

    int n;
    int stride;              // padded_row(r)
    std::vector<T> X;        // n x stride: x_i in its first r entries, 0 behind
    std::vector<T> query;    // c
    std::vector<T> teacher;  // outputs: the update of the parameters by Eq. (2) or (3)

    PromptView<T> view() const { return {X.data(), query.data(), teacher.data()}; }
    T* row(int i) { return X.data() + static_cast<size_t>(i) * static_cast<size_t>(stride); }
    const T* row(int i) const { return X.data() + static_cast<size_t>(i) * static_cast<size_t>(stride); }
};

extern template struct ImprovementPrompt<float>;
extern template struct ImprovementPrompt<double>;

/// H as the paper writes it: D x (n + 1).
Eigen::MatrixXd dense_prompt(const ImprovementShape& shape, const ImprovementPrompt<double>& prompt);

}  // namespace emergence
