// The family of algorithms against plain loops, its derivatives against differences, and the verdict on networks whose
// algorithm is known.
#include "core/measures/verdict.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/algorithms/context_algorithms.h"
#include "core/base/rng.h"
#include "core/measures/held_out_bank.h"
#include "core/models/constructions.h"
#include "tests/support/differences.h"
#include "tests/support/scratch.h"

namespace emergence::verdict_test {
namespace {

constexpr int kDepth = 3;

HeldOutBank bank_of(int d, int n, bool average_reward = false) {
    return HeldOutBank({.tasks = {.num_states = 8, .d = d, .gamma = average_reward ? 1.0 : 0.8},
                        .size = VerdictPrompts::kFitted + VerdictPrompts::kJudged,
                        .context_lengths = {n},
                        .average_reward = average_reward,
                        .keeps_states = true});
}

std::vector<float> floats_of(const std::vector<Mat>& matrices) {
    std::vector<float> weights;
    for (const Mat& matrix : matrices)
        for (const double entry : Mat(matrix.transpose())) weights.push_back(static_cast<float>(entry));
    return weights;
}

// The network of the algorithm at (beta, c) with the matrix C in each layer.
std::vector<float> network_at(double beta, double c, const Mat& C) {
    ConstructedLayer layer = residual_gradient_construction(C);
    const auto d = C.rows();
    layer.Q.block(0, d, 2 * d, d) *= beta;
    layer.Q.block(d, 0, d, 2 * d) *= c;
    return floats_of({layer.P, layer.Q});
}

struct Judgement {
    NetworkVerdict verdict;
    std::string sentence, label;
};
Judgement judge(const std::vector<float>& weights, int layers = kDepth, PlaceAxis axis = PlaceAxis::gradient,
                NetworkShape shape = {}) {
    static const HeldOutBank bank = bank_of(4, 30);
    static const VerdictPrompts prompts(bank, 0, PlaceAxis::gradient);
    const std::vector<Landmark> landmarks = landmarks_of(axis, 1);
    const LinearAttentionView view{layers, 1, weights.data(), weights.data() + weights.size() / 2, shape};
    Judgement found{verdict(view, prompts, landmarks), "", ""};
    found.sentence = sentence_of(found.verdict, landmarks, axis, 0.8);
    found.label = label_of(found.verdict, landmarks);
    return found;
}

Mat same_steps(double alpha) { return alpha * Mat::Identity(4, 4); }

}  // namespace

TEST_CASE("the family's derivatives are differences, with scalar steps and with matrices, on every axis") {
    constexpr int d = 3;
    for (const PlaceAxis axis : {PlaceAxis::gradient, PlaceAxis::trace, PlaceAxis::mean_reward})
        for (const Steps steps : {Steps::scalar, Steps::matrices}) {
            INFO(static_cast<int>(axis), ", ", static_cast<int>(steps));
            const HeldOutBank bank = bank_of(d, 20, axis == PlaceAxis::mean_reward);
            const FitPrompts prompts(bank, 0, 16, 30, axis);
            Stream stream(3, Purpose::testing);
            std::vector<Vec> wanted;
            for (int i = 0; i < prompts.size(); ++i) {
                wanted.emplace_back(d);
                for (double& entry : wanted.back()) entry = stream.normal();
            }
            const std::vector<double> lanes = prompts.in_lanes(wanted);
            std::vector<double> importance(32), x = {0.6, 0.7};
            for (double& u : importance) u = stream.uniform(0.5, 2);
            for (int k = 0; k < (steps == Steps::scalar ? kDepth : kDepth * d * d); ++k)
                x.push_back(0.5 * stream.normal());
            const FamilyTarget target{lanes.data(), importance.data()};
            const auto loss = [&](const std::vector<double>& at) {
                return family_sums(prompts.bank(), target, at, steps, false).loss;
            };
            const FamilySums at = family_sums(prompts.bank(), target, x, steps, true);
            CHECK(at.loss == doctest::Approx(loss(x)).epsilon(1e-12));
            for (size_t k = 0; k < x.size(); ++k) {
                const double difference = testing::slope_by(x[k], [&] { return loss(x); });
                // The gradient of a sum of squares is twice J'r.
                CHECK(std::abs(2 * at.gradient[static_cast<Index>(k)] - difference) <
                      1e-6 * (at.loss + std::abs(difference)));
            }
            // Each prompt's own error, weighed, adds up to the loss.
            const std::vector<double> errors = family_errors(prompts.bank(), lanes.data(), x, steps);
            double sum = 0;
            for (size_t i = 0; i < 30; ++i) sum += importance[i] * errors[i];
            CHECK(sum == doctest::Approx(at.loss).epsilon(1e-10));
        }
}

TEST_CASE("powers of M give the best steps of a place: their loss is the least that a polynomial can have") {
    const HeldOutBank bank = bank_of(4, 30);
    const FitPrompts prompts(bank, 0, 0, 32, PlaceAxis::gradient);
    const std::vector<float> weights = network_at(1, 0, same_steps(0.7));
    const std::vector<double> wanted =
        prompts.values({kDepth, 1, weights.data(), weights.data() + weights.size() / 2, {}});
    const std::vector<double> importance(32, 1.0);
    const FamilyTarget target{wanted.data(), importance.data()};
    const std::vector<double> sums = power_sums(prompts.bank(), target, 1, 0, kDepth);
    // w = (3 a - 3 a^2 M + a^3 M^2) b with a = 0.7
    const double a[] = {2.1, -3 * 0.49, 0.343};
    double loss = family_sums(prompts.bank(), target, {0, 0, 0}, Steps::scalar, false).loss;
    for (int i = 0, entry = 0; i < kDepth; ++i) {
        loss -= 2 * a[i] * sums[static_cast<size_t>(6 + i)];
        for (int k = i; k < kDepth; ++k, ++entry)
            loss += (i == k ? 1 : 2) * a[i] * a[k] * sums[static_cast<size_t>(entry)];
    }
    CHECK(std::abs(loss) < 1e-9 * family_sums(prompts.bank(), target, {0, 0, 0}, Steps::scalar, false).loss);
}

TEST_CASE("networks that run an algorithm by construction are called by its name") {
    CHECK(judge(network_at(1, 0, same_steps(0.8))).verdict.name == VerdictName::td);
    CHECK(judge(network_at(1, 1, same_steps(0.5))).verdict.name == VerdictName::residual_gradient);
    CHECK(judge(network_at(0, 0, same_steps(0.8))).verdict.name == VerdictName::no_bootstrap);
    const Judgement half = judge(network_at(0.5, 0, same_steps(0.8)));
    CHECK(half.verdict.name == VerdictName::between);
    CHECK(half.verdict.beta.value == doctest::Approx(0.5).epsilon(0.05));
    CHECK(half.sentence.starts_with("lies between the named algorithms: discount 0.40"));
    const Judgement wrong = judge(network_at(1, 0, same_steps(-0.5)));
    CHECK(wrong.verdict.name == VerdictName::wrong_sign);
    CHECK(wrong.label == "TD, wrong sign");
    const Judgement zero = judge(std::vector<float>(2 * 81));
    CHECK(zero.verdict.name == VerdictName::none);
    CHECK(zero.sentence == "predicts zero, or values that are not finite");
    // The same network: P a, Q / a.
    std::vector<float> weights = network_at(1, 0, same_steps(0.8));
    for (size_t i = 0; i < weights.size(); ++i) weights[i] *= i < weights.size() / 2 ? -4.0F : -0.25F;
    CHECK(judge(weights).sentence == judge(network_at(1, 0, same_steps(0.8))).sentence);
}

TEST_CASE("matrices as step sizes are named by what they do, not by what they are") {
    Mat C = Mat::Zero(4, 4);
    C.diagonal() = Vec::of({1.6, 0.8, 0.3, 0.15});
    C(0, 1) = 0.3;
    const Judgement td = judge(network_at(1, 0, C));
    CHECK(td.verdict.name == VerdictName::td);
    CHECK(td.verdict.by_matrices);
    CHECK(td.sentence.starts_with("computes TD with a matrix for each step"));
    CHECK(judge(network_at(0, 0, C)).verdict.name == VerdictName::no_bootstrap);
    CHECK(judge(network_at(1, 1, C)).verdict.name == VerdictName::residual_gradient);
    CHECK(judge(network_at(-1, 0, C)).verdict.name == VerdictName::between);
}

TEST_CASE("one layer does not say how much it bootstraps, but what it takes of the residual gradient") {
    const Judgement td = judge(network_at(1, 0, same_steps(0.8)), 1);
    CHECK(td.verdict.name == VerdictName::ambiguous);
    CHECK(td.verdict.ties == std::vector<int>{0, 1, 2});
    CHECK_FALSE(td.verdict.beta.is_known());
    CHECK(std::abs(td.verdict.c.value) < 0.05);
    CHECK(judge(network_at(1, 1, same_steps(0.8)), 1).verdict.ties == std::vector<int>{3});
}

TEST_CASE("random networks are none, and the words of a verdict agree with its numbers") {
    Stream stream(5, Purpose::testing);
    for (int number = 0; number < 6; ++number) {
        std::vector<float> weights(2 * 81);
        for (float& weight : weights) weight = static_cast<float>(0.35 * stream.normal());
        const Judgement found = judge(weights);
        CHECK(found.verdict.name == VerdictName::none);
        CHECK(found.verdict.unexplained > kMostUnexplained);
        CHECK(found.sentence.starts_with("no named algorithm"));
    }
    // TD at a lower discount: the interval excludes 1, so that the words say it.
    const Judgement lower = judge(network_at(0.8, 0, same_steps(0.8)));
    CHECK(lower.verdict.beta.excludes(1));
    CHECK(testing::holds(lower.sentence, "discount 0.64"));
}

TEST_CASE("networks with masks of traces and with two heads are found where their construction lies") {
    constexpr int d = 3, n = 20;
    for (const bool heads : {false, true}) {
        const PlaceAxis axis = heads ? PlaceAxis::mean_reward : PlaceAxis::trace;
        const HeldOutBank bank = bank_of(d, n, heads);
        const VerdictPrompts prompts(bank, 0, axis);
        const Mat C = 0.6 * Mat::Identity(d, d);
        const ConstructedLayer single = td_construction(C);
        const TwoHeadLayer pair = average_reward_construction(C);
        const std::vector<float> weights =
            heads ? floats_of({pair.P_reward, pair.Q, pair.P_memory, pair.Q}) : floats_of({single.P, single.Q});
        NetworkShape shape{.d = d, .context_length = n, .layers = kDepth};
        shape.model = heads ? Model::two_heads : Model::attention;
        if (!heads) {
            shape.mask = Mask::td_lambda;
            shape.mask_lambda = 0.9;
        }
        const std::vector<Landmark> landmarks = landmarks_of(axis, 0.9);
        const NetworkVerdict found = verdict(view_of(shape, weights), prompts, landmarks);
        CAPTURE(heads);
        CHECK(found.name == (heads ? VerdictName::average_reward : VerdictName::td_lambda));
        CHECK(found.unexplained < 1e-9);
        CHECK(found.c.value == doctest::Approx(heads ? 1 : 0.9).epsilon(0.05));
    }
}

}  // namespace emergence::verdict_test
