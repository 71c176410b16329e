#include "core/tasks/regression_prompt.h"

#include "core/base/check.h"

namespace emergence {

Eigen::MatrixXd regression_prompt(const RegressionTask& task) {
    const Eigen::Index d = task.X.rows(), n = task.X.cols();
    Eigen::MatrixXd Z(d + 1, n + 1);
    Z.topLeftCorner(d, n) = task.X;
    Z.bottomLeftCorner(1, n) = task.y().transpose();
    Z.topRightCorner(d, 1) = task.query;
    Z(d, n) = 0;
    return Z;
}

template <class T>
GramSample<T>::GramSample(int rows, int prompts) : rows_(rows), prompts_(prompts) {
    check(rows >= 1 && prompts >= 1, "a sample's sizes");
    data_.resize(static_cast<size_t>(gram_groups(prompts)) * gram_entries(rows) * kGramGroup);
}

template <class T>
void GramSample<T>::set(int prompt, const Eigen::MatrixXd& Z, double target) {
    check(prompt >= 0 && prompt < prompts_ && Z.rows() == rows_ && Z.cols() >= 2, "a prompt of the sample");
    const Eigen::Index n = Z.cols() - 1;
    context_length_ = static_cast<int>(n);
    const Eigen::MatrixXd gram = Z.leftCols(n) * Z.leftCols(n).transpose();
    T* place = data_.data() + static_cast<size_t>(prompt / kGramGroup) * gram_entries(rows_) * kGramGroup +
               prompt % kGramGroup;
    const auto put = [&place](double value) {
        *place = static_cast<T>(value);
        place += kGramGroup;
    };
    for (int i = 0; i < rows_; ++i)
        for (int j = i; j < rows_; ++j) put(gram(i, j));
    for (int i = 0; i < rows_; ++i) put(Z(i, n));
    put(target);
}

template <class T>
GramSample<T> draw_gram_sample(const Covariance& covariance, WeightPrior prior, int n, int prompts,
                               uint64_t seed, uint32_t first, bool whitened) {
    GramSample<T> sample(static_cast<int>(covariance.d()) + 1, prompts);
    const Eigen::MatrixXd to_white = covariance.power(-0.5);
    for (int p = 0; p < prompts; ++p) {
        const RegressionTask task =
            draw_regression_task(covariance, prior, n, seed, first + static_cast<uint32_t>(p));
        Eigen::MatrixXd Z = regression_prompt(task);
        if (whitened) Z.topRows(covariance.d()) = (to_white * Z.topRows(covariance.d())).eval();
        sample.set(p, Z, task.target());
    }
    return sample;
}

template class GramSample<float>;
template class GramSample<double>;
template GramSample<float> draw_gram_sample(const Covariance&, WeightPrior, int, int, uint64_t, uint32_t,
                                            bool);
template GramSample<double> draw_gram_sample(const Covariance&, WeightPrior, int, int, uint64_t, uint32_t,
                                             bool);

}  // namespace emergence
