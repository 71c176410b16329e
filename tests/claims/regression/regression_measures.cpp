#include "core/experiments/regression/regression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "core/algorithms/context_algorithms.h"
#include "core/base/linear_algebra.h"
#include "core/base/rng.h"
#include "core/base/statistics.h"
#include "core/experiments/figure_recipe.h"
#include "core/models/attention_naive.h"
#include "core/tasks/regression.h"
#include "core/training/in_context_training.h"
#include "tests/claims/measures.h"
#include "tests/claims/naive/sampled_update.h"

namespace emergence {
namespace {

constexpr int kDimension = 5, kRegressionLayers = 8, kPairs = 20, kRegressionTrials = 30;

// The transformer's prediction in the n-by-n form, with A_i and B_i by layer.
double prediction_of(const Mat& prompt, const std::vector<Mat>& A, const std::vector<Mat>& B) {
    const auto d = prompt.rows() - 1;
    std::vector<Eigen::MatrixXd> P, Q;
    for (size_t l = 0; l < A.size(); ++l) {
        P.emplace_back(Eigen::MatrixXd::Zero(d + 1, d + 1));
        Q.push_back(P.back());
        P.back().topLeftCorner(d, d) = eigen(B[l]);
        P.back()(d, d) = 1;
        Q.back().topLeftCorner(d, d) = eigen(A[l]);
    }
    NaiveAttention<double> network(P, Q, static_cast<int>(A.size()));
    network.forward(eigen(prompt));
    return network.value();
}

// The difference of a prediction from that of the weights w, over the sizes of both.
double difference_from(const Vec& w, const RegressionTask& task, double value) {
    return std::abs(value - w.dot(task.query)) / (task.query.norm() * w.norm());
}

enum class LemmaFlaw { none, scale, mask, transposed };

// Lemma 2 on one prompt with random A_l: the largest relative difference over layers of the transformer's
// prediction in the n-by-n form from preconditioned gradient descent,
//     |value_l - <w_l, query>| / (|query| |w_l|)
double lemma_2_difference(LemmaFlaw flaw, uint32_t trial) {
    Stream stream(2, Purpose::testing, trial);
    const Covariance covariance{eigenvalues_of(Spectrum::paper, kDimension, 1), random_rotation(kDimension, trial)};
    const RegressionTask task = draw_regression_task(covariance, WeightPrior::inverse_covariance, kPairs, 2, trial);
    std::vector<Mat> steps;
    for (int l = 0; l < kRegressionLayers; ++l) {
        Mat S(kDimension, kDimension);
        for (Index i = 0; i < S.size(); ++i) S(i) = 0.3 * stream.normal();
        // A is symmetric in the paper; otherwise the step has A'.
        steps.push_back(flaw == LemmaFlaw::transposed ? S : Mat((S + S.transpose()) / 2));
    }
    Mat prompt = regression_prompt(task);
    if (flaw == LemmaFlaw::mask) {
        // Without the mask the query's column would act like this copy of it in the context.
        Mat longer(prompt.rows(), prompt.cols() + 1);
        longer.leftCols(prompt.cols()) = prompt;
        longer.rightCols(1) = prompt.rightCols(1);
        prompt = longer;
    }
    const auto iterates = preconditioned_descent(task, steps);
    std::vector<Mat> A;
    return largest_over(kRegressionLayers, [&](uint32_t l) {
        A.emplace_back((flaw == LemmaFlaw::scale ? 1.000001 : 1.0) * steps[l]);
        const double value = prediction_of(prompt, A, {A.size(), Mat::Zero(kDimension, kDimension)});
        return difference_from(iterates[l + 1], task, value);
    });
}

// ---- Theorems 4 and 5

// Prompts that show no direction: each is taken in all signed permutations of the whitened coordinates, which do not
// change their distribution.
GramSample<double> symmetric_prompts(const Covariance& covariance, int n, uint32_t tasks) {
    const auto d = static_cast<int>(covariance.d());
    const auto maps = signed_permutations(d);
    GramSample<double> sample(d + 1, static_cast<int>(tasks * maps.size()));
    const Mat root = covariance.power(0.5), inverse_root = covariance.power(-0.5);
    int prompt = 0;
    for (uint32_t t = 0; t < tasks; ++t) {
        const RegressionTask task = draw_regression_task(covariance, WeightPrior::inverse_covariance, n, 4, t);
        for (const Eigen::MatrixXd& one : maps) {
            const Mat map = mat_of(one);
            const Mat turn = root * map * inverse_root;
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
    const WeightFamily family =
        layer_scalars(of_inverse_covariance ? covariance.power(-1) : Mat::Identity(kSize, kSize), kLayers, moved);
    const auto loss = make_in_context_loss<double>(family.offset.shape());
    const auto norm = [&](const Vec& theta) {
        Vec gradient;
        loss_of(*loss, prompts.view(), family.at(theta).flat, gradient);
        project(moved ? Restriction::moved_points : Restriction::steps, kSize, kLayers, gradient);
        return gradient.norm();
    };
    const FamilyMinimum best = minimise(family, prompts.view());
    return {norm(best.theta) / norm(Vec::Zero(best.theta.size())),
            fmt::format("{} layers, d = {}, loss {:.3f}", kLayers, kSize, best.loss)};
}

// ---- Lemma 8, GD++, and how much preconditioning speeds up

// Lemma 8 on one prompt: how far the prediction moves when two layers are exchanged, over its size. one_matrix: all A_i
// are multiples of Sigma^-1; else each has a rotation of its own.
double exchange_difference(bool one_matrix, uint32_t trial) {
    const Covariance covariance{eigenvalues_of(Spectrum::paper, kDimension, 1), random_rotation(kDimension, trial)};
    const RegressionTask task = draw_regression_task(covariance, WeightPrior::inverse_covariance, kPairs, 8, trial);
    std::vector<Mat> A;
    for (int l = 0; l < 4; ++l) {
        const uint64_t turn = one_matrix ? trial : trial + 100 * static_cast<uint64_t>(l + 1);
        const Covariance own{covariance.eigenvalues, random_rotation(kDimension, turn)};
        A.emplace_back(-0.1 * (l + 1) * own.power(-1));
    }
    const std::vector<Mat> still(A.size(), Mat::Zero(kDimension, kDimension));
    const double before = prediction_of(regression_prompt(task), A, still);
    std::swap(A[0], A[2]);
    return std::abs(prediction_of(regression_prompt(task), A, still) / before - 1);
}

// Theorem 5's weights for Sigma = I on one prompt against GD++ of `shrink` times the right strength.
double gd_plus_plus_difference(double shrink, uint32_t trial) {
    constexpr double kStep = 0.3, kMove = 0.4;
    const Covariance covariance{Vec::Constant(kDimension, 1.0), random_rotation(kDimension, trial)};
    const RegressionTask task = draw_regression_task(covariance, WeightPrior::identity, kPairs, 9, trial);
    const Mat identity = Mat::Identity(kDimension, kDimension);
    const auto iterates = gd_plus_plus(task, kStep, shrink * kStep * kMove, kRegressionLayers);
    return largest_over(kRegressionLayers, [&](uint32_t l) {
        const double value =
            prediction_of(regression_prompt(task), {l + 1, -kStep * identity}, {l + 1, kMove * identity});
        return difference_from(iterates[l + 1], task, value);
    });
}

// Of all prompts the largest difference, or, as a control, that of the prompt that shows a flaw least.
Measurement of_all_prompts(bool flawed, const std::function<double(uint32_t)>& difference) {
    return {flawed ? least_over(kRegressionTrials, difference) : largest_over(kRegressionTrials, difference),
            fmt::format("{} prompts", kRegressionTrials)};
}

// The steps after which preconditioned descent with its best constant step has a thousandth of the loss.
int steps_to_a_thousandth(const RegressionTask& task, const Mat& root) {
    const Mat curvature = task.X * task.X.transpose() / static_cast<double>(task.X.cols());
    const Vec spectrum = symmetric_eigenvalues(root * curvature * root);
    const Mat step = 2 / (spectrum.minCoeff() + spectrum.maxCoeff()) * (root * root);
    Vec w = Vec::Zero(task.X.rows());
    int steps = 0;
    for (const double first = task.loss(w); task.loss(w) > 1e-3 * first; ++steps) w -= step * task.gradient(w);
    return steps;
}

// How many times fewer steps the preconditioner of Eq. (8) takes than gradient descent, median over prompts.
Measurement speed_up(double condition) {
    constexpr int kManyPairs = 100;
    const Vec eigenvalues = eigenvalues_of(Spectrum::geometric, kDimension, condition);
    std::vector<std::vector<double>> ratios;
    for (uint32_t t = 0; t < kRegressionTrials; ++t) {
        const Covariance covariance{eigenvalues, random_rotation(kDimension, t)};
        const RegressionTask task = draw_regression_task(covariance, WeightPrior::identity, kManyPairs, 10, t);
        const Covariance best{one_layer_preconditioner(eigenvalues, WeightPrior::identity, kManyPairs), covariance.U};
        const Mat identity = Mat::Identity(kDimension, kDimension);
        ratios.push_back({static_cast<double>(steps_to_a_thousandth(task, identity)) /
                          steps_to_a_thousandth(task, best.power(0.5))});
    }
    return bootstrapped(
        ratios.size(), [&](const Places& places) { return summary_at(ratios, places).median; },
        fmt::format("{} prompts of {} pairs", ratios.size(), kManyPairs));
}

// ---- The best scalars of Eq. (13) in the setting of Figures 3 and 4

struct BestScalars {
    static constexpr int kSize = 5, kLayers = 3, kContext = 10, kPrompts = 1500;
    Covariance covariance{eigenvalues_of(Spectrum::paper, kSize, 1), Mat::Identity(kSize, kSize)};
    GramSample<double> prompts = drawn(kPrompts, 13);
    WeightFamily family = layer_scalars(covariance.power(-1), kLayers, true);
    FamilyMinimum best = minimise(family, prompts.view());

    GramSample<double> drawn(int count, uint64_t seed) const {
        return draw_gram_sample<double>(covariance, WeightPrior::inverse_covariance, kContext, count, seed);
    }
    double loss(const Vec& theta, const GramSample<double>& on) const {
        Vec gradient;
        return loss_of(*make_in_context_loss<double>(family.offset.shape()), on.view(), family.at(theta).flat,
                       gradient);
    }
};

// Of the minima of all starts, on the prompts that fit them, the one of least loss on prompts of its own. Both it and
// the best of the fit are then judged on a third set.
struct ChosenScalars {
    static constexpr int kHeldOut = 40000;
    BestScalars scalars;
    FamilyMinimum chosen;
    double held_out = 0, of_best = 0;

    ChosenScalars() {
        const GramSample<double> choosing = scalars.drawn(kHeldOut, 14), judging = scalars.drawn(kHeldOut, 15);
        double least = std::numeric_limits<double>::infinity();
        for (const Vec& start : scalars.family.starts) {
            WeightFamily from = scalars.family;
            from.starts = {start};
            FamilyMinimum found = minimise(from, scalars.prompts.view());
            if (const double loss = scalars.loss(found.theta, choosing); loss < least) {
                least = loss;
                chosen = std::move(found);
            }
        }
        held_out = scalars.loss(chosen.theta, judging);
        of_best = scalars.loss(scalars.best.theta, judging);
    }
    static std::string text(const FamilyMinimum& one, double held_out) {
        const Vec& a = one.theta;
        return fmt::format("a {:.2f}, {:.2f}, {:.1f}, b {:.2f}, {:.2f}: {:.4f} where fitted, {:.3g} on {} others", a(0),
                           a(1), a(2), a(3), a(4), one.loss, held_out, kHeldOut);
    }
};

Measurement least_growth_of_chosen() {
    const ChosenScalars both;
    const Vec& a = both.chosen.theta;
    return {smaller(a(1) / a(0), a(2) / a(1)), ChosenScalars::text(both.chosen, both.held_out)};
}

Measurement chosen_over_best() {
    const ChosenScalars both;
    return {both.held_out / both.of_best, ChosenScalars::text(both.scalars.best, both.of_best)};
}

// The least loss of random starts, steps from 0.2 to 18 in order and moves from 0.2 to 1, over that of the best
// scalars.
Measurement random_starts_over_best() {
    constexpr int kRandomStarts = 8;
    BestScalars scalars;
    Stream stream(13, Purpose::testing, 0);
    scalars.family.starts.clear();
    for (int i = 0; i < kRandomStarts; ++i) {
        Vec start(2 * BestScalars::kLayers - 1);
        for (int l = 0; l < BestScalars::kLayers; ++l) start(l) = 0.2 * std::exp(4.5 * stream.uniform());
        std::sort(start.data(), start.data() + BestScalars::kLayers);
        for (int l = BestScalars::kLayers; l < start.size(); ++l) start(l) = 0.2 + 0.8 * stream.uniform();
        scalars.family.starts.push_back(start);
    }
    const double random = minimise(scalars.family, scalars.prompts.view()).loss;
    return {random / scalars.best.loss, fmt::format("{:.4f} over {:.4f}, {} starts, {} prompts", random,
                                                    scalars.best.loss, kRandomStarts, BestScalars::kPrompts)};
}

Measurement isotropic_closed_form() {
    double largest = 0;
    for (const int n : {1, 5, 20, 100})
        for (const int d : {1, 5, 20}) {
            const Vec ours = one_layer_preconditioner(Vec::Constant(d, 1.0), WeightPrior::identity, n);
            const double theirs = 1 / ((n - 1.0) / n + (d + 2.0) / n);
            for (const double one : ours) largest = larger(largest, std::abs(one / theirs - 1));
        }
    return {largest, "n = 1, 5, 20, 100 by d = 1, 5, 20"};
}

}  // namespace

std::vector<NamedMeasure> regression_measures() {
    // A measurement and its controls: the argument says what is wrong.
    const auto of = [](const char* name, bool flawed, auto difference, auto flaw) -> NamedMeasure {
        return {name, [=] { return of_all_prompts(flawed, [=](uint32_t t) { return difference(flaw, t); }); }};
    };
    return {of("lemma-2", false, lemma_2_difference, LemmaFlaw::none),
            of("lemma-2-scale", true, lemma_2_difference, LemmaFlaw::scale),
            of("lemma-2-mask", true, lemma_2_difference, LemmaFlaw::mask),
            of("lemma-2-transposed", true, lemma_2_difference, LemmaFlaw::transposed),
            {"regression-isotropic", isotropic_closed_form},
            of("regression-lemma-8", false, exchange_difference, true),
            of("regression-lemma-8-rotated", true, exchange_difference, false),
            of("regression-gd-plus-plus", false, gd_plus_plus_difference, 1.0),
            of("regression-gd-plus-plus-shrink", true, gd_plus_plus_difference, 1.00001),
            {"regression-faster", [] { return speed_up(100); }},
            {"regression-faster-isotropic", [] { return speed_up(1); }},
            {"regression-best-steps", least_growth_of_chosen},
            {"regression-best-held-out", chosen_over_best},
            {"regression-best-starts", random_starts_over_best},
            {"regression-theorem-4", [] { return gradient_at_best(false, true); }},
            {"regression-theorem-5", [] { return gradient_at_best(true, true); }},
            {"regression-theorem-4-identity", [] { return gradient_at_best(false, false); }}};
}

}  // namespace emergence
