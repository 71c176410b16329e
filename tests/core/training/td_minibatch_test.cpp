// The lane kernel against the paper's n-by-n form: values, losses and gradients, every size, depth and
// instruction set.
#include "core/training/lane_losses.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/base/rng.h"
#include "core/models/attention_naive.h"

using namespace emergence;

namespace {

struct MinibatchCase {
    int d, layers, stored, n, batch;
};

// A random trajectory of features and rewards, random weights, and the naive answer.
struct MinibatchProblem {
    explicit MinibatchProblem(const MinibatchCase& chosen)
        : c(chosen), layout(PhasedLayout::of(chosen.n, chosen.batch)), rows(2 * chosen.d + 1) {
        Stream stream(17, Purpose::testing, static_cast<uint32_t>(c.d * 100 + c.layers), static_cast<uint32_t>(c.n));
        const int times = layout.num_states();
        phi = Eigen::MatrixXd(c.d, times);
        reward = Eigen::VectorXd(times);
        for (int t = 0; t < times; ++t) {
            for (int i = 0; i < c.d; ++i) phi(i, t) = stream.uniform(-1, 1);
            reward[t] = stream.uniform(-1, 1);
        }
        for (int l = 0; l < c.stored; ++l) {
            Eigen::MatrixXd p(rows, rows), q(rows, rows);
            for (int i = 0; i < rows; ++i)
                for (int j = 0; j < rows; ++j) {
                    p(i, j) = 0.3 * stream.normal();
                    q(i, j) = 0.3 * stream.normal();
                }
            P.push_back(p);
            Q.push_back(q);
        }
    }

    Eigen::MatrixXd prompt(int window) const {
        Eigen::MatrixXd Z = Eigen::MatrixXd::Zero(rows, c.n + 1);
        for (int k = 0; k < c.n; ++k) {
            Z.col(k).head(c.d) = phi.col(window + k);
            Z.col(k).segment(c.d, c.d) = gamma * phi.col(window + k + 1);
            Z(rows - 1, k) = reward[window + k];
        }
        Z.col(c.n).head(c.d) = phi.col(window + c.n + 1);
        return Z;
    }

    double value(const std::vector<Eigen::MatrixXd>& p, const std::vector<Eigen::MatrixXd>& q, int window) const {
        NaiveAttention<double> net(p, q, c.layers);
        net.forward(prompt(window));
        return net.value();
    }

    // The semi-gradient loss: targets from the unchanged weights.
    double loss(const std::vector<Eigen::MatrixXd>& p, const std::vector<Eigen::MatrixXd>& q) const {
        double sum = 0;
        for (int w = 0; w < c.batch; ++w) {
            const double target = reward[w + c.n + 1] + gamma * value(P, Q, w + 1);
            sum += std::pow(target - value(p, q, w), 2);
        }
        return sum / c.batch;
    }

    double naive_gradient(std::vector<Eigen::MatrixXd>& dP, std::vector<Eigen::MatrixXd>& dQ) const {
        dP.assign(P.size(), Eigen::MatrixXd::Zero(rows, rows));
        dQ = dP;
        double sum = 0;
        for (int w = 0; w < c.batch; ++w) {
            NaiveAttention<double> net(P, Q, c.layers);
            net.forward(prompt(w));
            const double delta = reward[w + c.n + 1] + gamma * value(P, Q, w + 1) - net.value();
            sum += delta * delta;
            net.backward(2 * delta / c.batch, dP, dQ);
        }
        return sum / c.batch;
    }

    template <class T>
    std::vector<T> flat(const std::vector<Eigen::MatrixXd>& matrices) const {
        std::vector<T> result;
        for (const auto& m : matrices)
            for (int i = 0; i < rows; ++i)
                for (int j = 0; j < rows; ++j) result.push_back(static_cast<T>(m(i, j)));
        return result;
    }

    template <class T>
    struct Answer {
        std::vector<T> dP, dQ;
        TdMinibatchResult<T> result;
    };

    template <class T>
    Answer<T> run(InstructionSet set, bool specialised, double alpha = 1.3) const {
        std::vector<T> trajectory(static_cast<size_t>((c.d + 1) * layout.row_size()));
        for (int t = 0; t < layout.num_states(); ++t) {
            for (int i = 0; i < c.d; ++i)
                trajectory[static_cast<size_t>(i * layout.row_size() + layout.at(t))] = static_cast<T>(phi(i, t));
            trajectory[static_cast<size_t>(c.d * layout.row_size() + layout.at(t))] = static_cast<T>(reward[t]);
        }
        const auto p = flat<T>(P), q = flat<T>(Q);
        Answer<T> a;
        a.dP.resize(p.size());
        a.dQ.resize(q.size());
        a.result = {a.dP.data(), a.dQ.data(), T(0), T(0), T(0)};
        auto kernel = make_td_minibatch_kernel<T>(
            {.d = c.d, .context_length = layout.context_length, .layers = c.layers, .stored = c.stored}, layout, set,
            specialised);
        const TdMinibatchInput<T> in{trajectory.data(), static_cast<T>(gamma), p.data(), q.data(),
                                     static_cast<T>(alpha)};
        kernel->run(in, a.result);
        kernel->run(in, a.result);  // a used workspace must not matter
        return a;
    }

    MinibatchCase c;
    PhasedLayout layout;
    int rows;
    double gamma = 0.9;
    Eigen::MatrixXd phi;
    Eigen::VectorXd reward;
    std::vector<Eigen::MatrixXd> P, Q;
};

double relative(const std::vector<double>& a, const std::vector<double>& b) {
    double difference = 0, scale = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        difference = std::max(difference, std::abs(a[i] - b[i]));
        scale = std::max(scale, std::abs(b[i]));
    }
    return difference / scale;
}

const std::vector<MinibatchCase> kMinibatchCases = {
    {1, 1, 1, 1, 1},   {2, 2, 1, 5, 3},    {4, 3, 1, 30, 64}, {4, 3, 3, 30, 64}, {3, 1, 1, 7, 16},
    {4, 4, 1, 13, 20}, {5, 5, 5, 9, 33},   {6, 3, 1, 31, 17}, {8, 3, 1, 60, 64}, {2, 6, 1, 4, 40},
    {4, 2, 2, 30, 64}, {16, 3, 1, 17, 16}, {4, 3, 1, 480, 64}};

}  // namespace

TEST_CASE("the Gram form in lanes equals the n-by-n form in double: loss and gradients") {
    for (const MinibatchCase& c : kMinibatchCases) {
        CAPTURE(c.d);
        CAPTURE(c.layers);
        CAPTURE(c.stored);
        CAPTURE(c.n);
        CAPTURE(c.batch);
        const MinibatchProblem problem(c);
        std::vector<Eigen::MatrixXd> dP, dQ;
        const double loss = problem.naive_gradient(dP, dQ);
        const auto fast = problem.run<double>(InstructionSet::generic, true);
        CHECK(fast.result.loss == doctest::Approx(loss).epsilon(1e-11));
        CHECK(relative(fast.dP, problem.flat<double>(dP)) < 1e-10);
        CHECK(relative(fast.dQ, problem.flat<double>(dQ)) < 1e-10);
    }
}

TEST_CASE("the n-by-n form's gradients equal finite differences to 1e-6 relative") {
    for (const MinibatchCase& c :
         {MinibatchCase{2, 3, 1, 5, 4}, MinibatchCase{3, 2, 2, 6, 3}, MinibatchCase{2, 1, 1, 4, 2}}) {
        const MinibatchProblem problem(c);
        std::vector<Eigen::MatrixXd> dP, dQ;
        problem.naive_gradient(dP, dQ);
        const double h = 1e-6;
        double worst = 0, scale = 0;
        for (size_t l = 0; l < problem.P.size(); ++l)
            for (int i = 0; i < problem.rows; ++i)
                for (int j = 0; j < problem.rows; ++j)
                    for (const bool in_P : {true, false}) {
                        auto up = in_P ? problem.P : problem.Q, down = up;
                        up[l](i, j) += h;
                        down[l](i, j) -= h;
                        const double numeric =
                            in_P ? (problem.loss(up, problem.Q) - problem.loss(down, problem.Q)) / (2 * h)
                                 : (problem.loss(problem.P, up) - problem.loss(problem.P, down)) / (2 * h);
                        const double exact = (in_P ? dP : dQ)[l](i, j);
                        worst = std::max(worst, std::abs(numeric - exact));
                        scale = std::max(scale, std::abs(exact));
                    }
        CHECK(worst / scale < 1e-6);
    }
}

TEST_CASE("batch TD's alpha gradient equals finite differences") {
    const MinibatchProblem problem({4, 3, 1, 30, 64});
    const auto at = problem.run<double>(InstructionSet::generic, true, 1.3);
    // Semi-gradient: the targets' alpha is fixed, so compare with the naive recursion rather than with the
    // loss.
    const double h = 1e-6;
    const auto value = [&](int window, double alpha) {
        Eigen::VectorXd w = Eigen::VectorXd::Zero(4);
        for (int l = 0; l < 3; ++l) {
            Eigen::VectorXd step = Eigen::VectorXd::Zero(4);
            for (int k = 0; k < 30; ++k) {
                const auto phi = problem.phi.col(window + k), next = problem.phi.col(window + k + 1);
                step += (problem.reward[window + k] + 0.9 * w.dot(next) - w.dot(phi)) * phi;
            }
            w += alpha / 30 * step;
        }
        return w.dot(problem.phi.col(window + 31));
    };
    double gradient = 0, loss = 0;
    for (int w = 0; w < 64; ++w) {
        const double delta = problem.reward[w + 31] + 0.9 * value(w + 1, 1.3) - value(w, 1.3);
        loss += delta * delta / 64;
        gradient += -2 * delta / 64 * (value(w, 1.3 + h) - value(w, 1.3 - h)) / (2 * h);
    }
    CHECK(at.result.batch_td_loss == doctest::Approx(loss).epsilon(1e-11));
    CHECK(at.result.alpha_gradient == doctest::Approx(gradient).epsilon(1e-6));
}

TEST_CASE("float kernels agree with double to rounding, and with each other to the bit") {
    for (const MinibatchCase& c : kMinibatchCases) {
        CAPTURE(c.d);
        CAPTURE(c.layers);
        CAPTURE(c.n);
        const MinibatchProblem problem(c);
        const auto exact = problem.run<double>(InstructionSet::generic, true);
        const auto first = problem.run<float>(InstructionSet::generic, false);
        const std::vector<double> wide(first.dP.begin(), first.dP.end());
        CHECK(relative(wide, exact.dP) < 1e-4);
        for (const InstructionSet set : available_instruction_sets())
            for (const bool specialised : {true, false}) {
                const auto other = problem.run<float>(set, specialised);
                CHECK(other.dP == first.dP);
                CHECK(other.dQ == first.dQ);
                CHECK(other.result.loss == first.result.loss);
                CHECK(other.result.alpha_gradient == first.result.alpha_gradient);
            }
    }
}
