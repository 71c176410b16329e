#include "core/training/lane_losses.h"

#include <doctest/doctest.h>

#include <vector>

#include "core/algorithms/context_algorithms.h"
#include "core/base/eigen.h"
#include "core/base/rng.h"
#include "core/tasks/regression.h"
#include "tests/claims/naive/attention_gradients.h"
#include "tests/support/differences.h"

using namespace emergence;

namespace {

struct LossProblem {
    LossProblem(int dimension, int num_layers, int prompts = 21)
        : d(dimension),
          layers(num_layers),
          covariance{eigenvalues_of(Spectrum::paper, d, 1), random_rotation(d, 3)},
          count(prompts),
          sample(draw_gram_sample<double>(covariance, WeightPrior::inverse_covariance, 7, count, 5)) {
        Stream stream(31, Purpose::testing, static_cast<uint32_t>(d * 100 + layers));
        const auto size = static_cast<size_t>(layers * (d + 1) * (d + 1));
        for (auto* weights : {&P, &Q})
            for (size_t i = 0; i < size; ++i) weights->push_back(0.4 * stream.normal());
    }

    RegressionTask task(int p) const {
        return draw_regression_task(covariance, WeightPrior::inverse_covariance, 7, 5, static_cast<uint32_t>(p));
    }
    std::vector<Eigen::MatrixXd> matrices(const std::vector<double>& flat) const {
        std::vector<Eigen::MatrixXd> result;
        for (int l = 0; l < layers; ++l)
            result.emplace_back(Eigen::Map<const RowMajorMatrix>(flat.data() + l * (d + 1) * (d + 1), d + 1, d + 1));
        return result;
    }

    int d, layers;
    Covariance covariance;
    int count;
    GramSample<double> sample;
    std::vector<double> P, Q;
};

}  // namespace

TEST_CASE("loss, gradient and predictions are those of the n-by-n form") {
    for (const int d : {1, 2, 4, 5})
        for (const int layers : {1, 2, 3, 4}) {
            INFO(d, ", ", layers);
            LossProblem problem(d, layers);
            const auto P = problem.matrices(problem.P), Q = problem.matrices(problem.Q);
            std::vector<Eigen::MatrixXd> dP(P.size(), Eigen::MatrixXd::Zero(d + 1, d + 1)), dQ = dP;
            AttentionWithGradient<double> naive(P, Q, layers);
            const auto loss = make_in_context_loss<double>({d + 1, layers});
            std::vector<double> predictions(static_cast<size_t>(problem.count));
            loss->predict(problem.sample.view(), problem.P.data(), problem.Q.data(), predictions.data());
            double expected = 0;
            for (int p = 0; p < problem.count; ++p) {
                const RegressionTask task = problem.task(p);
                naive.forward(eigen(regression_prompt(task)));
                const double error = task.target() - naive.value();
                expected += error * error / problem.count;
                naive.backward(2 * error / problem.count, dP, dQ);
                CHECK(predictions[static_cast<size_t>(p)] == doctest::Approx(naive.value()).epsilon(1e-9));
            }
            std::vector<double> P_gradient(problem.P.size()), Q_gradient(problem.Q.size());
            const double found = loss->loss(problem.sample.view(), problem.P.data(), problem.Q.data(),
                                            P_gradient.data(), Q_gradient.data());
            CHECK(found == doctest::Approx(expected).epsilon(1e-10));
            double scale = 0;
            for (const auto& part : {dP, dQ})
                for (const auto& M : part) scale = std::max(scale, M.cwiseAbs().maxCoeff());
            const auto dP_found = problem.matrices(P_gradient), dQ_found = problem.matrices(Q_gradient);
            for (size_t l = 0; l < P.size(); ++l) {
                CHECK((dP_found[l] - dP[l]).norm() < 1e-10 * scale);
                CHECK((dQ_found[l] - dQ[l]).norm() < 1e-10 * scale);
            }
        }
}

TEST_CASE("the gradient is the loss's derivative") {
    LossProblem problem(3, 3);
    const auto loss = make_in_context_loss<double>({4, 3});
    const GramView<double> sample = problem.sample.view();
    std::vector<double> dP(problem.P.size()), dQ(problem.Q.size());
    loss->loss(sample, problem.P.data(), problem.Q.data(), dP.data(), dQ.data());
    const auto value = [&] { return loss->loss(sample, problem.P.data(), problem.Q.data(), nullptr, nullptr); };
    CHECK(testing::relative_difference(testing::slopes_by(problem.P, value), dP) < 1e-6);
    CHECK(testing::relative_difference(testing::slopes_by(problem.Q, value), dQ) < 1e-6);
}

TEST_CASE("all instruction sets give the same bits") {
    for (const int d : {2, 3, 5}) {
        LossProblem problem(d, 3, 50);
        std::vector<double> first, first_predictions;
        for (const InstructionSet set : available_instruction_sets()) {
            const auto loss = make_in_context_loss<double>({d + 1, 3}, set);
            std::vector<double> dP(problem.P.size()), dQ(problem.Q.size()), predictions(50);
            std::vector<double> all = {
                loss->loss(problem.sample.view(), problem.P.data(), problem.Q.data(), dP.data(), dQ.data())};
            loss->predict(problem.sample.view(), problem.P.data(), problem.Q.data(), predictions.data());
            for (const auto* part : {&dP, &dQ, &predictions}) all.insert(all.end(), part->begin(), part->end());
            if (first.empty()) first = all;
            CHECK(all == first);
        }
    }
}

TEST_CASE("Lemma 2: with (9) each layer is a step of preconditioned gradient descent") {
    const int d = 5, layers = 4;
    LossProblem problem(d, layers);
    std::vector<Mat> A;
    Stream stream(7, Purpose::testing);
    std::fill(problem.P.begin(), problem.P.end(), 0.0);
    std::fill(problem.Q.begin(), problem.Q.end(), 0.0);
    for (int l = 0; l < layers; ++l) {
        Mat random(d, d);
        for (int i = 0; i < d * d; ++i) random(i) = stream.normal();
        A.push_back(-0.3 * (random + random.transpose()));
        const auto at = [&](int i, int j) { return static_cast<size_t>((l * (d + 1) + i) * (d + 1) + j); };
        for (int i = 0; i < d; ++i)
            for (int j = 0; j < d; ++j) problem.Q[at(i, j)] = A.back()(i, j);
        problem.P[at(d, d)] = 1;
    }
    for (int l = 1; l <= layers; ++l) {
        const auto loss = make_in_context_loss<double>({d + 1, l});
        for (int p = 0; p < 21; ++p) {
            const Vec w = preconditioned_descent(problem.task(p), A)[static_cast<size_t>(l)];
            // The prediction is linear in the query: unit queries show its weights.
            GramSample<double> units(d + 1, d);
            Mat Z = regression_prompt(problem.task(p));
            for (int k = 0; k < d; ++k) {
                Z.col(7) = Mat::Identity(d + 1, d + 1).col(k);
                units.set(k, Z, 0);
            }
            Vec found(d);
            loss->predict(units.view(), problem.P.data(), problem.Q.data(), found.data());
            CHECK((found - w).norm() < 1e-12 * w.norm());
        }
    }
}
