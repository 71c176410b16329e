#pragma once
// Matrices and vectors of doubles. Eigen compiles an expression anew in every source that has it, a tenth of a second
// each; matrix.cpp compiles these operations once. Members have Eigen's names, except rowSums, cwisePlus, cwisePow, cwiseExp
// and cwiseLog.
//
// Results have the bits of Eigen's, with one difference: Eigen takes the factor of s * A * b out of the product, and here
// it is where it stands. Write s * (A * b).
//
// A part (a row, a block, a transpose) is a view: no entry is copied, and the matrix must live and keep its size as long
// as the view. A part of a temporary ends with the statement: keep it as Mat or Vec, not as auto. Operators and functions
// of entries give new matrices. A function that takes const Mat& copies a part, one that takes const ConstMatView& does
// not. x = A * x is safe; a part must not be assigned from an overlapping one, nor added to it. Sizes of operands are
// checked, indices only without NDEBUG.

#include <cassert>
#include <cstddef>
#include <vector>

namespace emergence {

using Index = std::ptrdiff_t;

class Mat;
class MatView;
class ConstMatView;
struct Diagonal;

/// The members with which Mat, MatView and ConstMatView are read. Number: double or const double. View: ConstMatView, a
/// parameter because that class is not complete here.
template <class Number, class View>
class MatReading {
  public:
    Index rows() const { return rows_; }
    Index cols() const { return cols_; }
    Index size() const { return rows_ * cols_; }
    /// Entry (i, j) is at data()[i * down() + j * across()].
    const double* data() const { return start_; }
    Index down() const { return down_; }
    Index across() const { return across_; }

    double operator()(Index i, Index j) const { return start_[place(i, j)]; }
    /// Entry k of a row or a column, or of a Mat column by column. Not of a part with several rows and columns.
    double operator[](Index k) const { return start_[place(k)]; }
    double operator()(Index k) const { return start_[place(k)]; }

    View whole() const { return {start_, rows_, cols_, down_, across_}; }
    View block(Index i, Index j, Index rows, Index cols) const {
        assert(i >= 0 && j >= 0 && i + rows <= rows_ && j + cols <= cols_);
        return {start_ + i * down_ + j * across_, rows, cols, down_, across_};
    }
    View row(Index i) const { return block(i, 0, 1, cols_); }
    View col(Index j) const { return block(0, j, rows_, 1); }
    View topRows(Index count) const { return block(0, 0, count, cols_); }
    View bottomRows(Index count) const { return block(rows_ - count, 0, count, cols_); }
    View leftCols(Index count) const { return block(0, 0, rows_, count); }
    View middleCols(Index from, Index count) const { return block(0, from, rows_, count); }
    View rightCols(Index count) const { return block(0, cols_ - count, rows_, count); }
    View topLeftCorner(Index rows, Index cols) const { return block(0, 0, rows, cols); }
    /// Of a row or a column, as head() and tail().
    View segment(Index from, Index count) const {
        assert(rows_ == 1 || cols_ == 1);
        return cols_ == 1 ? block(from, 0, count, 1) : block(0, from, 1, count);
    }
    View head(Index count) const { return segment(0, count); }
    View tail(Index count) const { return segment(size() - count, count); }
    /// As a column.
    View diagonal() const { return {start_, rows_ < cols_ ? rows_ : cols_, 1, down_ + across_, 1}; }
    View transpose() const { return {start_, cols_, rows_, across_, down_}; }

    double sum() const;
    double mean() const;
    double trace() const;
    /// Of two vectors, each a row or a column.
    double dot(const View& other) const;
    double squaredNorm() const;
    double norm() const;
    /// NaN if an entry is NaN. The matrix has entries.
    double maxCoeff() const;
    double minCoeff() const;
    bool allFinite() const;
    /// As a column.
    Mat rowSums() const;

    Mat cwiseProduct(const View& other) const;
    Mat cwiseQuotient(const View& other) const;
    Mat cwiseAbs() const;
    Mat cwiseSqrt() const;
    Mat cwiseInverse() const;
    Mat cwisePlus(double x) const;
    Mat cwisePow(double exponent) const;
    Mat cwiseExp() const;
    Mat cwiseLog() const;
    /// f of each entry.
    template <class F>
    Mat unaryExpr(const F& f) const;
    /// A vector as a diagonal matrix, which refers to it, in products.
    Diagonal asDiagonal() const;

  protected:
    MatReading(Number* start, Index rows, Index cols, Index down, Index across)
        : start_(start), rows_(rows), cols_(cols), down_(down), across_(across) {}
    MatReading(const MatReading&) = default;
    MatReading& operator=(const MatReading&) = default;
    ~MatReading() = default;

    Index place(Index i, Index j) const {
        assert(i >= 0 && i < rows_ && j >= 0 && j < cols_);
        return i * down_ + j * across_;
    }
    Index place(Index k) const {
        assert(k >= 0 && k < size() && (cols_ == 1 || rows_ == 1 || (down_ == 1 && across_ == rows_)));
        return k * (cols_ == 1 ? down_ : rows_ == 1 ? across_ : 1);
    }

    Number* start_;
    Index rows_, cols_, down_, across_;
};

/// A part of a matrix, or numbers elsewhere, to read.
class ConstMatView final : public MatReading<const double, ConstMatView> {
  public:
    ConstMatView(const double* start, Index rows, Index cols, Index down, Index across)
        : MatReading(start, rows, cols, down, across) {}
    ConstMatView(const MatReading<double, ConstMatView>& of)  // NOLINT(google-explicit-constructor): as Eigen's Ref
        : MatReading(of.data(), of.rows(), of.cols(), of.down(), of.across()) {}
    ConstMatView(const ConstMatView&) = default;
    ConstMatView& operator=(const ConstMatView&) = delete;
    ~ConstMatView() = default;
    /// Numbers that lie row by row, as in files and flat weights, and outlive the view.
    static ConstMatView by_rows(const double* start, Index rows, Index cols) { return {start, rows, cols, cols, 1}; }
    static ConstMatView by_cols(const double* start, Index rows, Index cols) { return {start, rows, cols, 1, rows}; }
    static ConstMatView column(const double* start, Index size) { return {start, size, 1, 1, size}; }
};

/// The members with which Mat and MatView are written.
template <class Self, class View>
class MatWriting : public MatReading<double, ConstMatView> {
  public:
    using MatReading::operator(), MatReading::operator[], MatReading::data;
    using MatReading::block, MatReading::row, MatReading::col, MatReading::topRows, MatReading::bottomRows;
    using MatReading::leftCols, MatReading::middleCols, MatReading::rightCols, MatReading::topLeftCorner;
    using MatReading::segment, MatReading::head, MatReading::tail, MatReading::diagonal;

    double* data() { return start_; }
    double& operator()(Index i, Index j) { return start_[place(i, j)]; }
    double& operator[](Index k) { return start_[place(k)]; }
    double& operator()(Index k) { return start_[place(k)]; }

    View block(Index i, Index j, Index rows, Index cols) {
        assert(i >= 0 && j >= 0 && i + rows <= rows_ && j + cols <= cols_);
        return {start_ + i * down_ + j * across_, rows, cols, down_, across_};
    }
    View row(Index i) { return block(i, 0, 1, cols_); }
    View col(Index j) { return block(0, j, rows_, 1); }
    View topRows(Index count) { return block(0, 0, count, cols_); }
    View bottomRows(Index count) { return block(rows_ - count, 0, count, cols_); }
    View leftCols(Index count) { return block(0, 0, rows_, count); }
    View middleCols(Index from, Index count) { return block(0, from, rows_, count); }
    View rightCols(Index count) { return block(0, cols_ - count, rows_, count); }
    View topLeftCorner(Index rows, Index cols) { return block(0, 0, rows, cols); }
    View segment(Index from, Index count) {
        assert(rows_ == 1 || cols_ == 1);
        return cols_ == 1 ? block(from, 0, count, 1) : block(0, from, 1, count);
    }
    View head(Index count) { return segment(0, count); }
    View tail(Index count) { return segment(size() - count, count); }
    View diagonal() { return {start_, rows_ < cols_ ? rows_ : cols_, 1, down_ + across_, 1}; }

    void setZero() { setConstant(0.0); }
    void setConstant(double value);
    Self& operator+=(const ConstMatView& other);
    Self& operator+=(double x);  // to each entry
    Self& operator-=(const ConstMatView& other);
    Self& operator*=(double factor);
    Self& operator/=(double divisor);

  protected:
    using MatReading::MatReading;
    MatWriting(const MatWriting&) = default;
    MatWriting& operator=(const MatWriting&) = default;
    ~MatWriting() = default;

    void copy(const ConstMatView& entries);
};

/// A part of a matrix, or numbers elsewhere, to write to.
class MatView final : public MatWriting<MatView, MatView> {
  public:
    MatView(double* start, Index rows, Index cols, Index down, Index across)
        : MatWriting(start, rows, cols, down, across) {}
    MatView(const MatView&) = default;
    static MatView by_rows(double* start, Index rows, Index cols) { return {start, rows, cols, cols, 1}; }
    static MatView by_cols(double* start, Index rows, Index cols) { return {start, rows, cols, 1, rows}; }

    // Assigning copies entries.
    MatView& operator=(const ConstMatView& entries) { return copy(entries), *this; }
    MatView& operator=(const MatView& entries) { return copy(entries), *this; }
    ~MatView() = default;
};

/// A matrix with entries of its own, stored column by column. Those of Mat(rows, cols) are 0.
class Mat : public MatWriting<Mat, MatView> {
  public:
    Mat() : Mat(0, 0) {}
    Mat(Index rows, Index cols);
    Mat(const ConstMatView& entries);                            // NOLINT(google-explicit-constructor): as Eigen's
    Mat(const MatView& entries) : Mat(ConstMatView(entries)) {}  // NOLINT(google-explicit-constructor)
    Mat(const Mat& other);
    Mat(Mat&& other) noexcept;
    Mat& operator=(const Mat& other);
    Mat& operator=(Mat&& other) noexcept;
    ~Mat() = default;

    static Mat Zero(Index rows, Index cols) { return {rows, cols}; }
    static Mat Constant(Index rows, Index cols, double value);
    static Mat Identity(Index rows, Index cols);
    /// Copies numbers that lie row by row.
    static Mat from_floats(const float* start, Index rows, Index cols);

    // Column by column.
    const double* begin() const { return start_; }
    const double* end() const { return start_ + size(); }
    double* begin() { return start_; }
    double* end() { return start_ + size(); }

    /// Entries are unspecified if the size changes.
    void resize(Index rows, Index cols);

  private:
    std::vector<double> entries_;
};

/// A column. Of a row it has the entries; more rows and columns break an invariant.
class Vec final : public Mat {
  public:
    Vec() = default;
    explicit Vec(Index size) : Mat(size, 1) {}
    Vec(Mat entries);                                            // NOLINT(google-explicit-constructor)
    Vec(const ConstMatView& entries) : Vec(Mat(entries)) {}      // NOLINT(google-explicit-constructor)
    Vec(const MatView& entries) : Vec(ConstMatView(entries)) {}  // NOLINT(google-explicit-constructor)

    static Vec Zero(Index size) { return Vec(size); }
    static Vec Constant(Index size, double value) { return Mat::Constant(size, 1, value); }
    static Vec of(const std::vector<double>& entries);
    static Vec from_floats(const float* start, Index size) { return Mat::from_floats(start, size, 1); }

    void resize(Index size) { Mat::resize(size, 1); }
};

struct Diagonal {
    ConstMatView of;
};

template <class Number, class View>
Diagonal MatReading<Number, View>::asDiagonal() const {
    return {whole()};
}
template <class Number, class View>
template <class F>
Mat MatReading<Number, View>::unaryExpr(const F& f) const {
    Mat result(rows_, cols_);
    double* to = result.data();
    for (Index j = 0; j < cols_; ++j)
        for (Index i = 0; i < rows_; ++i) *to++ = f((*this)(i, j));
    return result;
}

Mat operator+(const ConstMatView& a, const ConstMatView& b);
Mat operator-(const ConstMatView& a, const ConstMatView& b);
Mat operator-(const ConstMatView& a);
Mat operator*(const ConstMatView& a, const ConstMatView& b);
Mat operator*(double factor, const ConstMatView& a);
inline Mat operator*(const ConstMatView& a, double factor) { return factor * a; }
Mat operator/(const ConstMatView& a, double divisor);
Mat operator*(const Diagonal& a, const ConstMatView& b);
Mat operator*(const ConstMatView& a, const Diagonal& b);
bool operator==(const ConstMatView& a, const ConstMatView& b);

extern template class MatReading<double, ConstMatView>;
extern template class MatReading<const double, ConstMatView>;
extern template class MatWriting<MatView, MatView>;
extern template class MatWriting<Mat, MatView>;

}  // namespace emergence
