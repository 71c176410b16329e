#include "core/measures/emergence.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/tasks/regression.h"
#include "tests/support/matrices.h"

using namespace emergence;

TEST_CASE("element-wise numbers by hand, d = 1, negated weights aligned") {
    Table P(3, 3, 0.1), Q(3, 3, 0.2);
    P(2, 2) = -2;
    Q(0, 0) = 4;
    Q(0, 1) = -3;
    const ElementWise e = element_wise(P, Q);
    CHECK(e.sign == -1);
    CHECK(e.p_corner == 2);
    CHECK(e.p_others == doctest::Approx(0.1));
    CHECK(e.q_trace_upper_left == -4);
    CHECK(e.q_trace_upper_right == 3);
    // Seven entries stand outside both traces: signed traces must not leak into their mean.
    CHECK(e.q_others == doctest::Approx(0.2));
    CHECK(lacks_to_emerge(e, 1, 3).empty());
}

TEST_CASE("emerged needs the corner, the reward block and, beyond one layer, the bootstrapping block") {
    Table P(9, 9), Q(9, 9);
    P(8, 8) = 1;
    for (int i = 0; i < 4; ++i) Q(i, i) = -1;
    CHECK(lacks_to_emerge(element_wise(P, Q), 4, 1).empty());
    const std::vector<Lack> lacks = lacks_to_emerge(element_wise(P, Q), 4, 3);
    REQUIRE(lacks.size() == 1);
    CHECK((lacks[0].what == "the trace of Q's upper-right block" && lacks[0].value == 0 && lacks[0].needed == 1));
    for (int i = 0; i < 4; ++i) Q(i, 4 + i) = 0.3;
    CHECK(lacks_to_emerge(element_wise(P, Q), 4, 3).empty());
    P(0, 1) = -1.1;  // another entry of P is larger
    CHECK(lacks_to_emerge(element_wise(P, Q), 4, 3).front().what.starts_with("P's bottom-right entry"));
    P(0, 1) = 0;
    Q(8, 8) = 3;  // the traces are small beside Q's largest entry
    CHECK_FALSE(lacks_to_emerge(element_wise(P, Q), 4, 3).empty());
    CHECK_FALSE(lacks_to_emerge(element_wise(P, Table(9, 9)), 4, 3).empty());
}

TEST_CASE("emerged needs every block that the layer reads and theory says is zero") {
    constexpr int kD = 4, kRows = 9;
    const auto start_of = [](int block) { return block * kD; };
    const auto size_of = [](int block) { return block < 2 ? kD : 1; };
    // TD's weights but for one block of P or Q: its diagonal if it is square, else all of it.
    const auto lacks_with = [&](bool of_P, int row, int column, double size, int layers) {
        Table P(kRows, kRows), Q(kRows, kRows);
        P(8, 8) = 2;
        for (int i = 0; i < kD; ++i) Q(i, i) = -3, Q(i, kD + i) = 2;
        Table& changed = of_P ? P : Q;
        for (int i = 0; i < size_of(row); ++i)
            for (int j = 0; j < size_of(column); ++j)
                if (row == 2 || column == 2 || i == j)
                    changed(start_of(row) + i, start_of(column) + j) = -size * (of_P ? 2 : 3);
        return lacks_to_emerge(element_wise(P, Q), kD, layers);
    };
    for (const bool of_P : {true, false})
        for (int row = 0; row < 3; ++row)
            for (int column = 0; column < 3; ++column) {
                if (of_P ? row == 2 && column == 2 : row == 0 && column < 2) continue;  // theory's own
                INFO(of_P, ", ", row, ", ", column);
                CHECK(lacks_with(of_P, row, column, 0.29, 3).empty());
                const std::vector<Lack> lacks = lacks_with(of_P, row, column, 0.31, 3);
                REQUIRE(lacks.size() == 1);
                CHECK(lacks[0].value == doctest::Approx(0.31));
                CHECK((lacks[0].needed == kVisibleBlock && !lacks[0].more));
                const bool one_layer_reads = of_P ? row == 2 : column == 0;
                CHECK(lacks_with(of_P, row, column, 0.31, 1).empty() == !one_layer_reads);
            }
    CHECK(lacks_with(false, 1, 0, 0.4, 3)[0].what == "Q's block of \u03b3\u03c6' and \u03c6");
}

namespace {

// d = 2, D = 5. P's last row, then Q's feature block.
std::vector<float> weights(std::vector<float> row, std::vector<float> block) {
    std::vector<float> w(50, 0.0F);
    for (size_t i = 0; i < 5; ++i) w[20 + i] = row[i];
    w[25] = block[0], w[26] = block[1], w[30] = block[2], w[31] = block[3];
    return w;
}

}  // namespace

TEST_CASE("the construction scores 1 and 1, with every lamp lit") {
    const auto w = weights({0, 0, 1, 1, -1}, {3, 0, 0, 3});
    const SoftmaxEmergence e = softmax_emergence(w.data(), 2);
    CHECK(e.v_emergence == doctest::Approx(1.0));
    CHECK(e.a_emergence == doctest::Approx(1.0));
    CHECK((e.reward_lamp() && e.bootstrap_lamp() && e.current_lamp() && e.positive_lamp()));
    CHECK(e.others == 0.0);
}

TEST_CASE("V is the least over the largest coefficient, and 0 where a sign is wrong") {
    auto w = weights({0.5F, -0.25F, 2, 0.5F, -1}, {1, 0, 0, 1});
    CHECK(softmax_emergence(w.data(), 2).v_emergence == doctest::Approx(0.25));
    CHECK(softmax_emergence(w.data(), 2).others == doctest::Approx(0.375));
    w = weights({0, 0, 2, 0.5F, 1}, {1, 0, 0, 1});
    CHECK(softmax_emergence(w.data(), 2).v_emergence == 0.0);
    CHECK_FALSE(softmax_emergence(w.data(), 2).current_lamp());
}

TEST_CASE("A is diagonality times comparability, and blind to Q's sign") {
    // Columns (3, 1) and (-1, 1): shares 3/4 and 1/2 of the mass; diagonal 3 and 1: mean 2, deviation 1.
    auto w = weights({0, 0, 1, 1, -1}, {3, -1, 1, 1});
    const double wanted = 0.625 / 1.5;
    CHECK(softmax_emergence(w.data(), 2).a_emergence == doctest::Approx(wanted));
    CHECK(softmax_emergence(w.data(), 2).q_others == doctest::Approx(1.0));
    for (size_t i = 25; i < 50; ++i) w[i] = -w[i];
    CHECK(softmax_emergence(w.data(), 2).a_emergence == doctest::Approx(wanted));
    CHECK_FALSE(softmax_emergence(w.data(), 2).positive_lamp());
}

TEST_CASE("the distance from the identity is that of the best multiple") {
    CHECK(identity_distance(-3 * Mat::Identity(4, 4)) == doctest::Approx(0));
    const Mat M = testing::matrix({{3, 0}, {0, 1}});  // 2 I + diag(1, -1)
    CHECK(identity_distance(M) == doctest::Approx(std::sqrt(2.0 / 10.0)));
    CHECK(identity_distance(Mat::Zero(2, 2)) == 1.0);
    Mat skew = Mat::Zero(2, 2);
    skew(0, 1) = 1;
    skew(1, 0) = -1;
    CHECK(identity_distance(skew) == doctest::Approx(1));
}

TEST_CASE("the error after scaling knows no scale, and a wrong direction") {
    const Mat target = testing::matrix({{1, 0}, {0, 2}});
    CHECK(error_after_scaling(-7 * target, target) == doctest::Approx(0));
    const Mat off = testing::matrix({{1, 0}, {0, 0}});
    CHECK(error_after_scaling(off, target) == doctest::Approx(2 / std::sqrt(5.0)));
}

TEST_CASE("a preconditioner's power lies between I and the covariance's inverse") {
    const Vec eigenvalues = Vec::of({0.25, 1, 9});
    for (const double power : {0.0, 0.3, 1.0}) {
        Mat M = Mat::Zero(3, 3);
        M.diagonal() = -2.0 * eigenvalues.cwisePow(-power);
        CHECK(preconditioner_power(M, eigenvalues) == doctest::Approx(power));
    }
    Mat other = Mat::Identity(3, 3);
    CHECK(std::isnan(preconditioner_power(other, Vec::of({2, 2, 2}))));
    other(1, 1) = -1;
    CHECK(std::isnan(preconditioner_power(other, eigenvalues)));
}

TEST_CASE("matrices that share eigenvectors become diagonal together") {
    const Mat V = random_rotation(5, 3);
    const auto turned = [&V](std::initializer_list<double> values) {
        return V * Vec::of(values).asDiagonal() * V.transpose();
    };
    const JointDiagonalisation joint = diagonalise_jointly({turned({1, 1, 2, 3, 4}), turned({5, -1, 0.5, 0.5, 2})});
    CHECK(joint.off_diagonal_mass < 1e-20);
    CHECK((joint.basis.transpose() * joint.basis - Mat::Identity(5, 5)).norm() < 1e-12);
    CHECK((joint.basis * joint.matrices[0] * joint.basis.transpose() - turned({1, 1, 2, 3, 4})).norm() < 1e-12);
}

TEST_CASE("matrices that share none keep mass off the diagonal") {
    const auto symmetric = [](uint64_t seed) {
        const Mat R = random_rotation(4, seed);
        return R * Vec::of({1, 2, 3, 4}).asDiagonal() * R.transpose();
    };
    const JointDiagonalisation joint = diagonalise_jointly({symmetric(1), symmetric(2)});
    CHECK(joint.off_diagonal_mass > 1e-3);
    // No small rotation of the basis does better.
    const auto off = [&](const Mat& basis) {
        double sum = 0;
        for (const uint64_t seed : {1, 2}) {
            const Mat M = basis.transpose() * symmetric(seed) * basis;
            sum += M.squaredNorm() - M.diagonal().squaredNorm();
        }
        return sum;
    };
    const double least = off(joint.basis);
    for (int p = 0; p < 4; ++p)
        for (int q = p + 1; q < 4; ++q)
            for (const double angle : {-0.01, 0.01}) {
                Mat turn = Mat::Identity(4, 4);
                turn(p, p) = turn(q, q) = std::cos(angle);
                turn(p, q) = -std::sin(angle);
                turn(q, p) = std::sin(angle);
                CHECK(off(joint.basis * turn) > least);
            }
}
