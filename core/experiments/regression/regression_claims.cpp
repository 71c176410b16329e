#include "core/experiments/regression/regression_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/algorithms/regression_descent.h"
#include "core/base/extremes.h"
#include "core/base/rng.h"
#include "core/measures/invariant_set.h"
#include "core/models/attention_naive.h"
#include "core/tasks/regression_prompt.h"
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
    const Covariance covariance{eigenvalues_of(Spectrum::paper, kDimension, 1),
                                random_rotation(kDimension, trial)};
    const RegressionTask task =
        draw_regression_task(covariance, WeightPrior::inverse_covariance, kPairs, 2, trial);
    std::vector<Eigen::MatrixXd> steps, P, Q;
    const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(kDimension + 1, kDimension + 1);
    for (int l = 0; l < kRegressionLayers; ++l) {
        Eigen::MatrixXd S(kDimension, kDimension);
        for (Eigen::Index i = 0; i < S.size(); ++i) S(i) = 0.3 * stream.normal();
        // A is symmetric in the paper; otherwise the step has A'.
        const Eigen::MatrixXd A =
            flaw == LemmaFlaw::transposed ? S : Eigen::MatrixXd((S + S.transpose()) / 2);
        steps.push_back(A);
        P.push_back(zero);
        P.back()(kDimension, kDimension) = 1;
        Q.push_back(zero);
        Q.back().topLeftCorner(kDimension, kDimension) =
            flaw == LemmaFlaw::scale ? Eigen::MatrixXd(1.000001 * A) : A;
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
        largest =
            larger(largest, std::abs(network.value() - w.dot(task.query)) / (task.query.norm() * w.norm()));
    }
    return largest;
}

std::vector<Claim> lemma_2() {
    const auto control = [](const char* name, const char* statement, LemmaFlaw flaw) {
        return Claim{.name = name,
                     .statement = statement,
                     .source = kControl,
                     .quantity = "the same, in the prompt that shows the flaw least",
                     .agrees = at_least(1e-9),
                     .measure = [flaw]() -> Measurement {
                         double least = std::numeric_limits<double>::infinity();
                         for (uint32_t t = 0; t < kRegressionTrials; ++t)
                             least = smaller(least, lemma_2_difference(flaw, t));
                         return {least, ""};
                     }};
    };
    return {
        {.name = "lemma-2",
         .statement = "Under Eq. (9) every layer is a step of gradient descent preconditioned with A_l",
         .source = "Lemma 2, Ahn et al. 2023",
         .quantity = "largest |y_l + <x, w_l>| / (|x| |w_l|) over layers and prompts, random A_l, in double",
         .agrees = at_most(1e-12),
         .measure = []() -> Measurement {
             double largest = 0;
             for (uint32_t t = 0; t < kRegressionTrials; ++t)
                 largest = larger(largest, lemma_2_difference(LemmaFlaw::none, t));
             return {largest, fmt::format("d = {}, n = {}, {} layers, {} prompts", kDimension, kPairs,
                                          kRegressionLayers, kRegressionTrials)};
         }},
        control("lemma-2-scale", "With A_l off by one part in a million it fails", LemmaFlaw::scale),
        control("lemma-2-mask", "With the query counted among the pairs it fails", LemmaFlaw::mask),
        control("lemma-2-transposed",
                "With an A_l that is not symmetric, in place of its transpose, it fails",
                LemmaFlaw::transposed)};
}

const char* const kAhn = "Ahn et al. 2023";

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
        const RegressionTask task =
            draw_regression_task(covariance, WeightPrior::inverse_covariance, n, 4, t);
        for (const Eigen::MatrixXd& map : maps) {
            const Eigen::MatrixXd turn = root * map * inverse_root;
            const RegressionTask turned{turn * task.X, turn * task.query,
                                        inverse_root * map * root * task.w_star};
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
        layer_scalars(of_inverse_covariance ? covariance.power(-1) : Eigen::MatrixXd::Identity(kSize, kSize),
                      kLayers, moved);
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

std::vector<Claim> critical_points() {
    const char* const quantity =
        "norm of the gradient at the best point of S over that at zero, n = 10, 30 prompts in all 48 signed permutations";
    const auto claim = [&](const char* name, const char* statement, const std::string& source, Range range,
                           const char* reason, bool moved, bool inverse) {
        return Claim{.name = name,
                     .statement = statement,
                     .source = source,
                     .quantity = quantity,
                     .agrees = range,
                     .reason = reason,
                     .measure = [moved, inverse] { return gradient_at_best(moved, inverse); }};
    };
    const char* const rounding = "0 but for rounding and the tolerance of L-BFGS, 1e-7.";
    return {claim("regression-theorem-4", "Some multiple of Sigma^-1 is a point without gradient",
                  "Theorem 4, Ahn et al. 2023", at_most(1e-6), rounding, false, true),
            claim("regression-theorem-5", "With moved points too, with B_i that are multiples of I",
                  "Theorem 5, Ahn et al. 2023", at_most(1e-6), rounding, true, true),
            claim("regression-theorem-4-identity", "No multiple of I is a point without gradient", kControl,
                  at_least(1e-3), "", false, false)};
}

Measurement isotropic_closed_form() {
    double largest = 0;
    for (const int n : {1, 5, 20, 100})
        for (const int d : {1, 5, 20}) {
            const Eigen::VectorXd ours =
                one_layer_preconditioner(Eigen::VectorXd::Ones(d), WeightPrior::identity, n);
            const double theirs = 1 / ((n - 1.0) / n + (d + 2.0) / n);
            largest = larger(largest, (ours.array() / theirs - 1).abs().maxCoeff());
        }
    return {largest, "n = 1, 5, 20, 100 by d = 1, 5, 20"};
}

const char* const kSampled =
    "Two levels at n = 5 is the noisiest setting. Over eight seeds its distance is 5.4 % with 125,000 prompts, 2.5 % with "
    "500,000 and 1.5 % with 1,000,000 (standard deviations 1.8, 0.8 and 0.5 %): sampling error, which falls as one over "
    "the root of the prompts, and no other limit.";

const char* const kHeavyTails =
    "A prediction is a polynomial of degree 27 in x, so that single held-out prompts rule the mean (0.026 to "
    "0.155 over the runs, and up to 990 for what 20,000 prompts taught); on the training samples the loss is "
    "0.028 to 0.040, the floor 0.036.";
const char* const kAlmost = "A hundredth of no prediction's loss. The paper gives no number.";
const char* const kThreeSteps =
    "Three steps reach no less than the floor of the best multiples of Sigma^-1: 0.134 where no prediction has 5. The known "
    "range was set after the run.";
const char* const kOtherOrder = "In one of five runs the second step is the largest, as in the best scalars.";

std::vector<Claim> ahn_theorems() {
    return joined(
        {claims_about(
             "regression-theorem-1", kAhn,
             {{"regression-theorem-1",
               "One layer comes to the closed form of Eq. (8), whatever n and the spectrum", "Theorem 1",
               "relative Frobenius distance after the best scale, the largest of three spectra and n in {5, 20, 100}",
               at_most(0.02), "", kSampled, between(0.02, 0.04)},
              {"regression-theorem-1-inverse", "With few pairs that is not the inverse covariance",
               "Theorem 1", "the same distance from Sigma^-1, the least of three spectra at n = 5",
               at_least(0.1)}}),
         claims_about(
             "regression-theorem-3", kAhn,
             {{"regression-theorem-3", "On isotropic data both layers are diagonal, up to a rotation of both",
               "Theorem 3",
               "share of squares off the diagonals after joint diagonalisation, the largest of the runs",
               at_most(0.05)},
              {"regression-theorem-3-untrained", "Before training they are not (control)", "Theorem 3",
               "the same share at the start, the least of the runs", at_least(0.05)}})});
}

std::vector<Claim> ahn_figures() {
    const char* const mean = "mean of the last Dist over layers and runs";
    const char* const loss = "median over runs of the held-out loss over the floor of the best scalars";
    return joined(
        {claims_about(
             "regression-1", kAhn,
             {{"regression-1-whitened", "Whitened, the preconditioners become multiples of I",
               "Figure 1, Theorem 4", mean, at_most(0.1)},
              {"regression-1-plain", "As they are, they stay away from it", "Figure 1, Theorem 4", mean,
               at_least(0.5)},
              {"regression-1-loss", "The loss comes to that of the best multiples of Sigma^-1",
               "Figure 1, Theorem 4", loss, between(0.9, 1.1)},
              {"regression-1-almost-0", "The loss converges to an almost 0 value", "Section 5.3, Figure 1d",
               "median over runs of the held-out loss over that of no prediction, d", at_most(0.01), kAlmost,
               kThreeSteps, between(0.01, 0.05)}}),
         claims_about("regression-2", kAhn,
                      {{"regression-2-all", "Every run's learned matrices are those of Theorem 4", "Figure 2",
                        "fraction of runs with all whitened Dist below 0.1", at_least(1.0)}}),
         claims_about(
             "regression-3", kAhn,
             {{"regression-3-whitened",
               "With moved points too the preconditioners become multiples of Sigma^-1",
               "Figure 3, Theorem 5", mean, at_most(0.1)},
              {"regression-3-plain", "As they are, they stay away from I", "Figure 3, Theorem 5", mean,
               at_least(0.5)},
              {"regression-3-moves", "The moves become multiples of I", "Figure 3, Theorem 5", mean,
               at_most(0.1)},
              {"regression-3-loss", "The loss comes to that of the best scalars", "Figure 3, Theorem 5", loss,
               between(0.9, 1.1), "", kHeavyTails, between(1.1, 10.0)}}),
         claims_about("regression-4", kAhn,
                      {{"regression-4-steps", "Later layers take larger steps", "Figure 4",
                        "fraction of runs whose steps grow with the layer", at_least(1.0), "", kOtherOrder,
                        between(0.4, 0.99)}})});
}

}  // namespace

std::vector<Claim> regression_claims() {
    return joined({lemma_2(),
                   {{.name = "regression-isotropic",
                     .statement = "On isotropic data the closed form is a multiple of I",
                     .source = by_algebra("Section 4, Ahn et al. 2023"),
                     .quantity = "largest relative difference from 1 / ((n-1)/n + (d+2)/n)",
                     .agrees = at_most(1e-14),
                     .measure = isotropic_closed_form}},
                   critical_points(),
                   ahn_theorems(),
                   ahn_figures()});
}

}  // namespace emergence
