// Wrong networks and wrong laws, judged by the claims that should catch them: the table of "Claims with power" in the
// handbook. Figures judge weights from a file, without a step of training.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/algorithms/regression_descent.h"
#include "core/base/line_fit.h"
#include "core/base/rng.h"
#include "core/experiments/figure_parts.h"
#include "core/experiments/in_context_td/td_figures.h"
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

constexpr Learned kUntrained{0, 0, 0, 0.1};

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

using Names = std::set<std::string>;
using NewSettings = std::vector<std::pair<const char*, std::string>>;

// The claims about a figure that do not agree with what it measures under these settings, without the figure's name.
Names caught(const char* experiment, const std::string& name, const NewSettings& changes) {
    const ExperimentInfo& info = find_experiment(experiment);
    Settings settings(info.fields);
    for (const auto& [field, value] : changes) settings.set_from_text(field, value);
    Names claims;
    for (const FigureInfo& figure : info.figures)
        if (figure.name == name)
            for (const MeasuredClaim& one : figure.build(info, settings, {}).measured)
                if (judged(one.name, one.measurement) != Verdict::agrees)
                    claims.insert(one.name.substr(name.size() + 1));
    return claims;
}

// Those of a figure of "td", of these weights without a step of training.
Names caught_by_weights(const std::string& name, const ArrayMap& weights, NewSettings changes = {}) {
    testing::Scratch scratch;
    write_npz(scratch / "weights.npz", weights);
    changes.insert(changes.end(), {{"weights", (scratch / "weights.npz").string()},
                                   {"num_mrps", "0"},
                                   {"seeds", std::to_string(kMutants)},
                                   {"num_layers", "3"},
                                   {"bank_size", "64"}});
    return caught("td", name, changes);
}

Names caught_by_figure_2(const Learned& learned, size_t untrained = 0) {
    return caught_by_weights("wang-2", network_weights(1, [&](size_t seed, size_t) {
                                 return seed < kMutants - untrained ? learned : kUntrained;
                             }));
}

Names caught_by_figure_7(const std::vector<Learned>& layers) {
    return caught_by_weights("wang-7", network_weights(3, [&](size_t, size_t l) { return layers[l]; }),
                             {{"sequential", "true"}});
}

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

TEST_CASE("the claims about the loss and its rate catch laws in which the rate is not squared") {
    for (const char* claim : {"policy-decay-slow", "policy-decay-paper", "policy-decay-fast"}) {
        CHECK(judged(claim, {1.0}) == Verdict::fails);  // the rate itself, as noisy gradients leave it
        CHECK(judged(claim, {3.0}) == Verdict::fails);
    }
    CHECK(judged("policy-decay-pace", {1.0}) == Verdict::fails);       // gradient flow's own pace
    CHECK(judged("policy-decay-constant", {1e-6}) == Verdict::fails);  // a fall without decay
}

TEST_CASE("the claims about MDPs outside training catch what learns nothing, or stays where it is") {
    CHECK(judged("policy-held-out", {1.0}) == Verdict::fails);
    CHECK(judged("policy-gap", {1.0}) == Verdict::fails);  // 10,000 updates and no exploration change nothing
    CHECK(judged("policy-gap-cause", {1.0}) == Verdict::fails);     // a falling step does not
    CHECK(judged("policy-gap-features", {1.0}) == Verdict::fails);  // a table has no gap
    CHECK(caught("policy-flow", "policy-flow", {{"num_steps", "1"}}) == Names{"near", "random"});
}

TEST_CASE("the bandits' figures catch networks that learn nothing, and one that knows other frequencies") {
    const NewSettings untrained = {{"num_steps", "0"}, {"bank_size", "8"}, {"arms", "3"}, {"d", "4"}};
    for (const FigureInfo& figure : find_experiment("bandit-train").figures) {
        const ExperimentInfo& info = find_experiment("bandit-train");
        Settings settings(info.fields);
        for (const auto& [field, value] : untrained) settings.set_from_text(field, value);
        for (const MeasuredClaim& one : figure.build(info, settings, {}).measured)
            if (one.name == "nonstationary-by-heart")
                CHECK(judged(one.name, one.measurement) == Verdict::fails);
    }
    const NewSettings by_heart = {{"transformer", "memorise"}, {"num_environments", "60"}};
    CHECK(caught("bandit-eval", "nonstationary-5", by_heart) == Names{"consistent", "settles"});
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

    const auto untrained = [](const char* figure, const char* seeds) {
        return caught("softmax-td", figure, {{"num_updates", "0"}, {"seeds", seeds}});
    };
    CHECK(untrained("softmax-5", "2").contains("kappa"));
    CHECK(untrained("softmax-6", "2") == Names{"annealing", "relaxed"});
    const Names demo = untrained("softmax-3", "10"), clamp = untrained("softmax-clamp", "2");
    CHECK(demo.contains("demo"));
    CHECK(demo.contains("flip"));
    CHECK(clamp.contains("sharp"));
    CHECK(clamp.contains("update"));
    CHECK(judged("softmax-3-v-later", {0.0}) == Verdict::fails);   // V and A that rise together
    CHECK(judged("softmax-clamp-flat", {0.8}) == Verdict::fails);  // P that learns whatever the kernel
}

TEST_CASE("Figures 8 and 11 catch untrained networks, Figure 8 also linear TD") {
    const auto untrained = [](size_t, size_t) { return kUntrained; };
    const Names wang_8 =
        caught_by_weights("wang-8", network_weights(1, untrained), {{"activation", "softmax"}});
    CHECK(wang_8 == Names{"iws", "iws-rises", "ss-drops", "ss-representable", "ss-rises"});
    // Linear attention that runs TD: its sensitivities are right in either setting.
    const auto td = [](size_t, size_t) { return Learned{}; };
    CHECK(caught_by_weights("wang-8", network_weights(1, td)) ==
          Names{"iws-rises", "ss-drops", "ss-representable", "ss-rises"});
    const NewSettings recurrent = {{"model", "rnn"}, {"num_mrps", "0"}, {"seeds", "8"}, {"bank_size", "64"}};
    CHECK(caught("td", "wang-11", recurrent) == Names{"falls"});
}

TEST_CASE("Figure 6's claims catch networks that learn nothing") {
    const NewSettings still = {{"sequential", "true"},
                               {"seeds", "8"},
                               {"num_mrps", "600"},
                               {"bank_size", "64"},
                               {"learning_rate", "0"}};
    CHECK(caught("td", "wang-6", still) == Names{"iws", "ss", "vd", "vd-soon"});
}

TEST_CASE("Figure 10's claims catch what does not bootstrap, the wrong sign and untrained networks") {
    const auto cart_pole = [](const Learned& learned) {
        return caught_by_weights("wang-10", network_weights(1, [&](size_t, size_t) { return learned; }),
                                 {{"task", "cart_pole"}, {"n", "250"}});
    };
    const Learned right;
    CHECK(cart_pole(right).empty());
    CHECK(cart_pole({1.6, right.left, 0, 0.04}) == Names{"diagonals", "theorem"});
    CHECK(cart_pole({1.6, right.left, -right.right, 0.04}) == Names{"diagonals", "theorem"});
    CHECK(cart_pole({1.6, -right.left, -right.right, 0.04}) == Names{"theorem"});
    CHECK(cart_pole(kUntrained).contains("theorem"));
}

TEST_CASE("Figure 12's claims catch an error that falls with the context, as batch TD's does") {
    const ExperimentInfo& info = find_experiment("td");
    Settings settings(info.fields);
    for (const auto& [field, value] : NewSettings{{"model", "rnn"}, {"num_mrps", "0"}, {"seeds", "4"}})
        settings.set_from_text(field, value);
    int judged_plots = 0;
    for (const FigureInfo& figure : info.figures) {
        if (figure.name != "wang-12") continue;
        for (const FigureCell& cell : figure.build(info, settings, {}).figure.cells) {
            const auto* plot = std::get_if<PlotSpec>(&cell.content);
            if (!plot || (plot->id != "boyan_0" && plot->id != "loop_0")) continue;
            const Series& td = series_starting(*plot, "batch TD");
            const auto at = [&](double n) {
                const auto place = std::find(td.x.begin(), td.x.end(), n) - td.x.begin();
                return summary_at(td.rows, all_places(td.rows.size()), static_cast<size_t>(place)).mean;
            };
            // On chains ours falls too, which its known difference says.
            if (plot->id == "loop_0")
                CHECK(judged("wang-12-loop-4", {at(40) / at(5)}) == Verdict::fails);
            else
                CHECK(judged("wang-12-boyan-4", {at(40) / at(5)}) == Verdict::known_difference);
            ++judged_plots;
        }
    }
    CHECK(judged_plots == 2);
}

TEST_CASE("the regression paper's figures catch untrained networks") {
    const auto untrained = [](const char* figure, const char* restriction) {
        return caught("regression", figure,
                      {{"num_layers", "3"},
                       {"restriction", restriction},
                       {"spectrum", "paper"},
                       {"prior", "sigma_inverse"},
                       {"num_prompts", "500"},
                       {"num_iterations", "0"},
                       {"seeds", "3"}});
    };
    CHECK(untrained("regression-1", "9") == Names{"whitened", "loss", "almost-0"});
    CHECK(untrained("regression-2", "9") == Names{"all"});
    CHECK(untrained("regression-3", "13") == Names{"whitened", "moves", "loss"});
    CHECK(untrained("regression-4", "13") == Names{"steps"});
}

TEST_CASE("the claim on gradient flow's rate catches one without its factor 2") {
    const double wrong = 0.5;  // of twice the least curvature
    CHECK(judged("policy-theorem-3.2", {std::abs(wrong - 1)}) == Verdict::fails);
    CHECK(judged("policy-theorem-3.2", {std::abs(1 / wrong - 1)}) == Verdict::fails);
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
