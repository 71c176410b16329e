// The softmax construction by hand, and the trained form's backward pass against finite differences.
#include "core/models/softmax_td_layer.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/rng.h"
#include "core/models/softmax_td_naive.h"

using namespace emergence;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

MatrixXd random_matrix(Stream& stream, int rows, int columns, double size) {
    MatrixXd matrix(rows, columns);
    for (double& x : matrix.reshaped()) x = size * stream.normal();
    return matrix;
}

struct SoftmaxProblem {
    int d, n;
    NaiveSoftmaxTd<double>::Options options;
    MatrixXd Z, P, Q;
    SoftmaxProblem(int features, int context, int layers, double mixing)
        : d(features), n(context), options{layers, 0.8, 0.7, mixing} {
        Stream stream(5, Purpose::testing, static_cast<uint32_t>(layers), static_cast<uint32_t>(context));
        Z = softmax_td_prompt(random_matrix(stream, d, n + 1, 0.6), random_matrix(stream, n, 1, 0.6).col(0));
        P = MatrixXd::Zero(d + 3, d + 3);
        P.bottomRows(2) = random_matrix(stream, 2, d + 3, 0.5);
        Q = random_matrix(stream, d + 3, d + 3, 0.5);
    }
    double value(const MatrixXd& p, const MatrixXd& q) const {
        NaiveSoftmaxTd<double> net(options);
        net.set_weights(p, q);
        net.forward(Z);
        return net.value();
    }
};

// The largest distance to central differences, over the largest entry.
template <class Value>
double difference_error(const Value& value, MatrixXd at, const MatrixXd& gradient) {
    double worst = 0;
    for (double& x : at.reshaped()) {
        const double h = 1e-5, middle = x;
        x = middle + h;
        const double up = value(at);
        x = middle - h;
        const double down = value(at);
        x = middle;
        worst = std::max(worst, std::abs((up - down) / (2 * h) - gradient.data()[&x - at.data()]));
    }
    return worst / gradient.cwiseAbs().maxCoeff();
}

}  // namespace

TEST_CASE("one layer of the construction, worked out by hand") {
    // d = 1, two transitions from states with x = 0 and 1, rewards 3 and 5, query x = 1.
    MatrixXd features(1, 3);
    features << 0, 1, 1;
    VectorXd rewards(2);
    rewards << 3, 5;
    const MatrixXd Z = softmax_td_prompt(features, rewards);
    const SoftmaxTdWeights weights = softmax_td_construction(1, 0.5);
    const MatrixXd A = attention_kernel(Z, weights.Q, {});
    const double e = std::exp(1.0), high = e / (1 + e);
    CHECK(A(0, 0) == doctest::Approx(0.5));
    CHECK(A(1, 2) == doctest::Approx(high));
    CHECK(A.row(2).norm() == 0.0);
    const MatrixXd next = temporal_shift_layer(Z, weights, 0.9, {});
    const double query = 0.5 * ((1 - high) * 3 + high * 5);
    CHECK(next(3, 2) == doctest::Approx(query).epsilon(1e-14));
    CHECK(next(3, 0) == doctest::Approx(2.0));
    CHECK(next(2, 1) == doctest::Approx(0.9 * query).epsilon(1e-14));
    CHECK(next(2, 2) == 0.0);
    CHECK((next.topRows(2) - Z.topRows(2)).norm() == 0.0);
    CHECK((next - dual_head_layer(Z, weights, 0.9, {})).norm() < 1e-14);
}

TEST_CASE("columns of the softmax kernel sum to 1, mixed or not, and the query is never a source") {
    const SoftmaxProblem p(3, 6, 1, 0.0);
    for (const double mixing : {0.0, 0.4}) {
        const MatrixXd A = attention_kernel(p.Z, p.Q, {.temperature = 0.5, .mixing = mixing});
        for (Eigen::Index j = 0; j < A.cols(); ++j) CHECK(A.col(j).sum() == doctest::Approx(1.0));
        CHECK(A.row(p.n).norm() == 0.0);
    }
}

TEST_CASE("the trained form is the temporal-shift layer, applied over and over") {
    for (const double mixing : {0.0, 0.3}) {
        const SoftmaxProblem p(2, 5, 3, mixing);
        NaiveSoftmaxTd<double> net(p.options);
        net.set_weights(p.P, p.Q);
        MatrixXd Z = p.Z;
        for (int l = 0; l < 3; ++l)
            Z = temporal_shift_layer(Z, {p.P, p.Q}, 0.8, {.temperature = 0.7, .mixing = mixing});
        CHECK((net.forward(p.Z) - Z).cwiseAbs().maxCoeff() < 1e-13);
    }
}

TEST_CASE("the trained form's gradient equals finite differences, and row d+2 of P has none") {
    for (const double mixing : {0.0, 0.3})
        for (const int layers : {1, 2, 3}) {
            CAPTURE(layers);
            CAPTURE(mixing);
            const SoftmaxProblem p(2, 5, layers, mixing);
            NaiveSoftmaxTd<double> net(p.options);
            net.set_weights(p.P, p.Q);
            net.forward(p.Z);
            MatrixXd dP = MatrixXd::Zero(5, 5), dQ = dP;
            net.backward(1.0, dP, dQ);
            CHECK(dP.row(3).norm() == 0.0);
            CHECK(difference_error([&](const MatrixXd& x) { return p.value(x, p.Q); }, p.P, dP) < 1e-6);
            CHECK(difference_error([&](const MatrixXd& x) { return p.value(p.P, x); }, p.Q, dQ) < 1e-6);
        }
}
