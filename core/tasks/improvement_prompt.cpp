#include "core/tasks/improvement_prompt.h"

namespace emergence {

template <class T>
ImprovementPrompt<T>::ImprovementPrompt(const ImprovementShape& shape)
    : n(shape.n),
      stride(padded_row(shape.context())),
      X(static_cast<size_t>(n) * static_cast<size_t>(stride), T(0)),
      query(static_cast<size_t>(shape.query()), T(0)),
      teacher(static_cast<size_t>(shape.outputs()), T(0)) {}

template struct ImprovementPrompt<float>;
template struct ImprovementPrompt<double>;

Eigen::MatrixXd dense_prompt(const ImprovementShape& shape, const ImprovementPrompt<double>& prompt) {
    Eigen::MatrixXd H = Eigen::MatrixXd::Zero(shape.rows(), shape.n + 1);
    for (int i = 0; i < shape.n; ++i)
        for (int k = 0; k < shape.context(); ++k) H(k, i) = prompt.row(i)[k];
    for (int k = 0; k < shape.query(); ++k) H(shape.context() + k, shape.n) = prompt.query[k];
    return H;
}

}  // namespace emergence
