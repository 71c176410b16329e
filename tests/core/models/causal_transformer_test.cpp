#include "core/models/causal_transformer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "tests/claims/naive/causal_transformer_naive.h"
#include "tests/support/differences.h"

using namespace emergence;

namespace {

constexpr CausalTransformerShape kSmallTransformer{
    .arms = 3, .d = 2, .rounds = 7, .width = 6, .layers = 2, .heads = 2, .hidden = 5};

CausalTransformerShape shape_with(CausalTransformerShape shape, CausalAttention attention) {
    shape.attention = attention;
    return shape;
}

// A small trajectory and random weights.
template <class T>
struct CausalProblem {
    CausalTransformerShape shape;
    std::vector<T> weights, actions, rewards;
    std::vector<int> arms, labels;

    CausalProblem(const CausalTransformerShape& s, int rounds, uint32_t number = 0) : shape(s) {
        Stream stream(7, Purpose::testing, number);
        for (const float w : initial_causal_weights(s, 3))
            weights.push_back(static_cast<T>(static_cast<double>(w) + 0.1 * stream.normal()));
        for (int k = 0; k < s.arms * s.d; ++k) actions.push_back(static_cast<T>(stream.uniform(-1, 1)));
        for (int t = 0; t < rounds; ++t) {
            rewards.push_back(static_cast<T>(2 * stream.normal()));
            arms.push_back(static_cast<int>(stream.uniform() * s.arms));
            labels.push_back(static_cast<int>(stream.uniform() * s.arms));
        }
    }
    BanditHistory<T> view() const {
        return {static_cast<int>(rewards.size()), actions.data(), arms.data(), rewards.data(), labels.data()};
    }
};

}  // namespace

TEST_CASE("the naive transformer's gradient agrees with finite differences in every block") {
    for (const CausalAttention kind : {CausalAttention::softmax, CausalAttention::relu}) {
        const CausalProblem<double> problem(shape_with(kSmallTransformer, kind), 6);
        NaiveCausalTransformer<double> net(problem.shape, problem.weights);
        net.add_cross_entropy(problem.view());
        const std::vector<double> gradient = net.gradient();
        for (const NamedBlock& block : causal_transformer_blocks(problem.shape)) {
            CAPTURE(block.name);
            double worst = 0, largest = 0;
            for (size_t i = block.offset; i < block.offset + block.size(); ++i) {
                const double slope =
                    testing::slope_by(net.weights()[i], [&] { return net.add_cross_entropy(problem.view()); });
                worst = std::max(worst, std::abs(slope - gradient[i]));
                largest = std::max(largest, std::abs(gradient[i]));
            }
            CHECK(worst < 1e-6 * std::max(1.0, largest));
            CHECK(largest > 1e-6);  // every block has a part
        }
    }
}

TEST_CASE("the fast transformer agrees with the naive one") {
    for (const CausalAttention kind : {CausalAttention::softmax, CausalAttention::relu})
        for (const int rounds : {1, 5, 16, 37, 60}) {
            CausalTransformerShape shape = shape_with(kSmallTransformer, kind);
            shape.rounds = 60;
            CAPTURE(rounds);
            const CausalProblem<double> problem(shape, rounds);
            NaiveCausalTransformer<double> naive(shape, problem.weights);
            const auto fast = make_causal_transformer<double>(shape);
            fast->set_weights(problem.weights.data());
            std::vector<double> logits(static_cast<size_t>(rounds * shape.arms)), gradient(shape.num_weights());
            fast->logits(problem.view(), logits.data());
            const auto expected = naive.forward(problem.view());
            for (int t = 0; t < rounds; ++t)
                for (int a = 0; a < shape.arms; ++a)
                    CHECK(logits[static_cast<size_t>(t * shape.arms + a)] == doctest::Approx(expected(a, t)));
            // Two trajectories' gradients add up.
            const double loss = naive.add_cross_entropy(problem.view());
            CHECK(fast->add_cross_entropy(problem.view(), 1.0) == doctest::Approx(loss));
            fast->add_cross_entropy(problem.view(), 0.5);
            fast->take_gradient(gradient.data());
            double worst = 0, largest = 0;
            for (size_t i = 0; i < gradient.size(); ++i) {
                worst = std::max(worst, std::abs(gradient[i] - 1.5 * naive.gradient()[i]));
                largest = std::max(largest, std::abs(gradient[i]));
            }
            CHECK(worst < 1e-12 * largest);
            fast->take_gradient(gradient.data());
            CHECK(std::all_of(gradient.begin(), gradient.end(), [](double g) { return g == 0.0; }));
            std::vector<double> map(static_cast<size_t>(rounds * rounds));
            fast->attention(1, 1, map.data());
            for (int i = 0; i < rounds; ++i)
                for (int j = 0; j < rounds; ++j)
                    CHECK(std::abs(map[static_cast<size_t>(i * rounds + j)] - naive.attention(1, 1)(j, i)) < 1e-12);
        }
}

TEST_CASE("all instruction sets give the same bits, near the naive form") {
    for (const CausalAttention kind : {CausalAttention::softmax, CausalAttention::relu}) {
        const CausalProblem<float> problem(shape_with({.rounds = 50}, kind), 45);
        const CausalProblem<double> in_double(shape_with({.rounds = 50}, kind), 45);
        NaiveCausalTransformer<double> naive(in_double.shape, in_double.weights);
        const double loss = naive.add_cross_entropy(in_double.view());
        std::vector<float> first;
        for (const InstructionSet set : available_instruction_sets()) {
            const auto fast = make_causal_transformer<float>(problem.shape, set);
            fast->set_weights(problem.weights.data());
            CHECK(fast->add_cross_entropy(problem.view(), 1.0F) == doctest::Approx(loss).epsilon(1e-5));
            std::vector<float> gradient(problem.shape.num_weights());
            fast->take_gradient(gradient.data());
            if (first.empty()) first = gradient;
            CHECK(gradient == first);
        }
        double off = 0, norm = 0;
        for (size_t i = 0; i < first.size(); ++i) {
            off += std::pow(static_cast<double>(first[i]) - naive.gradient()[i], 2);
            norm += std::pow(naive.gradient()[i], 2);
        }
        CHECK(std::sqrt(off / norm) < 1e-5);
    }
}

TEST_CASE("a rollout with a key-value cache gives the full forward pass's logits, bit for bit") {
    for (const CausalAttention kind : {CausalAttention::softmax, CausalAttention::relu})
        for (const CausalTransformerShape& sizes : {CausalTransformerShape{.rounds = 40}, kSmallTransformer})
            for (const InstructionSet set : available_instruction_sets()) {
                const CausalTransformerShape shape = shape_with(sizes, kind);
                const auto rollout = make_causal_rollout(shape, set);
                const auto whole = make_causal_transformer<float>(shape, set);
                for (uint32_t again = 0; again < 2; ++again) {
                    const CausalProblem<float> problem(shape, shape.rounds, again);
                    const auto rounds = static_cast<size_t>(shape.rounds), arms = static_cast<size_t>(shape.arms);
                    std::vector<float> expected(rounds * arms), logits(rounds * arms);
                    whole->set_weights(problem.weights.data());
                    whole->logits(problem.view(), expected.data());
                    rollout->set_weights(problem.weights.data());
                    rollout->begin(problem.actions.data());
                    for (size_t t = 0; t < rounds; ++t)
                        rollout->step(t == 0 ? -1 : problem.arms[t - 1], t == 0 ? 0.0F : problem.rewards[t - 1],
                                      logits.data() + t * arms);
                    CHECK(logits == expected);
                }
            }
}

TEST_CASE("the shape table names every weight once") {
    const CausalTransformerShape shape;
    size_t next = 0;
    for (const NamedBlock& block : causal_transformer_blocks(shape)) {
        CHECK(block.offset == next);
        next += block.size();
    }
    CHECK(next == shape.num_weights());
    CHECK(initial_causal_weights(shape, 0).size() == next);
    const CausalTransformerOffsets at(shape);
    const auto blocks = causal_transformer_blocks(shape);
    const auto offset_of = [&](const std::string& name) {
        return std::find_if(blocks.begin(), blocks.end(), [&](const auto& b) { return b.name == name; })->offset;
    };
    CHECK(offset_of("W_q1") == at.layer(1).W_q);
    CHECK(offset_of("b_2_1") == at.layer(1).b_2);
    CHECK(offset_of("W_out") == at.W_out);
    CHECK_THROWS_WITH_AS(check_causal_shape({.width = 32, .heads = 3}),
                         doctest::Contains("heads: 3 does not divide width = 32"), InputError);
}
