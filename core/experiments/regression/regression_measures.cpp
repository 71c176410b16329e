#include "core/experiments/regression/regression_study.h"

#include <fmt/format.h>

#include <limits>

#include "core/algorithms/regression_descent.h"
#include "core/base/rng.h"
#include "core/base/statistics.h"
#include "core/measures/invariant_set.h"
#include "core/models/attention_naive.h"
#include "core/tasks/regression.h"
#include "core/training/in_context_weights.h"

namespace emergence {
namespace {

constexpr int kDimension = 5, kRegressionLayers = 8, kPairs = 20, kRegressionTrials = 30;

enum class LemmaFlaw { none, scale, mask, transposed };

// Lemma 2 on one prompt with random A_l: the largest relative difference over layers of the transformer's
// prediction in the n-by-n form from preconditioned gradient descent,
//     |value_l - <w_l, query>| / (|query| |w_l|)
double lemma_2_difference(LemmaFlaw flaw, uint32_t trial) {
    Stream stream(2, Purpose::testing, trial);
    const Covariance covariance{eigenvalues_of(Spectrum::paper, kDimension, 1), random_rotation(kDimension, trial)};
    const RegressionTask task = draw_regression_task(covariance, WeightPrior::inverse_covariance, kPairs, 2, trial);
    std::vector<Eigen::MatrixXd> steps, P, Q;
    const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(kDimension + 1, kDimension + 1);
    for (int l = 0; l < kRegressionLayers; ++l) {
        Eigen::MatrixXd S(kDimension, kDimension);
        for (Eigen::Index i = 0; i < S.size(); ++i) S(i) = 0.3 * stream.normal();
        // A is symmetric in the paper; otherwise the step has A'.
        const Eigen::MatrixXd A = flaw == LemmaFlaw::transposed ? S : Eigen::MatrixXd((S + S.transpose()) / 2);
        steps.push_back(A);
        P.push_back(zero);
        P.back()(kDimension, kDimension) = 1;
        Q.push_back(zero);
        Q.back().topLeftCorner(kDimension, kDimension) = flaw == LemmaFlaw::scale ? Eigen::MatrixXd(1.000001 * A) : A;
    }
    Eigen::MatrixXd prompt = regression_prompt(task);
    if (flaw == LemmaFlaw::mask) {
        // Without the mask the query's column would act like this copy of it in the context.
        Eigen::MatrixXd longer(prompt.rows(), prompt.cols() + 1);
        longer << prompt, prompt.rightCols(1);
        prompt = longer;
    }
    const auto iterates = preconditioned_descent(task, steps);
    double largest = 0;
    for (int l = 1; l <= kRegressionLayers; ++l) {
        NaiveAttention<double> network({P.begin(), P.begin() + l}, {Q.begin(), Q.begin() + l}, l);
        network.forward(prompt);
        const Eigen::VectorXd& w = iterates[static_cast<size_t>(l)];
        largest = larger(largest, std::abs(network.value() - w.dot(task.query)) / (task.query.norm() * w.norm()));
    }
    return largest;
}

Measurement lemma_2() {
    double largest = 0;
    for (uint32_t t = 0; t < kRegressionTrials; ++t) largest = larger(largest, lemma_2_difference(LemmaFlaw::none, t));
    return {largest, fmt::format("d = {}, n = {}, {} layers, {} prompts", kDimension, kPairs, kRegressionLayers,
                                 kRegressionTrials)};
}

Measurement lemma_2_with(LemmaFlaw flaw) {
    double least = std::numeric_limits<double>::infinity();
    for (uint32_t t = 0; t < kRegressionTrials; ++t) least = smaller(least, lemma_2_difference(flaw, t));
    return {least};
}

// ---- Theorems 4 and 5

// Prompts that show no direction: each is taken in all signed permutations of the whitened coordinates, which do not
// change their distribution.
GramSample<double> symmetric_prompts(const Covariance& covariance, int n, uint32_t tasks) {
    const auto d = static_cast<int>(covariance.d());
    const auto maps = signed_permutations(d);
    GramSample<double> sample(d + 1, static_cast<int>(tasks * maps.size()));
    const Eigen::MatrixXd root = covariance.power(0.5), inverse_root = covariance.power(-0.5);
    int prompt = 0;
    for (uint32_t t = 0; t < tasks; ++t) {
        const RegressionTask task = draw_regression_task(covariance, WeightPrior::inverse_covariance, n, 4, t);
        for (const Eigen::MatrixXd& map : maps) {
            const Eigen::MatrixXd turn = root * map * inverse_root;
            const RegressionTask turned{turn * task.X, turn * task.query, inverse_root * map * root * task.w_star};
            sample.set(prompt++, regression_prompt(turned), turned.target());
        }
    }
    return sample;
}

// The loss's gradient by all A_i (and B_i) at the best multiples of `shape`'s matrix, over the gradient at small ones.
Measurement gradient_at_best(bool moved, bool of_inverse_covariance) {
    constexpr int kSize = 3, kLayers = 3;
    const Covariance covariance{eigenvalues_of(Spectrum::geometric, kSize, 16), random_rotation(kSize, 5)};
    const GramSample<double> prompts = symmetric_prompts(covariance, 10, 30);
    const WeightFamily family = layer_scalars(
        of_inverse_covariance ? covariance.power(-1) : Eigen::MatrixXd::Identity(kSize, kSize), kLayers, moved);
    const auto loss = make_in_context_loss<double>(family.offset.shape());
    const auto norm = [&](const Eigen::VectorXd& theta) {
        Eigen::VectorXd gradient;
        loss_of(*loss, prompts.view(), family.at(theta).flat, gradient);
        project(moved ? Restriction::moved_points : Restriction::steps, kSize, kLayers, gradient);
        return gradient.norm();
    };
    const FamilyMinimum best = minimise(family, prompts.view());
    return {norm(best.theta) / norm(Eigen::VectorXd::Zero(best.theta.size())),
            fmt::format("{} layers, d = {}, loss {:.3f}", kLayers, kSize, best.loss)};
}

Measurement isotropic_closed_form() {
    double largest = 0;
    for (const int n : {1, 5, 20, 100})
        for (const int d : {1, 5, 20}) {
            const Eigen::VectorXd ours = one_layer_preconditioner(Eigen::VectorXd::Ones(d), WeightPrior::identity, n);
            const double theirs = 1 / ((n - 1.0) / n + (d + 2.0) / n);
            largest = larger(largest, (ours.array() / theirs - 1).abs().maxCoeff());
        }
    return {largest, "n = 1, 5, 20, 100 by d = 1, 5, 20"};
}

}  // namespace

std::vector<NamedMeasure> regression_measures() {
    return {{"lemma-2", lemma_2},
            {"lemma-2-scale", [] { return lemma_2_with(LemmaFlaw::scale); }},
            {"lemma-2-mask", [] { return lemma_2_with(LemmaFlaw::mask); }},
            {"lemma-2-transposed", [] { return lemma_2_with(LemmaFlaw::transposed); }},
            {"regression-isotropic", isotropic_closed_form},
            {"regression-theorem-4", [] { return gradient_at_best(false, true); }},
            {"regression-theorem-5", [] { return gradient_at_best(true, true); }},
            {"regression-theorem-4-identity", [] { return gradient_at_best(false, false); }}};
}

}  // namespace emergence
