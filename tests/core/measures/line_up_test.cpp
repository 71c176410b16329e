// The line-up recovers each family from a network that was constructed to be of it.
#include "core/measures/line_up.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/measures/map_follower.h"
#include "core/models/constructions.h"
#include "tests/core/measures/naive_families.h"

namespace emergence::line_up_test {
namespace {

constexpr int kD = 3, kLayers = 3, kRows = 2 * kD + 1;

std::shared_ptr<const HeldOutBank> bank() {
    static const auto made = std::make_shared<const HeldOutBank>(
        BankOptions{.tasks = {.num_states = 8, .d = kD, .gamma = 0.9}, .size = 160, .context_lengths = {25}});
    return made;
}

LineUp line_up_of(int layers = kLayers) {
    return LineUp(std::make_shared<const MapBench>(std::make_shared<const LineUpPrompts>(*bank(), 0, 0, 64),
                                                   std::make_shared<const LineUpPrompts>(*bank(), 0, 64, 96)),
                  layers);
}

// A sequential network of these layers, as flat weights.
struct Network {
    std::vector<float> P, Q;
    explicit Network(const std::vector<ConstructedLayer>& layers) {
        for (const ConstructedLayer& layer : layers)
            for (int i = 0; i < kRows; ++i)
                for (int j = 0; j < kRows; ++j) {
                    P.push_back(static_cast<float>(layer.P(i, j)));
                    Q.push_back(static_cast<float>(layer.Q(i, j)));
                }
    }
    LinearAttentionView view() const { return {kLayers, kLayers, P.data(), Q.data()}; }
};

Eigen::MatrixXd scaled(double alpha) { return alpha * Eigen::MatrixXd::Identity(kD, kD); }

constexpr double kAlphas[] = {0.9, 1.6, 0.5};

// The network that a family's parameters describe.
Network constructed_network(Family family, const Eigen::VectorXd& p) {
    std::vector<ConstructedLayer> layers;
    for (int l = 0; l < kLayers; ++l) {
        const double alpha = kAlphas[l];
        ConstructedLayer layer = td_construction(scaled(alpha));
        switch (family) {
            case Family::reward_correlation:
                layer = td_construction(scaled(l == 0 ? p[0] : 0.0));
                break;
            case Family::no_bootstrap:
                layer.Q.block(0, kD, kD, kD).setZero();
                break;
            case Family::td:
                layer = td_construction(scaled(p[0]));
                break;
            case Family::td_steps:
                break;
            case Family::td_matrices:
                layer = td_construction(
                    Eigen::Map<const Eigen::Matrix<double, kD, kD, Eigen::RowMajor>>(p.data() + l * kD * kD));
                break;
            case Family::residual_gradient:
                layer = residual_gradient_construction(scaled(alpha));
                break;
            case Family::td_features:  // Q as it is without a step size, which P has with the maps
                layer = td_construction(scaled(1.0));
                layer.P *= p[3 * l];
                layer.P.topLeftCorner(kD, kD) += p[3 * l + 1] * Eigen::MatrixXd::Identity(kD, kD);
                layer.P.block(kD, kD, kD, kD) += p[3 * l + 2] * Eigen::MatrixXd::Identity(kD, kD);
        }
        layers.push_back(layer);
    }
    return Network(layers);
}

Eigen::VectorXd some_parameters(Family family) {
    Eigen::VectorXd p(num_parameters(family, kD, kLayers));
    Stream stream(3, Purpose::held_out, 0, 0);
    for (int k = 0; k < p.size(); ++k) p[k] = 0.2 * stream.normal();
    if (p.size() == 1) p[0] = 1.2;
    if (p.size() == kLayers)
        for (int l = 0; l < kLayers; ++l) p[l] = kAlphas[l];
    for (int l = 0; l < kLayers; ++l) {
        if (family == Family::td_matrices)
            for (int i = 0; i < kD; ++i) p[(l * kD + i) * kD + i] += 1.0;
        if (family == Family::td_features) p[3 * l] = kAlphas[l];
    }
    return p;
}

const Family kEvery[] = {Family::reward_correlation, Family::no_bootstrap,      Family::td,         Family::td_steps,
                         Family::td_matrices,        Family::residual_gradient, Family::td_features};

}  // namespace

TEST_CASE("a family's weight is that of the network constructed to be of it") {
    const LineUpPrompts prompts(*bank(), 0, 5, 40);  // from within a group of lanes
    for (const Family family : kEvery) {
        CAPTURE(family_texts()[static_cast<size_t>(family)].name);
        const Eigen::VectorXd p = some_parameters(family);
        const Network network = constructed_network(family, p);
        const auto wanted = prompts.network_weights(network.view());
        for (int i = 0; i < prompts.size(); ++i) {
            const Eigen::VectorXd w = naive::family_weights(family, prompts.context(i), kLayers, p);
            CHECK((w - wanted[static_cast<size_t>(i)]).norm() < 1e-5 * wanted[static_cast<size_t>(i)].norm());
        }
    }
}

TEST_CASE("sums over prompts, in lanes and by hand-made derivatives, are those of the plain form differentiated") {
    const LineUpPrompts prompts(*bank(), 0, 5, 40);
    const MapPrompts lanes(prompts);
    for (const auto& [family, kind] :
         {std::pair{Family::td_matrices, MapKind::matrices}, {Family::td_features, MapKind::features}})
        for (const int layers : {1, 2, 3, 5}) {
            CAPTURE(family_texts()[static_cast<size_t>(family)].name);
            CAPTURE(layers);
            Eigen::VectorXd p(num_parameters(family, kD, layers));
            Stream stream(4, Purpose::held_out);
            for (double& entry : p) entry = 0.3 * stream.normal();
            NormalEquations plain{0, Eigen::MatrixXd::Zero(p.size(), p.size()), Eigen::VectorXd::Zero(p.size())};
            std::vector<Eigen::VectorXd> wanted;
            for (int i = 0; i < prompts.size(); ++i) {
                wanted.push_back(Eigen::VectorXd::NullaryExpr(kD, [&stream] { return stream.normal(); }));
                const Eigen::VectorXd off =
                    naive::family_weights(family, prompts.context(i), layers, p) - wanted.back();
                const Eigen::MatrixXd J = naive::family_derivatives(family, prompts.context(i), layers, p);
                plain.loss += off.dot(prompts.moments(i) * off);
                plain.gradient += J.transpose() * prompts.moments(i) * off;
                plain.curvature += J.transpose() * prompts.moments(i) * J;
            }
            const MapTarget target(lanes, lanes.in_lanes(wanted));
            const NormalEquations at = target.linearise(p, nullptr, kind);
            CHECK(std::abs(at.loss - plain.loss) < 1e-12 * plain.loss);
            CHECK(target.loss(p, kind) == at.loss);
            CHECK((at.gradient - plain.gradient).norm() < 1e-12 * plain.gradient.norm());
            CHECK((at.curvature - plain.curvature).norm() < 1e-12 * plain.curvature.norm());
        }
}

TEST_CASE("the line-up recovers each family from its own network, and judges on prompts it was not fitted to") {
    for (const Family family : kEvery) {
        CAPTURE(family_texts()[static_cast<size_t>(family)].name);
        const Eigen::VectorXd p = some_parameters(family);
        const Network network = constructed_network(family, p);
        LineUp line_up = line_up_of();
        line_up.follow(network.view(), 60);
        CHECK(line_up.unexplained(family) < 1e-10);  // the network computes in float
        for (const Family other : kEvery) {          // the share of all lies between those of single prompts
            const auto shares = line_up.unexplained_by_prompt(network.view(), other);
            CHECK(shares.size() == 96);
            CHECK(*std::min_element(shares.begin(), shares.end()) <= line_up.unexplained(other));
            CHECK(*std::max_element(shares.begin(), shares.end()) >= line_up.unexplained(other));
        }
        Eigen::VectorXd found = line_up.parameters(family), wanted = p;
        if (p.size() == kLayers)  // steps that commute
            for (Eigen::VectorXd* steps : {&found, &wanted}) std::sort(steps->begin(), steps->end());
        if (family == Family::td_features)  // what the last layer makes of features nobody reads
            for (Eigen::VectorXd* maps : {&found, &wanted}) maps->tail(2).setZero();
        CHECK((found - wanted).norm() < 1e-3 * p.norm());
        // The simplest family that explains it is this one.
        int explaining = 0;
        for (const Family other : kEvery)
            if (num_parameters(other, kD, kLayers) < p.size() && line_up.unexplained(other) < 1e-6) ++explaining;
        CHECK(explaining == 0);
    }
}

TEST_CASE("families within others never do better on the prompts fitted to, and fits follow what moves") {
    LineUp line_up = line_up_of();
    Stream stream(9, Purpose::held_out, 0, 0);
    Network network = constructed_network(Family::td_matrices, some_parameters(Family::td_matrices));
    for (float& value : network.P) value += static_cast<float>(0.05 * stream.normal());
    for (float& value : network.Q) value += static_cast<float>(0.05 * stream.normal());
    line_up.follow(network.view(), 40);
    const double td = line_up.unexplained(Family::td), steps = line_up.unexplained(Family::td_steps),
                 matrices = line_up.unexplained(Family::td_matrices),
                 rewards = line_up.unexplained(Family::reward_correlation);
    CHECK(td > 1e-4);
    CHECK(steps < 1.05 * td);   // judged elsewhere than fitted: a little may be lost
    CHECK(matrices < rewards);  // of many parameters: judged elsewhere it may lose to the simpler one
    CHECK(steps < rewards);
    // The network moves a little: two steps are enough to follow.
    for (float& value : network.Q) value *= 1.02F;
    LineUp fresh = line_up_of();
    fresh.follow(network.view(), 60);
    line_up.follow(network.view(), 2);
    for (const Family family : {Family::td, Family::td_steps, Family::td_matrices})
        CHECK(line_up.unexplained(family) == doctest::Approx(fresh.unexplained(family)).epsilon(0.02));
}

TEST_CASE("a line-up that was kept goes on to the same bits, and refuses another's") {
    const Network network = constructed_network(Family::td_steps, some_parameters(Family::td_steps));
    LineUp whole = line_up_of(), first = line_up_of(), second = line_up_of();
    whole.follow(network.view(), 2);
    first.follow(network.view(), 2);
    second.load(first.save());
    whole.follow(network.view(), 2);
    second.follow(network.view(), 2);
    CHECK(second.save() == whole.save());
    LineUp other = line_up_of(2);
    CHECK_THROWS_WITH_AS(other.load(whole.save()), doctest::Contains("array 'line_up' is of another size"), InputError);
    CHECK_THROWS_WITH_AS(other.load({{1}, std::vector<int64_t>{1}}),
                         doctest::Contains("array 'line_up' is of another size"), InputError);
}

TEST_CASE("a network that predicts zero leaves no share") {
    Network zero = constructed_network(Family::td, some_parameters(Family::td));
    std::fill(zero.P.begin(), zero.P.end(), 0.0F);
    LineUp line_up = line_up_of();
    line_up.follow(zero.view(), 2);
    for (const Family family : kEvery) CHECK(std::isnan(line_up.unexplained(family)));
}

}  // namespace emergence::line_up_test
