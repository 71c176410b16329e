#include "core/tasks/regression.h"

#include <cmath>

#include "core/base/error.h"
#include "core/base/linear_algebra.h"
#include "core/base/rng.h"

namespace emergence {

Mat Covariance::power(double p) const {
    const Vec powers = eigenvalues.cwisePow(p);
    return (powers.asDiagonal() * U).transpose() * U;
}

Vec eigenvalues_of(Spectrum spectrum, int d, double condition) {
    check(d >= 1 && condition >= 1, "a spectrum's size and condition number");
    static constexpr double kPaper[] = {1, 1, 0.5, 0.25, 1};
    Vec values = Vec::Constant(d, 1.0);
    for (int i = 0; i < d; ++i) {
        if (spectrum == Spectrum::paper) values(i) = kPaper[i % 5] * kPaper[i % 5];
        if (spectrum == Spectrum::geometric && d > 1)
            values(i) = std::pow(condition, -static_cast<double>(i) / (d - 1));
        if (spectrum == Spectrum::two_levels && i >= (d + 1) / 2) values(i) = 1 / condition;
    }
    return values;
}

Mat random_rotation(int d, uint64_t seed) {
    Stream stream(seed, Purpose::task_parameters);
    return orthogonal_factor(normal_matrix(stream, d, d, 1));  // uniform (Haar), since R has a positive diagonal
}

double RegressionTask::loss(const Vec& w) const {
    return (X.transpose() * (w - w_star)).squaredNorm() / (2 * static_cast<double>(X.cols()));
}

Vec RegressionTask::gradient(const Vec& w) const {
    return X * (X.transpose() * (w - w_star)) / static_cast<double>(X.cols());
}

RegressionTask draw_regression_task(const Covariance& covariance, WeightPrior prior, int n, uint64_t seed,
                                    uint32_t index) {
    const Index d = covariance.d();
    const auto normals = [d](Stream stream, Index columns) {
        Mat values(d, columns);
        for (Index j = 0; j < columns; ++j)
            for (Index i = 0; i < d; ++i) values(i, j) = stream.normal();
        return values;
    };
    const Vec roots = covariance.eigenvalues.cwiseSqrt();
    const Mat to_x = covariance.U.transpose() * roots.asDiagonal();
    RegressionTask task;
    task.X = to_x * normals(Stream(seed, Purpose::features, index, 0), n);
    task.query = to_x * normals(Stream(seed, Purpose::features, index, 1), 1);
    const Vec latent = normals(Stream(seed, Purpose::true_weights, index), 1);
    task.w_star =
        covariance.U.transpose() * (prior == WeightPrior::identity ? latent : Vec(latent.cwiseQuotient(roots)));
    return task;
}

Mat regression_prompt(const RegressionTask& task) {
    const Index d = task.X.rows(), n = task.X.cols();
    Mat Z(d + 1, n + 1);
    Z.topLeftCorner(d, n) = task.X;
    Z.bottomRows(1).leftCols(n) = task.y().transpose();
    Z.topRows(d).rightCols(1) = task.query;
    Z(d, n) = 0;
    return Z;
}

template <class T>
GramSample<T>::GramSample(int rows, int prompts) : rows_(rows), prompts_(prompts) {
    check(rows >= 1 && prompts >= 1, "a sample's sizes");
    data_.resize(gram_groups(prompts) * gram_entries(rows) * kGramGroup);
}

template <class T>
void GramSample<T>::set(int prompt, const Mat& Z, double target) {
    check(prompt >= 0 && prompt < prompts_ && Z.rows() == rows_ && Z.cols() >= 2, "a prompt of the sample");
    const Index n = Z.cols() - 1;
    context_length_ = static_cast<int>(n);
    const Mat gram = Z.leftCols(n) * Z.leftCols(n).transpose();
    T* place = data_.data() + prompt / kGramGroup * gram_entries(rows_) * kGramGroup + prompt % kGramGroup;
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
GramSample<T> draw_gram_sample(const Covariance& covariance, WeightPrior prior, int n, int prompts, uint64_t seed,
                               uint32_t first, bool whitened) {
    GramSample<T> sample(static_cast<int>(covariance.d()) + 1, prompts);
    const Mat to_white = covariance.power(-0.5);
    for (int p = 0; p < prompts; ++p) {
        const RegressionTask task = draw_regression_task(covariance, prior, n, seed, first + static_cast<uint32_t>(p));
        Mat Z = regression_prompt(task);
        if (whitened) Z.topRows(covariance.d()) = to_white * Z.topRows(covariance.d());
        sample.set(p, Z, task.target());
    }
    return sample;
}

template class GramSample<float>;
template class GramSample<double>;
template GramSample<float> draw_gram_sample(const Covariance&, WeightPrior, int, int, uint64_t, uint32_t, bool);
template GramSample<double> draw_gram_sample(const Covariance&, WeightPrior, int, int, uint64_t, uint32_t, bool);

}  // namespace emergence
