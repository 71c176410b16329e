#include "core/base/matrix.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/eigen.h"
#include "core/base/error.h"

EMERGENCE_PRODUCT_KERNELS(template)

namespace emergence {
namespace {

using ByColumns = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
using ByRows = Eigen::Map<const RowMajorMatrix, 0, Eigen::OuterStride<>>;
using Column = Eigen::Map<const Eigen::VectorXd>;

// Whether entries follow one another in memory, column by column.
bool is_dense(const ConstMatView& a) {
    return (a.down() == 1 || a.rows() == 1) && (a.across() == a.rows() || a.cols() == 1);
}
Column entries_of(const ConstMatView& a) { return {a.data(), a.size()}; }
ByColumns by_columns(const ConstMatView& a) { return {a.data(), a.rows(), a.cols(), Eigen::OuterStride<>(a.across())}; }
ByRows by_rows(const ConstMatView& a) { return {a.data(), a.rows(), a.cols(), Eigen::OuterStride<>(a.down())}; }

void check_same_size(const ConstMatView& a, const ConstMatView& b) {
    check(a.rows() == b.rows() && a.cols() == b.cols(), "matrices of the same size");
}

template <class F>
Mat each(const ConstMatView& a, const F& f) {
    if (!is_dense(a)) return a.unaryExpr(f);
    Mat result(a.rows(), a.cols());
    double* to = result.data();
    for (Index k = 0; k < a.size(); ++k) to[k] = f(a.data()[k]);
    return result;
}

template <class F>
Mat each(const ConstMatView& a, const ConstMatView& b, const F& f) {
    check_same_size(a, b);
    Mat result(a.rows(), a.cols());
    double* to = result.data();
    if (is_dense(a) && is_dense(b)) {
        for (Index k = 0; k < a.size(); ++k) to[k] = f(a.data()[k], b.data()[k]);
        return result;
    }
    for (Index j = 0; j < a.cols(); ++j)
        for (Index i = 0; i < a.rows(); ++i) *to++ = f(a(i, j), b(i, j));
    return result;
}

// Calls with the entries in the order in which Eigen would meet them: packets where they are dense.
template <class Call>
auto summed(const ConstMatView& a, const Call& call) {
    if (is_dense(a)) return call(entries_of(a));
    if (a.down() == 1) return call(by_columns(a));
    return call(Eigen::Map<const Eigen::MatrixXd, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>(
        a.data(), a.rows(), a.cols(), {a.across(), a.down()}));
}

// A x, for a contiguous x.
Mat times_column(const ConstMatView& A, const ConstMatView& x) {
    Mat result(A.rows(), 1);
    Eigen::Map<Eigen::VectorXd> to(result.data(), result.size());
    if (A.down() == 1)
        to.noalias() = by_columns(A) * entries_of(x);
    else
        to.noalias() = by_rows(A) * entries_of(x);
    return result;
}

template <class A>
Mat times_matrix(const A& a, const ConstMatView& b) {
    Mat result(a.rows(), b.cols());
    if (b.down() == 1)
        eigen(result).noalias() = a * by_columns(b);
    else
        eigen(result).noalias() = a * by_rows(b);
    return result;
}

}  // namespace

template <class Number, class View>
double MatReading<Number, View>::sum() const {
    return summed(whole(), [](const auto& a) { return a.sum(); });
}
template <class Number, class View>
double MatReading<Number, View>::mean() const {
    return sum() / static_cast<double>(size());
}
template <class Number, class View>
double MatReading<Number, View>::trace() const {
    return diagonal().sum();
}
template <class Number, class View>
double MatReading<Number, View>::squaredNorm() const {
    return summed(whole(), [](const auto& a) { return a.squaredNorm(); });
}
template <class Number, class View>
double MatReading<Number, View>::norm() const {
    return std::sqrt(squaredNorm());
}
template <class Number, class View>
double MatReading<Number, View>::dot(const View& other) const {
    const View a = whole();
    check(size() == other.size(), "vectors of the same size");
    if (is_dense(a) && is_dense(other)) return entries_of(a).dot(entries_of(other));
    check((rows_ == 1 || cols_ == 1) && (other.rows() == 1 || other.cols() == 1), "rows or columns");
    const Index to_next = cols_ == 1 ? down_ : across_,
                to_others_next = other.cols() == 1 ? other.down() : other.across();
    double sum = 0.0;
    for (Index k = 0; k < size(); ++k) sum += start_[k * to_next] * other.data()[k * to_others_next];
    return sum;
}
template <class Number, class View>
double MatReading<Number, View>::maxCoeff() const {
    check(size() > 0, "a matrix with entries");
    double most = (*this)(0, 0);
    for (Index j = 0; j < cols_; ++j)
        for (Index i = 0; i < rows_; ++i)
            if (const double x = (*this)(i, j); x > most || std::isnan(x)) most = x;
    return most;
}
template <class Number, class View>
double MatReading<Number, View>::minCoeff() const {
    return -(-whole()).maxCoeff();
}
template <class Number, class View>
bool MatReading<Number, View>::allFinite() const {
    for (Index j = 0; j < cols_; ++j)
        for (Index i = 0; i < rows_; ++i)
            if (!std::isfinite((*this)(i, j))) return false;
    return true;
}
template <class Number, class View>
Mat MatReading<Number, View>::rowSums() const {
    return down_ == 1 ? mat_of(by_columns(whole()).rowwise().sum()) : mat_of(by_rows(whole()).rowwise().sum());
}
template <class Number, class View>
Mat MatReading<Number, View>::cwiseProduct(const View& other) const {
    return each(whole(), other, [](double x, double y) { return x * y; });
}
template <class Number, class View>
Mat MatReading<Number, View>::cwiseQuotient(const View& other) const {
    return each(whole(), other, [](double x, double y) { return x / y; });
}
template <class Number, class View>
Mat MatReading<Number, View>::cwiseAbs() const {
    return each(whole(), [](double x) { return std::abs(x); });
}
template <class Number, class View>
Mat MatReading<Number, View>::cwiseSqrt() const {
    return each(whole(), [](double x) { return std::sqrt(x); });
}
template <class Number, class View>
Mat MatReading<Number, View>::cwiseInverse() const {
    return each(whole(), [](double x) { return 1.0 / x; });
}
template <class Number, class View>
Mat MatReading<Number, View>::cwisePlus(double x) const {
    return each(whole(), [x](double y) { return y + x; });
}
template <class Number, class View>
Mat MatReading<Number, View>::cwisePow(double exponent) const {
    Mat result = whole();
    eigen(result) = eigen(result).array().pow(exponent).matrix();
    return result;
}
template <class Number, class View>
Mat MatReading<Number, View>::cwiseExp() const {
    Mat result = whole();
    eigen(result) = eigen(result).array().exp().matrix();
    return result;
}
template <class Number, class View>
Mat MatReading<Number, View>::cwiseLog() const {
    Mat result = whole();
    eigen(result) = eigen(result).array().log().matrix();
    return result;
}

template <class Self, class View>
void MatWriting<Self, View>::setConstant(double value) {
    for (Index j = 0; j < cols_; ++j)
        for (Index i = 0; i < rows_; ++i) (*this)(i, j) = value;
}
template <class Self, class View>
Self& MatWriting<Self, View>::operator+=(const ConstMatView& other) {
    check_same_size(*this, other);
    if (is_dense(whole()) && is_dense(other)) {
        for (Index k = 0; k < size(); ++k) start_[k] += other.data()[k];
        return static_cast<Self&>(*this);
    }
    for (Index j = 0; j < cols_; ++j)
        for (Index i = 0; i < rows_; ++i) (*this)(i, j) += other(i, j);
    return static_cast<Self&>(*this);
}
template <class Self, class View>
Self& MatWriting<Self, View>::operator+=(double x) {
    for (Index j = 0; j < cols_; ++j)
        for (Index i = 0; i < rows_; ++i) (*this)(i, j) += x;
    return static_cast<Self&>(*this);
}
template <class Self, class View>
Self& MatWriting<Self, View>::operator-=(const ConstMatView& other) {
    check_same_size(*this, other);
    for (Index j = 0; j < cols_; ++j)
        for (Index i = 0; i < rows_; ++i) (*this)(i, j) -= other(i, j);
    return static_cast<Self&>(*this);
}
template <class Self, class View>
Self& MatWriting<Self, View>::operator*=(double factor) {
    for (Index j = 0; j < cols_; ++j)
        for (Index i = 0; i < rows_; ++i) (*this)(i, j) *= factor;
    return static_cast<Self&>(*this);
}
template <class Self, class View>
Self& MatWriting<Self, View>::operator/=(double divisor) {
    for (Index j = 0; j < cols_; ++j)
        for (Index i = 0; i < rows_; ++i) (*this)(i, j) /= divisor;
    return static_cast<Self&>(*this);
}
template <class Self, class View>
void MatWriting<Self, View>::copy(const ConstMatView& entries) {
    check_same_size(*this, entries);
    if (is_dense(whole()) && is_dense(entries)) {
        std::copy_n(entries.data(), entries.size(), start_);
        return;
    }
    for (Index j = 0; j < cols_; ++j)
        for (Index i = 0; i < rows_; ++i) (*this)(i, j) = entries(i, j);
}

template class MatReading<double, ConstMatView>;
template class MatReading<const double, ConstMatView>;
template class MatWriting<MatView, MatView>;
template class MatWriting<Mat, MatView>;

Mat::Mat(Index rows, Index cols) : MatWriting(nullptr, rows, cols, 1, rows) { resize(rows, cols); }
Mat::Mat(const ConstMatView& entries) : Mat(entries.rows(), entries.cols()) { copy(entries); }
Mat::Mat(const Mat& other) : MatWriting(other), entries_(other.entries_) { start_ = entries_.data(); }
Mat::Mat(Mat&& other) noexcept : MatWriting(other), entries_(std::move(other.entries_)) { other.resize(0, 0); }
Mat& Mat::operator=(const Mat& other) {
    MatWriting::operator=(other);
    entries_ = other.entries_;
    start_ = entries_.data();
    return *this;
}
Mat& Mat::operator=(Mat&& other) noexcept {
    if (this == &other) return *this;
    MatWriting::operator=(other);
    entries_ = std::move(other.entries_);
    other.resize(0, 0);
    return *this;
}
void Mat::resize(Index rows, Index cols) {
    entries_.resize(static_cast<size_t>(rows * cols));
    start_ = entries_.data(), rows_ = rows, cols_ = cols, across_ = rows;
}
Mat Mat::Constant(Index rows, Index cols, double value) {
    Mat result(rows, cols);
    result.setConstant(value);
    return result;
}
Mat Mat::Identity(Index rows, Index cols) {
    Mat result(rows, cols);
    result.diagonal().setConstant(1.0);
    return result;
}
Mat Mat::from_floats(const float* start, Index rows, Index cols) {
    Mat result(rows, cols);
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < cols; ++j) result(i, j) = *start++;
    return result;
}

Vec::Vec(Mat entries) : Mat(std::move(entries)) {
    if (rows_ == 1) rows_ = cols_, cols_ = 1, across_ = rows_;
    check(cols_ == 1 || size() == 0, "a row or a column");
}
Vec Vec::of(const std::vector<double>& entries) {
    return ConstMatView::column(entries.data(), static_cast<Index>(entries.size()));
}

Mat operator+(const ConstMatView& a, const ConstMatView& b) {
    return each(a, b, [](double x, double y) { return x + y; });
}
Mat operator-(const ConstMatView& a, const ConstMatView& b) {
    return each(a, b, [](double x, double y) { return x - y; });
}
Mat operator-(const ConstMatView& a) {
    return each(a, [](double x) { return -x; });
}
Mat operator*(double factor, const ConstMatView& a) {
    return each(a, [factor](double x) { return factor * x; });
}
Mat operator/(const ConstMatView& a, double divisor) {
    return each(a, [divisor](double x) { return x / divisor; });
}

Mat operator*(const ConstMatView& a, const ConstMatView& b) {
    check(a.cols() == b.rows(), "a product of matrices that fit");
    if (a.cols() == 1) {  // of two vectors
        Mat result(a.rows(), b.cols());
        for (Index j = 0; j < b.cols(); ++j)
            for (Index i = 0; i < a.rows(); ++i) result(i, j) = a[i] * b[j];
        return result;
    }
    if (a.down() != 1 && a.across() != 1) return Mat(a) * b;
    if (b.cols() == 1) return b.down() == 1 ? times_column(a, b) : times_column(a, Mat(b));
    if (b.down() != 1 && b.across() != 1) return a * Mat(b);
    if (a.rows() == 1) return (b.transpose() * a.transpose()).transpose();
    return a.down() == 1 ? times_matrix(by_columns(a), b) : times_matrix(by_rows(a), b);
}

Mat operator*(const Diagonal& a, const ConstMatView& b) {
    check(a.of.size() == b.rows(), "a product of matrices that fit");
    Mat result = b;
    for (Index j = 0; j < b.cols(); ++j)
        for (Index i = 0; i < b.rows(); ++i) result(i, j) = a.of[i] * b(i, j);
    return result;
}
Mat operator*(const ConstMatView& a, const Diagonal& b) {
    check(a.cols() == b.of.size(), "a product of matrices that fit");
    Mat result = a;
    for (Index j = 0; j < a.cols(); ++j)
        for (Index i = 0; i < a.rows(); ++i) result(i, j) = a(i, j) * b.of[j];
    return result;
}

bool operator==(const ConstMatView& a, const ConstMatView& b) {
    if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
    for (Index j = 0; j < a.cols(); ++j)
        for (Index i = 0; i < a.rows(); ++i)
            if (a(i, j) != b(i, j)) return false;
    return true;
}

}  // namespace emergence
