// The softmax construction by hand, and the trained form's backward pass against finite differences.

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/base/eigen.h"
#include "core/base/rng.h"
#include "core/models/softmax_td_layer.h"
#include "core/models/softmax_td_windows.h"
#include "tests/claims/naive/attention_gradients.h"
#include "tests/support/differences.h"
#include "tests/support/matrices.h"

using namespace emergence;

namespace {

Mat random_matrix(Stream& stream, int rows, int columns, double size) {
    Mat matrix(rows, columns);
    for (double& x : matrix) x = size * stream.normal();
    return matrix;
}

struct SoftmaxProblem {
    int d, n;
    SoftmaxTdWithGradient<double>::Options options;
    Mat Z, P, Q;
    SoftmaxProblem(int features, int context, int layers, double mixing)
        : d(features), n(context), options{layers, 0.8, 0.7, mixing} {
        Stream stream(5, Purpose::testing, static_cast<uint32_t>(layers), static_cast<uint32_t>(context));
        Z = softmax_td_prompt(random_matrix(stream, d, n + 1, 0.6), random_matrix(stream, n, 1, 0.6));
        P = Mat::Zero(d + 3, d + 3);
        P.bottomRows(2) = random_matrix(stream, 2, d + 3, 0.5);
        Q = random_matrix(stream, d + 3, d + 3, 0.5);
    }
    double value(const Mat& p, const Mat& q) const {
        SoftmaxTdWithGradient<double> net(options);
        net.set_weights(eigen(p), eigen(q));
        net.forward(eigen(Z));
        return net.value();
    }
};

// The largest distance to central differences, over the largest entry.
template <class Value>
double difference_error(const Value& value, Mat at, const Mat& gradient) {
    const auto slopes = testing::slopes_by(at, [&] { return value(at); });
    return testing::relative_difference(slopes, std::vector<double>(gradient.begin(), gradient.end()));
}

}  // namespace

TEST_CASE("one layer of the construction, worked out by hand") {
    // d = 1, two transitions from states with x = 0 and 1, rewards 3 and 5, query x = 1.
    const Mat Z = softmax_td_prompt(testing::matrix({{0, 1, 1}}), Vec::of({3, 5}));
    const SoftmaxTdWeights weights = softmax_td_construction(1, 0.5);
    const Mat A = attention_kernel(Z, weights.Q, {});
    const double e = std::exp(1.0), high = e / (1 + e);
    CHECK(A(0, 0) == doctest::Approx(0.5));
    CHECK(A(1, 2) == doctest::Approx(high));
    CHECK(A.row(2).norm() == 0.0);
    const Mat next = temporal_shift_layer(Z, weights, 0.9, {});
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
        const Mat A = attention_kernel(p.Z, p.Q, {.temperature = 0.5, .mixing = mixing});
        for (Index j = 0; j < A.cols(); ++j) CHECK(A.col(j).sum() == doctest::Approx(1.0));
        CHECK(A.row(p.n).norm() == 0.0);
    }
}

TEST_CASE("the trained form is the temporal-shift layer, applied over and over") {
    for (const double mixing : {0.0, 0.3}) {
        const SoftmaxProblem p(2, 5, 3, mixing);
        SoftmaxTdWithGradient<double> net(p.options);
        net.set_weights(eigen(p.P), eigen(p.Q));
        Mat Z = p.Z;
        for (int l = 0; l < 3; ++l)
            Z = temporal_shift_layer(Z, {p.P, p.Q}, 0.8, {.temperature = 0.7, .mixing = mixing});
        CHECK((mat_of(net.forward(eigen(p.Z))) - Z).cwiseAbs().maxCoeff() < 1e-13);
    }
}

TEST_CASE("the trained form's gradient equals finite differences, and row d+2 of P has none") {
    for (const double mixing : {0.0, 0.3})
        for (const int layers : {1, 2, 3}) {
            INFO(layers, ", ", mixing);
            const SoftmaxProblem p(2, 5, layers, mixing);
            SoftmaxTdWithGradient<double> net(p.options);
            net.set_weights(eigen(p.P), eigen(p.Q));
            net.forward(eigen(p.Z));
            Eigen::MatrixXd dP = Eigen::MatrixXd::Zero(5, 5), dQ = dP;
            net.backward(1.0, dP, dQ);
            CHECK(dP.row(3).norm() == 0.0);
            CHECK(difference_error([&](const Mat& x) { return p.value(x, p.Q); }, p.P, mat_of(dP)) < 1e-6);
            CHECK(difference_error([&](const Mat& x) { return p.value(p.P, x); }, p.Q, mat_of(dQ)) < 1e-6);
        }
}

// The lane form of the softmax transformer against the n-by-n form: values, losses, gradients, sizes, masks,
// mixing and instruction sets.

namespace {

struct WindowsCase {
    int m, d, layers, n, batch;
    double mixing;
};

struct WindowsProblem {
    WindowsCase c;
    SoftmaxTdShape shape;
    std::vector<int> states;
    StateFeatures<double> features;
    Mat P, Q;
    double gamma = 0.8, temperature = 0.6;

    explicit WindowsProblem(const WindowsCase& chosen) : c(chosen), shape{c.m, c.layers, c.n, c.batch} {
        Stream stream(23, Purpose::testing, static_cast<uint32_t>(c.n), static_cast<uint32_t>(c.layers));
        for (int t = 0; t < shape.num_times(); ++t) states.push_back(static_cast<int>(stream.uniform() * c.m));
        features = {c.m, c.d, {}};
        for (int i = 0; i < c.m * (c.d + 1); ++i) features.rows.push_back(stream.uniform(-1, 1));
        P = Mat::Zero(c.d + 3, c.d + 3);
        Q = P;
        for (int j = 0; j < c.d + 3; ++j) P(c.d + 2, j) = 0.5 * stream.normal();
        for (double& x : Q) x = 0.6 * stream.normal();
    }
    double feature(int state, int i) const { return features.rows[static_cast<size_t>(state * (c.d + 1) + i)]; }
    Mat prompt(int window) const {
        Mat x(c.d, c.n + 1);
        Vec rewards(c.n);
        for (int k = 0; k <= c.n; ++k) {
            const int s = states[static_cast<size_t>(window + k)];
            for (int i = 0; i < c.d; ++i) x(i, k) = feature(s, i);
            if (k < c.n) rewards[k] = feature(s, c.d);
        }
        return softmax_td_prompt(x, rewards);
    }
    template <class T>
    StateFeatures<T> features_as() const {
        return {features.num_states, features.d, {features.rows.begin(), features.rows.end()}};
    }
    template <class T>
    std::vector<T> weights() const {
        std::vector<T> flat;
        for (const Mat* matrix : {&P, &Q})
            for (int i = 0; i < c.d + 3; ++i)
                for (int j = 0; j < c.d + 3; ++j) flat.push_back(static_cast<T>((*matrix)(i, j)));
        return flat;
    }
    struct Naive {
        std::vector<double> values;
        double loss = 0;
        Eigen::MatrixXd dP, dQ;
    };
    Naive naive() const {
        SoftmaxTdWithGradient<double> net({c.layers, gamma, temperature, c.mixing});
        net.set_weights(eigen(P), eigen(Q));
        const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(c.d + 3, c.d + 3);
        Naive answer{{}, 0, zero, zero};
        for (int w = 0; w <= c.batch; ++w) {
            net.forward(eigen(prompt(w)));
            answer.values.push_back(net.value());
        }
        for (int w = 0; w < c.batch; ++w) {
            const auto at = static_cast<size_t>(w);
            const double reward = feature(states[at + static_cast<size_t>(c.n)], c.d);
            const double delta = reward + gamma * answer.values[at + 1] - answer.values[at];
            answer.loss += delta * delta / c.batch;
            net.forward(eigen(prompt(w)));
            net.backward(-2 * delta / c.batch, answer.dP, answer.dQ);
        }
        return answer;
    }
    template <class T>
    struct Fast {
        std::vector<T> values, gradient;
        T loss;
    };
    template <class T>
    Fast<T> fast(InstructionSet set) const {
        const auto x = features_as<T>();
        const auto w = weights<T>();
        std::vector<T> rewards, tables(static_cast<size_t>(SoftmaxTdTables{c.m}.size())), by_table(tables.size());
        for (int s = 0; s < c.m; ++s) rewards.push_back(static_cast<T>(feature(s, c.d)));
        softmax_td_tables(x, w.data(), static_cast<T>(temperature), tables.data());
        const SoftmaxTdInput<T> in{states.data(), rewards.data(), tables.data(), static_cast<T>(gamma),
                                   static_cast<T>(c.mixing)};
        const auto windows = make_softmax_td_windows<T>(shape, set);
        Fast<T> answer{std::vector<T>(static_cast<size_t>(c.batch)), std::vector<T>(w.size()), T(0)};
        windows->values(in, answer.values.data());
        answer.loss = windows->td_loss(in, by_table.data());
        softmax_td_weight_gradient(x, by_table.data(), static_cast<T>(temperature), answer.gradient.data());
        return answer;
    }
};

template <class T>
double distance_to_naive(const WindowsProblem& problem, const WindowsProblem::Fast<T>& fast) {
    const WindowsProblem::Naive naive = problem.naive();
    double worst = std::abs(static_cast<double>(fast.loss) - naive.loss) / naive.loss, scale = 0;
    for (size_t w = 0; w < fast.values.size(); ++w)
        worst = std::max(worst, std::abs(static_cast<double>(fast.values[w]) - naive.values[w]));
    const int D = problem.c.d + 3;
    double gradient = 0;
    for (int half = 0; half < 2; ++half)
        for (int i = half == 0 ? D - 2 : 0; i < D; ++i)  // P's other rows are masked
            for (int j = 0; j < D; ++j) {
                const double wanted = half == 0 ? naive.dP(i, j) : naive.dQ(i, j);
                const auto at = static_cast<size_t>((half * D + i) * D + j);
                gradient = std::max(gradient, std::abs(static_cast<double>(fast.gradient[at]) - wanted));
                scale = std::max(scale, std::abs(wanted));
            }
    return std::max(worst, gradient / scale);
}

const WindowsCase kWindowsCases[] = {{3, 1, 1, 1, 1, 0.0},    {4, 2, 1, 5, 16, 0.0},  {5, 3, 2, 7, 20, 0.0},
                                     {10, 4, 3, 30, 64, 0.0}, {5, 8, 3, 12, 33, 0.3}, {6, 2, 4, 9, 7, 0.25}};

}  // namespace

TEST_CASE("in double the lane form is the n-by-n form: values, loss and gradients") {
    for (const WindowsCase& c : kWindowsCases) {
        INFO(c.layers, ", ", c.n);
        const WindowsProblem problem(c);
        CHECK(distance_to_naive(problem, problem.fast<double>(InstructionSet::generic)) < 1e-12);
    }
}

TEST_CASE("in float it is close, with the same bits on every instruction set") {
    for (const WindowsCase& c : kWindowsCases) {
        INFO(c.layers, ", ", c.n);
        const WindowsProblem problem(c);
        const auto first = problem.fast<float>(InstructionSet::generic);
        CHECK(distance_to_naive(problem, first) < 2e-4);
        for (const InstructionSet set : available_instruction_sets()) {
            CAPTURE(name_of(set));
            const auto other = problem.fast<float>(set);
            CHECK(other.loss == first.loss);
            CHECK(other.values == first.values);
            CHECK(other.gradient == first.gradient);
        }
    }
}

TEST_CASE("scores far apart neither overflow nor leave a column without a source") {
    WindowsProblem problem({4, 2, 2, 6, 16, 0.0});
    problem.temperature = 1e-3;
    const auto fast = problem.fast<float>(InstructionSet::generic);
    for (const float v : fast.values) CHECK(std::isfinite(v));
    for (const float g : fast.gradient) CHECK(std::isfinite(g));
}
