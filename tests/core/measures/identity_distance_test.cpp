#include "core/measures/identity_distance.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/tasks/regression.h"

using namespace emergence;

TEST_CASE("the distance from the identity is that of the best multiple") {
    CHECK(identity_distance(-3 * Eigen::MatrixXd::Identity(4, 4)) == doctest::Approx(0));
    const Eigen::MatrixXd M = Eigen::Vector2d(3, 1).asDiagonal();  // 2 I + diag(1, -1)
    CHECK(identity_distance(M) == doctest::Approx(std::sqrt(2.0 / 10.0)));
    CHECK(identity_distance(Eigen::MatrixXd::Zero(2, 2)) == 1.0);
    Eigen::MatrixXd skew = Eigen::MatrixXd::Zero(2, 2);
    skew(0, 1) = 1;
    skew(1, 0) = -1;
    CHECK(identity_distance(skew) == doctest::Approx(1));
}

TEST_CASE("the error after scaling knows no scale, and a wrong direction") {
    const Eigen::MatrixXd target = Eigen::Vector2d(1, 2).asDiagonal();
    CHECK(error_after_scaling(-7 * target, target) == doctest::Approx(0));
    const Eigen::MatrixXd off = Eigen::Vector2d(1, 0).asDiagonal();
    CHECK(error_after_scaling(off, target) == doctest::Approx(2 / std::sqrt(5.0)));
}

TEST_CASE("a preconditioner's power lies between I and the covariance's inverse") {
    const Eigen::VectorXd eigenvalues = Eigen::Vector3d(0.25, 1, 9);
    for (const double power : {0.0, 0.3, 1.0}) {
        const Eigen::MatrixXd M = -2.0 * Eigen::VectorXd(eigenvalues.array().pow(-power)).asDiagonal();
        CHECK(preconditioner_power(M, eigenvalues) == doctest::Approx(power));
    }
    Eigen::MatrixXd other = Eigen::MatrixXd::Identity(3, 3);
    CHECK(std::isnan(preconditioner_power(other, Eigen::Vector3d(2, 2, 2))));
    other(1, 1) = -1;
    CHECK(std::isnan(preconditioner_power(other, eigenvalues)));
}

TEST_CASE("matrices that share eigenvectors become diagonal together") {
    const Eigen::MatrixXd V = random_rotation(5, 3);
    const auto turned = [&V](std::initializer_list<double> values) {
        Eigen::VectorXd diagonal(5);
        std::copy(values.begin(), values.end(), diagonal.data());
        return Eigen::MatrixXd(V * diagonal.asDiagonal() * V.transpose());
    };
    const JointDiagonalisation joint = diagonalise_jointly({turned({1, 1, 2, 3, 4}), turned({5, -1, 0.5, 0.5, 2})});
    CHECK(joint.off_diagonal_mass < 1e-20);
    CHECK((joint.basis.transpose() * joint.basis - Eigen::MatrixXd::Identity(5, 5)).norm() < 1e-12);
    CHECK((joint.basis * joint.matrices[0] * joint.basis.transpose() - turned({1, 1, 2, 3, 4})).norm() < 1e-12);
}

TEST_CASE("matrices that share none keep mass off the diagonal") {
    const auto symmetric = [](uint64_t seed) {
        const Eigen::MatrixXd R = random_rotation(4, seed);
        return Eigen::MatrixXd(R * Eigen::Vector4d(1, 2, 3, 4).asDiagonal() * R.transpose());
    };
    const JointDiagonalisation joint = diagonalise_jointly({symmetric(1), symmetric(2)});
    CHECK(joint.off_diagonal_mass > 1e-3);
    // No small rotation of the basis does better.
    const auto off = [&](const Eigen::MatrixXd& basis) {
        double sum = 0;
        for (const uint64_t seed : {1, 2}) {
            const Eigen::MatrixXd M = basis.transpose() * symmetric(seed) * basis;
            sum += M.squaredNorm() - M.diagonal().squaredNorm();
        }
        return sum;
    };
    const double least = off(joint.basis);
    for (int p = 0; p < 4; ++p)
        for (int q = p + 1; q < 4; ++q)
            for (const double angle : {-0.01, 0.01}) {
                Eigen::MatrixXd turn = Eigen::MatrixXd::Identity(4, 4);
                turn(p, p) = turn(q, q) = std::cos(angle);
                turn(p, q) = -std::sin(angle);
                turn(q, p) = std::sin(angle);
                CHECK(off(joint.basis * turn) > least);
            }
}
