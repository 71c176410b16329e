// A network's place on the map while it trains: sums over lanes, fits that follow, and what values do not determine.
#include "core/measures/map_follower.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/measures/algorithm_map.h"
#include "core/measures/held_out_bank.h"

namespace emergence::map_follower_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

const HeldOutBank& bank_of(int d) {
    static const HeldOutBank four({.tasks = {.num_states = 10, .d = 4}, .size = 96, .context_lengths = {30}});
    static const HeldOutBank two({.tasks = {.num_states = 6, .d = 2}, .size = 48, .context_lengths = {20}});
    return d == 4 ? four : two;
}

std::shared_ptr<const MapBench> bench_of(int d) {
    const int half = bank_of(d).options().size / 2;
    return std::make_shared<const MapBench>(std::make_shared<const LineUpPrompts>(bank_of(d), 0, 0, half),
                                            std::make_shared<const LineUpPrompts>(bank_of(d), 0, half, half));
}

// The network whose values are those of a point.
struct PlacedNetwork {
    std::vector<float> P, Q;
    int layers;

    PlacedNetwork(int d, double beta, double c, const std::vector<double>& alphas)
        : layers(static_cast<int>(alphas.size())) {
        const int rows = 2 * d + 1;
        for (const double alpha : alphas) {
            const size_t start = P.size();
            P.resize(start + static_cast<size_t>(rows * rows));
            Q.resize(P.size());
            P.back() = 1;
            const auto q = [&](int i, int j) -> float& { return Q[start + static_cast<size_t>(i * rows + j)]; };
            for (int i = 0; i < d; ++i) {
                q(i, i) = static_cast<float>(-alpha);
                q(i, d + i) = static_cast<float>(alpha * beta);
                q(d + i, i) = static_cast<float>(alpha * c);
                q(d + i, d + i) = static_cast<float>(-alpha * beta * c);
            }
        }
    }
    LinearAttentionView view() const { return {layers, layers, P.data(), Q.data()}; }
};

}  // namespace

TEST_CASE("sums over lanes are those over prompts, wherever the first prompt stands in its group") {
    for (const auto& [d, first, count] : {std::tuple{4, 0, 32}, {4, 5, 30}, {2, 9, 3}}) {
        CAPTURE(d);
        CAPTURE(first);
        const LineUpPrompts prompts(bank_of(d), 0, first, count);
        const MapPrompts lanes(prompts);
        Stream stream(7, Purpose::held_out);
        std::vector<VectorXd> wanted;
        for (int i = 0; i < count; ++i) {
            wanted.emplace_back(d);
            for (double& entry : wanted.back()) entry = stream.normal();
        }
        VectorXd x(5);
        x << 0.7, -0.4, 0.5, 0.9, 1.6;
        const MapPoint point{x[0], x[1], x.tail(3)};
        NormalEquations plain{0, MatrixXd::Zero(5, 5), VectorXd::Zero(5)};
        MatrixXd plain_scatter = MatrixXd::Zero(5, 5);
        for (int i = 0; i < count; ++i) {
            const MatrixXd& context = prompts.context(i);
            const VectorXd off = map_weights(context, point) - wanted[static_cast<size_t>(i)];
            const MatrixXd J = map_derivatives(context, point);
            const VectorXd g = J.transpose() * prompts.moments(i) * off;
            plain.loss += off.dot(prompts.moments(i) * off);
            plain.gradient += g;
            plain.curvature += J.transpose() * prompts.moments(i) * J;
            plain_scatter += g * g.transpose();
        }
        const MapTarget target(lanes, lanes.in_lanes(wanted));
        MatrixXd scatter;
        const NormalEquations summed = target.linearise(x, &scatter);
        CHECK(summed.loss == doctest::Approx(plain.loss).epsilon(1e-12));
        CHECK(target.loss(x) == summed.loss);
        CHECK((summed.gradient - plain.gradient).norm() <= 1e-12 * plain.gradient.norm());
        CHECK((summed.curvature - plain.curvature).norm() <= 1e-12 * plain.curvature.norm());
        CHECK((scatter - plain_scatter).norm() <= 1e-12 * plain_scatter.norm());
    }
}

TEST_CASE("weights that stand still are placed where they are, and the fit says that it rests") {
    for (const int d : {2, 4})
        for (const auto& [beta, c] : {std::pair{1.0, 0.0}, {0.0, 0.0}, {1.0, 1.0}, {0.78, -0.09}}) {
            CAPTURE(beta);
            CAPTURE(c);
            MapFollower map(bench_of(d), 3);
            const PlacedNetwork network(d, beta, c, {0.5, 0.9, 1.6});
            const MapPlace place = map.settle(network.view());
            CHECK(place.beta == doctest::Approx(beta).epsilon(1e-3));
            CHECK(place.c == doctest::Approx(c).epsilon(1e-3));
            CHECK(place.unexplained < 1e-10);  // the network computes in float
            CHECK(place.slope < kMapAtRest);
            CHECK(place.steps > 3);
            CHECK(place.beta_half > 0);
            CHECK(place.beta_half < 0.5);
            const MapPlace again = map.settle(network.view());
            CHECK(again.beta == place.beta);
            CHECK(again.steps == place.steps);
        }
}

TEST_CASE("a fit follows a network on its way, also after it was saved") {
    MapFollower whole(bench_of(4), 3), second(bench_of(4), 3);
    constexpr int kPoints = 60;
    for (int i = 0; i <= kPoints; ++i) {
        const double beta = static_cast<double>(i) / kPoints, c = 0.5 * beta;
        const PlacedNetwork network(4, beta, c, {0.3 + 0.4 * beta, 0.9, 1.2 + beta});
        const MapPlace place = whole.follow(network.view());
        CAPTURE(i);
        CHECK(place.unexplained < 0.02);
        CHECK(std::abs(place.beta - beta) < 0.06);
        CHECK(std::abs(place.c - c) < 0.06);
        if (i == kPoints / 2) second.load(whole.save());
        if (i > kPoints / 2) CHECK(second.follow(network.view()).beta == place.beta);
    }
    CHECK(second.save() == whole.save());
    CHECK_THROWS_WITH_AS(MapFollower(bench_of(4), 2).load(whole.save()),
                         doctest::Contains("array 'map' is of another size"), InputError);
}

TEST_CASE(
    "a fit that explains too little is retried from each landmark, then at every third call, resumed at each or not") {
    PlacedNetwork network(4, 1, 0, {0.5, 0.9, 1.6});
    Stream stream(3, Purpose::testing);
    for (size_t row = 4; row < 8; ++row)  // Q's rows of the next states, in each layer
        for (size_t layer = 0; layer < 3; ++layer)
            for (size_t i = 0; i < 9; ++i) network.Q[layer * 81 + row * 9 + i] += static_cast<float>(stream.normal());
    auto map = std::make_unique<MapFollower>(bench_of(4), 3);
    MapFollower whole(bench_of(4), 3);
    double steps = 0;
    int retries = 0;
    for (int call = 0; call < 12; ++call) {
        CAPTURE(call);
        const MapPlace place = map->follow(network.view());
        REQUIRE(place.unexplained > kMapExplained);
        CHECK(whole.follow(network.view()).beta == place.beta);
        if (call > 0 && place.steps - steps > 2) {  // more than following takes
            CHECK((call < 3 || call % 3 == 0));
            ++retries;
        }
        steps = place.steps;
        auto resumed = std::make_unique<MapFollower>(bench_of(4), 3);
        resumed->load(map->save());
        map = std::move(resumed);
    }
    CHECK(retries == 5);
    CHECK(map->save() == whole.save());
}

TEST_CASE("equal step sizes do not hide how much is bootstrapped") {
    MapFollower map(bench_of(4), 3);
    const PlacedNetwork network(4, 0.8, 0.7, {0.6, 0.8, 0.8});
    for (int i = 0; i < 12; ++i) {
        const MapPlace place = map.follow(network.view());
        if (i < 6) continue;
        CHECK(std::abs(place.beta - 0.8) < 0.01);
        CHECK(place.beta_half < 0.3);
    }
}

TEST_CASE("what values do not determine is not known, and a network that fails does not stop the fit") {
    MapFollower one(bench_of(4), 1);
    const MapPlace single = one.settle(PlacedNetwork(4, 1, 0, {0.8}).view());
    CHECK(std::isnan(single.beta));
    CHECK(std::isnan(single.beta_half));
    CHECK(single.unexplained < 1e-10);
    MapFollower map(bench_of(4), 3);
    CHECK(std::isnan(map.follow(PlacedNetwork(4, 1, 0, {0, 0, 0}).view()).unexplained));
    MapFollower resumed(bench_of(4), 3);
    resumed.load(map.save());  // it has fitted nothing yet
    CHECK(std::isnan(map.follow(PlacedNetwork(4, 1, 0, {1e30, 1e30, 1e30}).view()).unexplained));
    CHECK(map.follow(PlacedNetwork(4, 1, 0, {0.5, 0.9, 1.6}).view()).unexplained < 0.01);
}

}  // namespace emergence::map_follower_test
