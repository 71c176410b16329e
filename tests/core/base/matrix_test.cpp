// Every operation gives the bits of Eigen's expression, for whole matrices and for parts.
#include "core/base/matrix.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/linear_algebra.h"
#include "core/base/rng.h"

using namespace emergence;

namespace {

template <class Expression>
bool same(const ConstMatView& a, const Expression& b) {
    return a == mat_of(b);
}

}  // namespace

TEST_CASE("products, sums and functions of entries have the bits of Eigen's") {
    Stream stream(3, Purpose::features);
    for (const Index n : {2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 64})
        for (const Index m : {2, 3, 6, 9, 17, 40}) {
            CAPTURE(n);
            CAPTURE(m);
            const Mat a = normal_matrix(stream, n, m, 1), b = normal_matrix(stream, m, n, 1),
                      v = normal_matrix(stream, m, 1, 1), w = normal_matrix(stream, n, 1, 1);
            const Eigen::MatrixXd A = eigen(a), B = eigen(b);
            const Eigen::VectorXd V = eigen(v), W = eigen(w);
            CHECK(same(a * b, A * B));
            CHECK(same(a * a.transpose(), A * A.transpose()));
            CHECK(same(a.transpose() * a, A.transpose() * A));
            CHECK(same(a.transpose() * b.transpose(), A.transpose() * B.transpose()));
            CHECK(same(a * v, A * V));
            CHECK(same(a.transpose() * w, A.transpose() * W));
            CHECK(same(w.transpose() * a, W.transpose() * A));
            CHECK(same(v * w.transpose(), V * W.transpose()));
            CHECK(same(3.0 * (a * v), 3.0 * A * V));
            CHECK(same(-(a * v) / 7.0, -A * V / 7.0));
            CHECK(same(w + a * v, W + A * V));
            CHECK(same(v.asDiagonal() * b, V.asDiagonal() * B));
            CHECK(same(a * v.asDiagonal() * b, A * V.asDiagonal() * B));
            CHECK(same(a.cwiseExp(), A.array().exp().matrix()));
            CHECK(same(a.cwiseAbs().cwiseLog(), A.array().abs().log().matrix()));
            CHECK(same(a.cwiseAbs().cwisePow(0.3), A.array().abs().pow(0.3).matrix()));
            CHECK(same(a.rowSums(), A.rowwise().sum()));
            CHECK(a.sum() == A.sum());
            CHECK(a.mean() == A.mean());
            CHECK(a.norm() == A.norm());
            CHECK((a * b).trace() == (A * B).eval().trace());
            CHECK(v.dot(b.col(0)) == V.dot(B.col(0)));
            CHECK(a.row(0).dot(v) == A.row(0).dot(V));
            CHECK(a.row(n - 1).sum() == A.row(n - 1).sum());
            CHECK(a.maxCoeff() == A.maxCoeff());
            for (Index j = 0; j < m; ++j) {
                CHECK(a.col(j).sum() == A.col(j).sum());
                CHECK(a.col(j).squaredNorm() == A.col(j).squaredNorm());
            }
            const Index p = (n + 1) / 2, q = m / 2 + 1;
            CHECK(a.topLeftCorner(p, q).squaredNorm() == A.topLeftCorner(p, q).squaredNorm());
            CHECK(a.bottomRows(p).rightCols(q).sum() == A.bottomRightCorner(p, q).sum());
            CHECK(same(a.topRows(p) * v, A.topRows(p) * V));
            CHECK(same(a.bottomRows(p).rightCols(q) * b.topLeftCorner(q, p),
                       A.bottomRightCorner(p, q) * B.topLeftCorner(q, p)));
            CHECK(
                same(a.rightCols(q) * b.row(0).head(1).transpose().dot(v.head(1)), A.rightCols(q) * (B(0, 0) * V(0))));
        }
}

TEST_CASE("parts are written in place, and what is copied has entries of its own") {
    Mat a(3, 4);
    a.row(1).setConstant(2.0);
    a.col(3).tail(2) += Vec::of({5, 7});
    a.block(0, 0, 2, 2).diagonal() = Vec::of({1, 3});
    a.middleCols(1, 2) *= 2.0;
    CHECK(Mat(a.row(0)) == Vec::of({1, 0, 0, 0}).transpose());
    CHECK(Mat(a.row(1)) == Vec::of({2, 6, 4, 7}).transpose());
    CHECK(Mat(a.row(2)) == Vec::of({0, 0, 0, 7}).transpose());
    Mat b = a;
    const Vec row = a.row(1);
    CHECK(row.rows() == 4);
    CHECK(row[1] == 6);
    CHECK_THROWS_AS(row.dot(Vec(a)), InvariantError);
    a.diagonal() += 1.0;
    CHECK(a(1, 1) == 7);
    a.col(0) = a.col(1);
    CHECK(b(0, 0) == 1);
    Mat moved = std::move(b);
    CHECK(moved(1, 1) == 6);
    CHECK(b.size() == 0);  // NOLINT(bugprone-use-after-move)
    moved = moved.transpose() * moved;
    CHECK(moved.rows() == 4);
    const double rows[] = {1, 2, 3, 4, 5, 6};
    CHECK(ConstMatView::by_rows(rows, 2, 3)(1, 0) == 4);
    CHECK(ConstMatView::by_cols(rows, 2, 3)(1, 0) == 2);
    CHECK_THROWS_AS(a += b, InvariantError);
    CHECK_THROWS_AS(a * a, InvariantError);
    CHECK(std::isnan(Vec::of({1, std::nan(""), 2}).maxCoeff()));
    CHECK(std::isnan(Vec::of({std::nan(""), 1, 2}).minCoeff()));
    CHECK_FALSE(Vec::of({1, std::numeric_limits<double>::infinity()}).allFinite());
}
