// The lane form of the softmax transformer against the n-by-n form: values, losses, gradients, sizes, masks,
// mixing and instruction sets.
#include "core/models/softmax_td_windows.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/base/rng.h"
#include "core/models/softmax_td_layer.h"
#include "core/models/softmax_td_naive.h"

using namespace emergence;
using Eigen::MatrixXd;

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
    MatrixXd P, Q;
    double gamma = 0.8, temperature = 0.6;

    explicit WindowsProblem(const WindowsCase& chosen) : c(chosen), shape{c.m, c.layers, c.n, c.batch} {
        Stream stream(23, Purpose::testing, static_cast<uint32_t>(c.n), static_cast<uint32_t>(c.layers));
        for (int t = 0; t < shape.num_times(); ++t) states.push_back(static_cast<int>(stream.uniform() * c.m));
        features = {c.m, c.d, {}};
        for (int i = 0; i < c.m * (c.d + 1); ++i) features.rows.push_back(stream.uniform(-1, 1));
        P = MatrixXd::Zero(c.d + 3, c.d + 3);
        Q = P;
        for (int j = 0; j < c.d + 3; ++j) P(c.d + 2, j) = 0.5 * stream.normal();
        for (double& x : Q.reshaped()) x = 0.6 * stream.normal();
    }
    double feature(int state, int i) const { return features.rows[static_cast<size_t>(state * (c.d + 1) + i)]; }
    MatrixXd prompt(int window) const {
        MatrixXd x(c.d, c.n + 1);
        Eigen::VectorXd rewards(c.n);
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
        for (const MatrixXd* matrix : {&P, &Q})
            for (int i = 0; i < c.d + 3; ++i)
                for (int j = 0; j < c.d + 3; ++j) flat.push_back(static_cast<T>((*matrix)(i, j)));
        return flat;
    }
    struct Naive {
        std::vector<double> values;
        double loss = 0;
        MatrixXd dP, dQ;
    };
    Naive naive() const {
        NaiveSoftmaxTd<double> net({c.layers, gamma, temperature, c.mixing});
        net.set_weights(P, Q);
        Naive answer{{}, 0, MatrixXd::Zero(c.d + 3, c.d + 3), MatrixXd::Zero(c.d + 3, c.d + 3)};
        for (int w = 0; w <= c.batch; ++w) {
            net.forward(prompt(w));
            answer.values.push_back(net.value());
        }
        for (int w = 0; w < c.batch; ++w) {
            const auto at = static_cast<size_t>(w);
            const double reward = feature(states[at + static_cast<size_t>(c.n)], c.d);
            const double delta = reward + gamma * answer.values[at + 1] - answer.values[at];
            answer.loss += delta * delta / c.batch;
            net.forward(prompt(w));
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
        CAPTURE(c.layers);
        CAPTURE(c.n);
        const WindowsProblem problem(c);
        CHECK(distance_to_naive(problem, problem.fast<double>(InstructionSet::generic)) < 1e-12);
    }
}

TEST_CASE("in float it is close, with the same bits on every instruction set") {
    for (const WindowsCase& c : kWindowsCases) {
        CAPTURE(c.layers);
        CAPTURE(c.n);
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
