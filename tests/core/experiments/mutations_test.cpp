// Wrong networks and wrong laws, judged by the claims that should catch them: the table of "Claims with power" in the
// handbook. Figures judge weights from a file, without a step of training.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/algorithms/regression_descent.h"
#include "core/base/line_fit.h"
#include "core/base/rng.h"
#include "core/experiments/policy_improvement/improvement_figures.h"
#include "core/experiments/registry.h"
#include "core/experiments/regression/regression_study.h"
#include "core/experiments/softmax_td/softmax_construction.h"
#include "core/files/npz.h"
#include "core/measures/closed_loop.h"
#include "core/measures/improvement_manifold.h"
#include "core/measures/regret_law.h"
#include "tests/support/scratch.h"

namespace emergence::mutations_test {
namespace {

constexpr int kMutantWidth = 4, kMutantRows = 9;
constexpr size_t kMutants = 30;

const Claim& claim_named(const std::string& name) {
    for (const ExperimentInfo& info : experiments())
        for (const Claim& claim : info.claims)
            if (claim.name == name) return claim;
    FAIL("no claim " << name);
    std::abort();
}

Verdict judged(const std::string& claim, const Measurement& measured) {
    return verdict_of(claim_named(claim), measured);
}

// What a seed of linear attention has learned, entry by entry: values of the published Figure 2.
struct Learned {
    double corner = 1.6, left = -4.3 / kMutantWidth, right = 3.3 / kMutantWidth;
    double noise = 0.04;
};

// P and Q of many seeds; `layer` says what a layer of a seed has learned.
template <class Layer>
ArrayMap network_weights(size_t layers, const Layer& layer) {
    ArrayMap weights;
    for (const char* name : {"P", "Q"}) {
        std::vector<float> values;
        for (size_t seed = 0; seed < kMutants; ++seed)
            for (size_t l = 0; l < layers; ++l) {
                const Learned learned = layer(seed, l);
                Stream stream(seed, Purpose::testing, static_cast<uint32_t>(2 * l + (*name == 'P' ? 0 : 1)));
                const double spread = 1 + 0.1 * stream.normal();
                for (int i = 0; i < kMutantRows; ++i)
                    for (int j = 0; j < kMutantRows; ++j) {
                        double entry = learned.noise * stream.normal();
                        if (*name == 'P' && i + j == 2 * (kMutantRows - 1)) entry += learned.corner * spread;
                        if (*name == 'Q' && i < kMutantWidth && j == i) entry += learned.left * spread;
                        if (*name == 'Q' && i < kMutantWidth && j == kMutantWidth + i)
                            entry += learned.right * spread;
                        values.push_back(static_cast<float>(entry));
                    }
            }
        weights[name] = {{kMutants, layers, kMutantRows, kMutantRows}, std::move(values)};
    }
    return weights;
}

// The claims of a figure of "td" that do not agree with these weights.
std::set<std::string> caught(const std::string& name, const ArrayMap& weights, bool sequential,
                             const std::string& activation = "identity") {
    testing::Scratch scratch;
    write_npz(scratch / "weights.npz", weights);
    const ExperimentInfo& info = find_experiment("td");
    Settings settings(info.fields);
    settings.set("weights", (scratch / "weights.npz").string());
    settings.set("num_mrps", int64_t{0});
    settings.set("seeds", static_cast<int64_t>(kMutants));
    settings.set("num_layers", int64_t{3});
    settings.set("sequential", sequential);
    settings.set("activation", activation);
    settings.set("bank_size", int64_t{64});
    std::set<std::string> claims;
    for (const FigureInfo& figure : info.figures)
        if (figure.name == name)
            for (const MeasuredClaim& measured : figure.build(info, settings, {}).measured)
                if (judged(measured.name, measured.measurement) != Verdict::agrees)
                    claims.insert(measured.name.substr(name.size() + 1));
    return claims;
}

std::set<std::string> caught_by_figure_2(const Learned& learned, size_t untrained = 0) {
    return caught("wang-2",
                  network_weights(1,
                                  [&](size_t seed, size_t) {
                                      return seed < kMutants - untrained ? learned : Learned{0, 0, 0, 0.1};
                                  }),
                  false);
}

std::set<std::string> caught_by_figure_7(const std::vector<Learned>& layers) {
    return caught("wang-7", network_weights(3, [&](size_t, size_t l) { return layers[l]; }), true);
}

using Names = std::set<std::string>;

}  // namespace

TEST_CASE("Figure 2's claims agree with the published weights and catch wrong ones") {
    const Learned whole;
    CHECK(caught_by_figure_2(whole).empty());
    // Untrained.
    CHECK(caught_by_figure_2({0, 0, 0, 0.1}) ==
          Names{"always", "corner", "iws", "upper-left", "upper-right"});
    // No bootstrapping. Cosines with batch TD do not see it.
    CHECK(caught_by_figure_2({1.6, whole.left, 0, 0.04}) == Names{"always", "upper-right"});
    // The wrong sign of the update.
    CHECK(caught_by_figure_2({1.6, -whole.left, -whole.right, 0.04}) ==
          Names{"always", "iws", "upper-left", "upper-right"});
    // Half the step.
    CHECK(caught_by_figure_2({1.6, whole.left / 2, whole.right / 2, 0.04}) ==
          Names{"upper-left", "upper-right"});
    // A quarter of the seeds trained, and half of them.
    CHECK(caught_by_figure_2(whole, 22) == Names{"always", "corner", "iws", "upper-left", "upper-right"});
    CHECK(caught_by_figure_2(whole, 15) == Names{"always", "corner", "iws", "upper-left", "upper-right"});
    // Entries that theory has not.
    CHECK(caught_by_figure_2({1.6, whole.left, whole.right, 0.3}).contains("q-others"));
}

TEST_CASE("Figure 7's claims agree with bootstrapping that fades and catch what does not") {
    const Learned full, half{1.6, full.left, full.right / 2}, none{1.6, full.left, 0};
    CHECK(caught_by_figure_7({full, half, none}).empty());
    CHECK(caught_by_figure_7({full, full, full}) == Names{"fades"});
    CHECK(caught_by_figure_7({none, none, none}).contains("input"));
    const Learned wrong{1.6, -full.left, -full.right};
    CHECK(caught_by_figure_7({wrong, {1.6, -full.left, -full.right / 2}, wrong}).contains("input"));
    const Learned untrained{0, 0, 0, 0.1};
    CHECK(caught_by_figure_7({untrained, untrained, untrained}).contains("p"));
}

TEST_CASE("the distance to the manifold catches wrong updates of SARSA") {
    const ImprovementShape shape{{Improvement::sarsa, 9, 4, 36, 0}, 20};
    const EffectiveBlocks right = constructed_blocks(shape, 0.2, 0.8);
    const auto verdict = [&](EffectiveBlocks blocks) {
        return judged("policy-2-sarsa", {fit_manifold(blocks, right).relative});
    };
    CHECK(verdict(rescaled(right, -2.0)) == Verdict::agrees);
    const auto next_scaled = [&](double by) {
        EffectiveBlocks blocks = right;
        blocks.P12.middleRows(shape.sizes.d, shape.sizes.d) *= by;
        return blocks;
    };
    CHECK(verdict(next_scaled(1.01)) == Verdict::fails);             // the discount 1 % off
    CHECK(verdict(next_scaled(0.0)) == Verdict::fails);              // no bootstrapping
    CHECK(verdict(next_scaled(-1.0)) == Verdict::fails);             // bootstrapping with the wrong sign
    CHECK(verdict({0.5 * right.P12, right.V21}) == Verdict::fails);  // half the step
    EffectiveBlocks turned = right;
    turned.V21 = -turned.V21;
    CHECK(verdict(turned) == Verdict::fails);  // away from the target
}

TEST_CASE("Figure 3's claims of SARSA in closed loop catch wrong updates") {
    ClosedLoopOptions options;
    options.shape = {{Improvement::sarsa, 9, 4, 36, 0}, 20};
    options.mdps = 30;
    options.updates = 1000;
    options.every = 50;
    options.rollouts = 0;
    const ClosedLoop loop(options);
    const EffectiveBlocks right = constructed_blocks(options.shape, 0.2, 0.8);
    const auto levels = [](const std::vector<double>& values) {
        std::vector<std::vector<double>> rows;
        for (const double value : values) rows.push_back({value, value});
        return rows;
    };
    const auto caught = [&](const EffectiveBlocks& blocks) {
        const std::vector<float> weights = weights_of<float>(options.shape, blocks);
        PlotSpec plot;
        plot.series = {{"oracle", {0, 1000}, levels(loop.oracle())},
                       {"random", {0, 1000}, levels(loop.random())},
                       {"teacher", loop.measured_at(), loop.teacher()},
                       {"transformer", loop.measured_at(), loop.transformer(weights.data())}};
        Names names;
        for (const MeasuredClaim& one : closed_loop_claims(plot, "policy-3-sarsa"))
            if (judged(one.name, one.measurement) != Verdict::agrees) names.insert(one.name.substr(9));
        return names;
    };
    CHECK_FALSE(caught(right).contains("sarsa"));
    CHECK_FALSE(caught(right).contains("sarsa-horizon"));
    EffectiveBlocks turned = right, still = right;
    turned.V21 = -turned.V21;
    still.V21.setZero();
    // Away from the target; nothing written, as an untrained network; half the step.
    for (const EffectiveBlocks& wrong : {turned, still, EffectiveBlocks{0.5 * right.P12, right.V21}}) {
        const Names names = caught(wrong);
        CHECK(names.contains("sarsa"));
        CHECK(names.contains("sarsa-horizon"));
    }
    CHECK(caught(still).contains("sarsa-gain"));
    CHECK(caught(turned).contains("sarsa-gain"));
    CHECK(caught(still).contains("sarsa-rapid"));
    CHECK(caught({0.05 * right.P12, right.V21}).contains("sarsa-rapid"));
}

TEST_CASE("Figure 4's claims of the loss tell an exponential fall from slower ones") {
    std::vector<double> mdps;
    for (int i = 0; i <= 100; ++i) mdps.push_back(100.0 * i);
    const auto verdict = [&](double (*log_loss)(double)) {
        std::vector<double> logs;
        for (const double at : mdps) logs.push_back(log_loss(at));
        return judged("policy-4-sarsa-exponential", {fit_line(mdps, logs).correlation});
    };
    CHECK(verdict([](double at) { return -at / 400; }) == Verdict::agrees);
    CHECK(verdict([](double at) { return -std::log(1 + at); }) == Verdict::fails);          // as 1 / t
    CHECK(verdict([](double at) { return -std::min(at, 500.0) / 20; }) == Verdict::fails);  // a plateau
    CHECK(judged("policy-4-sarsa", {1e-4}) == Verdict::fails);          // where 1 / t ends
    CHECK(judged("policy-4-sarsa-constant", {1.0}) == Verdict::fails);  // the rate's decay changes nothing
}

TEST_CASE("the softmax paper's claims catch flat kernels, small steps and untrained networks") {
    SoftmaxConstructionConfig config;
    const auto verdicts = [&](double step_size, double sharpness) {
        config.step_size = step_size;
        double first = 0, last = 0, zero = 0;
        for (const int n : {5, 120}) {
            config.context_length = n;
            config.bank_size = 60;
            const auto bank = softmax_bank(config);
            for (int i = 0; i < 60; ++i) {
                const ConstructionErrors errors = construction_errors(*bank, i, config, sharpness);
                (n == 5 ? first : last) += errors.transformer;
                zero += n == 5 ? 0 : errors.zero;
            }
        }
        return std::pair(judged("softmax-1-falls", {last / first}), judged("softmax-1-low", {last / zero}));
    };
    CHECK(verdicts(1.0, 4.0) == std::pair(Verdict::agrees, Verdict::agrees));
    CHECK(verdicts(0.01, 4.0) == std::pair(Verdict::fails, Verdict::fails));   // hardly a step
    CHECK(verdicts(-1.0, 4.0) == std::pair(Verdict::agrees, Verdict::fails));  // the wrong sign

    const ExperimentInfo& info = find_experiment("softmax-td");
    const auto caught = [&](const char* name, int64_t seeds) {
        Settings settings(info.fields);
        settings.set("num_updates", int64_t{0});
        settings.set("seeds", seeds);
        Names names;
        for (const FigureInfo& figure : info.figures)
            if (figure.name == name)
                for (const MeasuredClaim& one : figure.build(info, settings, {}).measured)
                    if (judged(one.name, one.measurement) != Verdict::agrees) names.insert(one.name);
        return names;
    };
    CHECK(caught("softmax-5", 2).contains("softmax-5-kappa"));
    const Names demo = caught("softmax-3", 10), clamp = caught("softmax-clamp", 2);
    CHECK(demo.contains("softmax-3-demo"));
    CHECK(demo.contains("softmax-3-flip"));
    CHECK(clamp.contains("softmax-clamp-sharp"));
    CHECK(clamp.contains("softmax-clamp-update"));
    CHECK(judged("softmax-clamp-flat", {0.8}) == Verdict::fails);  // P that learns whatever the kernel
}

TEST_CASE("Figures 8 and 11 catch untrained networks, Figure 8 also linear TD") {
    const auto untrained = [](size_t, size_t) { return Learned{0, 0, 0, 0.1}; };
    const Names wang_8 = caught("wang-8", network_weights(1, untrained), false, "softmax");
    CHECK(wang_8 == Names{"iws", "iws-rises", "ss-drops", "ss-representable", "ss-rises"});
    // Linear attention that runs TD: its sensitivities are right in either setting.
    const auto td = [](size_t, size_t) { return Learned{}; };
    CHECK(caught("wang-8", network_weights(1, td), false, "identity") ==
          Names{"iws-rises", "ss-drops", "ss-representable", "ss-rises"});
    const ExperimentInfo& info = find_experiment("td");
    Settings settings(info.fields);
    settings.set("model", std::string("rnn"));
    settings.set("num_mrps", int64_t{0});
    settings.set("seeds", int64_t{8});
    settings.set("bank_size", int64_t{64});
    for (const FigureInfo& figure : info.figures)
        if (figure.name == "wang-11")
            for (const MeasuredClaim& one : figure.build(info, settings, {}).measured)
                CHECK((judged(one.name, one.measurement) == Verdict::agrees) ==
                      (one.name == "wang-11-stays"));
}

TEST_CASE("Theorem 1's claim catches preconditioners that forget the sampling") {
    RegressionConfig config;
    config.layers = 1;
    config.prior = WeightPrior::identity;
    config.n = 20;
    const Covariance covariance = covariance_of(config, 0);
    const RegressionWorld world(config);
    const auto verdict = [&](const Eigen::VectorXd& diagonal) {
        InContextWeights weights(config.d, 1);
        weights.set_layer(0, -covariance.U.transpose() * diagonal.asDiagonal() * covariance.U,
                          Eigen::MatrixXd::Zero(config.d, config.d));
        const auto loss = make_in_context_loss<double>(weights.shape());
        return judged("regression-theorem-1",
                      {measure_weights(config, world, covariance, weights, *loss).closed_form_error});
    };
    const Eigen::VectorXd& lambda = covariance.eigenvalues;
    CHECK(verdict(one_layer_preconditioner(lambda, WeightPrior::identity, config.n)) == Verdict::agrees);
    CHECK(verdict(lambda.cwiseInverse()) == Verdict::fails);            // infinitely many pairs
    CHECK(verdict(Eigen::VectorXd::Ones(config.d)) == Verdict::fails);  // plain gradient descent
    CHECK(verdict(one_layer_preconditioner(lambda, WeightPrior::identity, 2 * config.n)) == Verdict::fails);
}

TEST_CASE("the claims on growth tell the laws of theory from their neighbours") {
    const std::vector<double> x = {1, 2, 4, 8, 16, 32};
    const auto verdict = [&](const char* claim, double exponent) {
        Stream stream(6, Purpose::testing);
        std::vector<std::vector<double>> rows(100);
        for (auto& row : rows)
            for (const double at : x) row.push_back(std::pow(at, exponent) * (1 + 0.3 * stream.normal()));
        const FittedExponent fitted = fitted_exponent(x, rows);
        return judged(claim, {fitted.value, "", Range{fitted.low, fitted.high}, 100});
    };
    CHECK(verdict("nonstationary-sqrt-j", 0.5) == Verdict::agrees);
    CHECK(verdict("nonstationary-sqrt-j", 1.0 / 3) == Verdict::fails);
    CHECK(verdict("nonstationary-sqrt-j", 1.0) == Verdict::fails);
    CHECK(verdict("nonstationary-third-delta", 1.0 / 3) == Verdict::agrees);
    CHECK(verdict("nonstationary-third-delta", 0.5) == Verdict::fails);
    CHECK(verdict("nonstationary-third-delta", 0.24) == Verdict::known_difference);
    CHECK(verdict("nonstationary-linucb-linear", 1.0) == Verdict::agrees);
    CHECK(verdict("nonstationary-linucb-linear", 0.75) == Verdict::fails);
    CHECK(verdict("softmax-theorem-2-floor", -0.5) == Verdict::agrees);
    CHECK(verdict("softmax-theorem-2-floor", -1.0 / 3) == Verdict::fails);
    CHECK(verdict("softmax-theorem-2-floor", -1.0) == Verdict::fails);
}

}  // namespace emergence::mutations_test
