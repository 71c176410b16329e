// Constructions and spectra that claims measure, by hand and by finite differences: the network that runs MASTER,
// whether the set of Theorem 2 attracts, the gradient of Lemma 10 and the expected update of Eq. (33) in the layers.
#include <doctest/doctest.h>

#include <cmath>

#include "core/base/rng.h"
#include "core/base/statistics.h"
#include "core/measures/softmax_td_measures.h"
#include "tests/claims/bandits/master_constructions.h"
#include "tests/claims/measures.h"
#include "tests/claims/softmax_td/softmax_td_lemmas.h"
#include "tests/support/matrices.h"

using namespace emergence;

TEST_CASE("a token of the ReLU transformer is Section 2.2's, by hand") {
    // Two entries, one head, two tokens: h = (2, 1) after (1, 3).
    ReluHead head;
    head.Q = Mat::Identity(2, 2);
    head.K = testing::matrix({{1, 0}, {0, -1}});
    head.V = testing::matrix({{0, 1}, {0, 0}});
    ReluLayer layer{{head}, testing::matrix({{1, -1}}), testing::matrix({{0}, {2}})};
    Mat H = testing::matrix({{1, 2}, {3, 1}});
    pass_token(layer, 1, H);
    // <Q h, K h_j> = 2 - 3 and 4 - 1: only the token itself counts, with 3; half of 3 (1, 0); then 2 ReLU(3.5 - 1).
    CHECK(H.col(1) == Vec::of({2 + 1.5, 1 + 2 * 2.5}));
    CHECK(H.col(0) == Vec::of({1, 3}));
    CHECK(norm_of({layer}) == doctest::Approx(1 + 1 + std::sqrt(2.0) + 2));
}

TEST_CASE("a block of order 0, then of order 1, and a failed test starts again with order 0") {
    MasterNetworkOptions options{.rounds = 8, .noise = 5};
    MasterNetwork network(options);
    REQUIRE(network.orders() == 4);
    network.begin({0.1, -0.4, 1.2, 0.7, -2.0});
    const std::vector<double> highest(4, 9.0);  // ranks above all noise: only the block's own order starts
    std::vector<int> acting;
    for (const double reward : {0.5, 0.5, 0.5, -1e6, 0.5, 0.5, 0.5}) {
        network.choose(highest);
        CHECK(network.random_number(0) == doctest::Approx(5.0 / 6.0));
        acting.push_back(network.acting());
        CHECK(network.observe(0, reward) == (reward < 0.0));
    }
    CHECK(acting == std::vector<int>{0, 1, 1, 2, 0, 1, 1});
}

TEST_CASE("the network's logits are the sums of the acting instance's rewards, softened") {
    MasterNetworkOptions options{.rounds = 8, .noise = 3, .eta = 0.5};
    MasterNetwork network(options);
    network.begin({0.0, 1.0, 2.0});
    const std::vector<double> highest(4, 9.0);
    network.choose(highest);
    CHECK(testing::close(network.log_probabilities(), Vec::Constant(3, -std::log(3.0))));
    network.observe(1, 0.8);
    network.choose(highest);
    CHECK(testing::close(network.log_probabilities(), Vec::Constant(3, -std::log(3.0))));  // a new block
    network.observe(2, 0.8);
    network.choose(highest);
    CHECK(network.log_probabilities()(2) - network.log_probabilities()(0) == doctest::Approx(0.4));
}

namespace {

InvariantSetOptions small_options() {
    InvariantSetOptions options;
    options.tasks.d = 2;
    options.tasks.num_states = 6;
    options.n = 8;
    options.samples = 400;
    return options;
}

WeightUpdate plus(const WeightUpdate& weights, double factor, const WeightUpdate& update) {
    return {weights.P + factor * update.P, weights.Q + factor * update.Q};
}

}  // namespace

TEST_CASE("the spectrum off the invariant set is that of small steps beside its rest") {
    const InvariantSetOptions options = small_options();
    constexpr int d = 2;
    const UpdateMoments moments = FeatureAverage(d)(update_moments(options, 5));
    const Vec ab = rest_on_invariant_set(options, 5);
    const double eta = std::pow(d * ab.squaredNorm(), 0.25);
    const WeightUpdate rest = invariant_weights(d, {eta, ab(0) / eta, ab(1) / eta});
    CHECK(expected_update(moments, rest).Q.norm() < 1e-12);  // it is a rest

    const auto spectrum = spectrum_off_invariant_set(moments, rest);
    REQUIRE(spectrum.size() == 5 + 5 * 2 - 3);
    double largest = 0;
    for (const auto value : spectrum) largest = larger(largest, std::abs(value));
    for (size_t k = 1; k < spectrum.size(); ++k) CHECK(spectrum[k - 1].real() <= spectrum[k].real());

    // A small random displacement off the set: after a while only the slowest direction is left.
    Stream stream(7, Purpose::testing);
    WeightUpdate away{Mat::Zero(5, 5), Mat::Zero(5, 5)};
    for (int k = 0; k < 5; ++k) {
        away.P(4, k) = 1e-6 * stream.normal();
        for (int j = 0; j < d; ++j) away.Q(k, j) = 1e-6 * stream.normal();
    }
    const double slowest = spectrum.back().real(), rate = 0.2 / largest;
    WeightUpdate weights = plus(rest, 1.0, away);
    const auto steps = static_cast<int>(6.0 / (rate * std::abs(slowest)));
    double before = 0;
    for (int step = 0; step < 2 * steps; ++step) {
        if (step == steps) before = share_outside_invariant_set(weights);
        weights = plus(weights, rate, expected_update(moments, weights));
    }
    const double measured = std::log(share_outside_invariant_set(weights) / before) / (steps * rate);
    CHECK(measured == doctest::Approx(slowest).epsilon(0.1));
}

namespace {

constexpr double kGammaOfLemma = 0.8;

// The value after some layers at parameters: reward, next value, current value, scores by columns.
Vec value_at(const Vec& at, const Mat& counts, const Vec& reward, int layers) {
    const Index m = counts.rows();
    const SoftmaxTdOperators of = softmax_td_operators(counts, ConstMatView::by_cols(at.data() + 3, m, m));
    Vec v = Vec::Zero(m);
    for (int l = 0; l < layers; ++l)
        v = v + at[0] * (of.M * reward) + at[1] * kGammaOfLemma * (of.P * v) + at[2] * (of.M * v);
    return v;
}

}  // namespace

TEST_CASE("the gradient by the theorem's parameters is that of finite differences") {
    const LemmaChain chain({.num_states = 4, .gamma = kGammaOfLemma, .sharpness = 1.5}, 2);
    const Mat counts = chain.counts(300, 0);
    const auto found = chain.gradients(counts, 6);
    Vec at(3 + 16);
    at.head(3) = Vec::of({1, 1, -1});
    MatView::by_cols(at.data() + 3, 4, 4) = chain.scores();
    CHECK((found.values.back() - value_at(at, counts, chain.mrp().reward, 6)).norm() < 1e-12);
    for (Index i = 0; i < at.size(); ++i) {
        Vec above = at, below = at;
        above[i] += 1e-5;
        below[i] -= 1e-5;
        const Vec slope =
            (value_at(above, counts, chain.mrp().reward, 6) - value_at(below, counts, chain.mrp().reward, 6)) / 2e-5;
        CHECK((found.by_layer.back().col(i) - slope).norm() < 1e-8);
    }
}

TEST_CASE("the population's transitions have its margin and no bias") {
    const LemmaChain chain({.sharpness = 12.0}, 0);
    const Deviations found = chain.deviations(chain.population_counts());
    CHECK(found.margin == doctest::Approx(chain.margin()));
    CHECK(found.bias < 1e-12);
    CHECK(found.kernel < 1e-12);
}

TEST_CASE("independent states have no eigenvalue left, lazy ones a large one") {
    const LemmaChain chain({}, 1), lazy({.laziness = 0.9}, 1);
    CHECK(chain.frequency_bound(100, 0.05, false) == doctest::Approx(std::sqrt(std::log(400.0) / 200)));
    CHECK(lazy.frequency_bound(100, 0.05) > 3 * chain.frequency_bound(100, 0.05));
}
