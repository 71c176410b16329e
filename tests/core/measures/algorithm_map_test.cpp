// Networks that are built to run a known algorithm lie where it lies on the map.
#include "core/measures/algorithm_map.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/rng.h"
#include "core/measures/held_out_bank.h"

TEST_SUITE_BEGIN("release");

namespace emergence::algorithm_map_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMapD = 4, kMapRows = 2 * kMapD + 1;

const HeldOutBank& map_bank() {
    static const HeldOutBank made(
        {.tasks = {.num_states = 10, .d = kMapD, .gamma = 0.9}, .size = 416, .context_lengths = {30}});
    return made;
}
const LineUpPrompts& fitted() {
    static const LineUpPrompts prompts(map_bank(), 0, 0, 160);
    return prompts;
}
const LineUpPrompts& judged() {
    static const LineUpPrompts prompts(map_bank(), 0, 160, 256);
    return prompts;
}

struct BuiltNetwork {
    std::vector<MatrixXd> P, Q;
};

// The layers whose values are those of a point.
BuiltNetwork network_at(double beta, double c, const std::vector<double>& alphas) {
    BuiltNetwork network;
    const MatrixXd I = MatrixXd::Identity(kMapD, kMapD);
    for (const double alpha : alphas) {
        MatrixXd P = MatrixXd::Zero(kMapRows, kMapRows), Q = P;
        P(kMapRows - 1, kMapRows - 1) = 1;
        Q.topLeftCorner(kMapD, kMapD) = -alpha * I;
        Q.block(0, kMapD, kMapD, kMapD) = beta * alpha * I;
        Q.block(kMapD, 0, kMapD, kMapD) = c * alpha * I;
        Q.block(kMapD, kMapD, kMapD, kMapD) = -c * beta * alpha * I;
        network.P.push_back(P);
        network.Q.push_back(Q);
    }
    return network;
}

std::vector<VectorXd> weights_of(const BuiltNetwork& network, const LineUpPrompts& prompts) {
    std::vector<VectorXd> weights;
    for (int i = 0; i < prompts.size(); ++i)
        weights.push_back(network_weights(prompts.context(i), network.P, network.Q));
    return weights;
}

MapReading reading_of(const BuiltNetwork& network) {
    return read_map(fitted(), judged(), weights_of(network, fitted()), weights_of(network, judged()),
                    static_cast<int>(network.P.size()), 1);
}

const std::vector<double> kMapAlphas = {0.5, 0.9, 1.6};

void add_noise(MatrixXd& matrix, double size, Stream& stream) {
    for (double& entry : matrix.reshaped()) entry += size * stream.normal();
}

bool tied(const MapReading& reading, Landmark landmark) {
    return std::find(reading.ties.begin(), reading.ties.end(), landmark) != reading.ties.end();
}

}  // namespace

TEST_CASE("map of algorithms: derivatives agree with finite differences") {
    const MatrixXd& context = fitted().context(3);
    const MapPoint point{0.7, -0.4, Eigen::Vector3d(0.5, 0.9, 1.6)};
    const MatrixXd J = map_derivatives(context, point);
    constexpr double kStep = 1e-6;
    for (int k = 0; k < 5; ++k) {
        MapPoint up = point, down = point;
        const auto parameter = [k](MapPoint& p) -> double& { return k == 0 ? p.beta : k == 1 ? p.c : p.alphas[k - 2]; };
        parameter(up) += kStep;
        parameter(down) -= kStep;
        const VectorXd slope = (map_weights(context, up) - map_weights(context, down)) / (2 * kStep);
        CHECK((J.col(k) - slope).norm() <= 1e-7 * (1 + slope.norm()));
    }
}

TEST_CASE("map of algorithms: a network's values are those of the construction, in double") {
    const BuiltNetwork network = network_at(0.6, 0.3, kMapAlphas);
    const MapPoint point{0.6, 0.3, Eigen::Vector3d(0.5, 0.9, 1.6)};
    for (int i = 0; i < 20; ++i)
        CHECK((network_weights(fitted().context(i), network.P, network.Q) - map_weights(fitted().context(i), point))
                  .norm() < 1e-12);
}

TEST_CASE("map of algorithms: networks built for a point lie there and nowhere else") {
    struct Known {
        double beta, c;
        MapVerdict verdict;
    };
    for (const Known& known : {Known{1, 0, MapVerdict::td}, Known{1, 1, MapVerdict::residual_gradient},
                               Known{0, 0, MapVerdict::no_bootstrap}, Known{0.5, 0, MapVerdict::between},
                               Known{1, 0.5, MapVerdict::between}, Known{-1, 0, MapVerdict::between},
                               Known{0.27, 0, MapVerdict::between}, Known{0.92, -0.5, MapVerdict::between}}) {
        CAPTURE(known.beta);
        CAPTURE(known.c);
        const MapReading reading = reading_of(network_at(known.beta, known.c, kMapAlphas));
        CHECK(name_of(reading.verdict) == std::string(name_of(known.verdict)));
        CHECK(reading.converged);
        CHECK(std::abs(reading.beta.value - known.beta) < 1e-6);
        CHECK(std::abs(reading.c.value - known.c) < 1e-6);
        for (size_t l = 0; l < 3; ++l) CHECK(std::abs(reading.alphas[l] - kMapAlphas[l]) < 1e-6);
        CHECK(reading.unexplained < 1e-10);
        CHECK(reading.ties.empty());
        CHECK(reading.beta.low < known.beta);
        CHECK(reading.beta.high > known.beta);
        CHECK(reading.beta.high - reading.beta.low < 0.3);
        MESSAGE(known.beta, " ", known.c, ": ", sentence_of(reading), ", ", reading.steps, " steps, beta ",
                reading.beta.low, " to ", reading.beta.high, ", c ", reading.c.low, " to ", reading.c.high);
    }
}

TEST_CASE("map of algorithms: one reward step is named, and says what it cannot be told from") {
    const MapReading reading = reading_of(network_at(1, 0, {0.8, 0, 0}));
    CHECK(reading.verdict == MapVerdict::reward_correlation);
    CHECK(tied(reading, Landmark::td));
    CHECK(tied(reading, Landmark::no_bootstrap));
    CHECK(!std::isfinite(reading.beta.high));
}

TEST_CASE("map of algorithms: small steps and single layers do not determine how much is bootstrapped") {
    const MapReading small = reading_of(network_at(1, 0, {0.02, 0.02, 0.02}));
    CHECK(small.verdict == MapVerdict::td);
    CHECK(tied(small, Landmark::no_bootstrap));
    CHECK(tied(small, Landmark::reward_correlation));
    CHECK(small.beta.high - small.beta.low > 0.5);
    const MapReading single = reading_of(network_at(1, 0, {0.8}));
    CHECK(!std::isfinite(single.beta.high));
    CHECK(single.verdict == MapVerdict::reward_correlation);
    CHECK(tied(single, Landmark::td));
}

TEST_CASE("map of algorithms: a rescaling of P and Q that changes no value changes no reading") {
    BuiltNetwork network = network_at(0.8, 0.1, kMapAlphas);
    const MapReading before = reading_of(network);
    for (size_t l = 0; l < 3; ++l) {
        network.P[l] *= 2;
        network.Q[l] /= 2;
    }
    const MapReading after = reading_of(network);
    CHECK(after.beta.value == before.beta.value);
    CHECK(after.c.value == before.c.value);
    CHECK(after.unexplained == before.unexplained);
}

TEST_CASE("map of algorithms: networks that compute something else are none of these") {
    Stream stream(5, Purpose::testing);
    BuiltNetwork lower = network_at(1, 0, kMapAlphas), other = lower, random = lower, silent = lower;
    for (size_t l = 0; l < 3; ++l) {
        MatrixXd noise = MatrixXd::Zero(kMapD, 2 * kMapD);
        add_noise(noise, 0.8, stream);
        lower.Q[l].block(kMapD, 0, kMapD, 2 * kMapD) += noise;
        add_noise(other.P[l], 0.5, stream);
        other.P[l](kMapRows - 1, kMapRows - 1) = 1;
        random.P[l].setZero();
        random.Q[l].setZero();
        add_noise(random.P[l], 0.3, stream);
        add_noise(random.Q[l], 0.3, stream);
        silent.P[l].setZero();
    }
    CHECK(reading_of(lower).verdict == MapVerdict::none);
    CHECK(reading_of(other).verdict == MapVerdict::none);
    CHECK(reading_of(random).verdict == MapVerdict::none);
    const MapReading zero = reading_of(silent);
    CHECK(zero.verdict == MapVerdict::none);
    CHECK(std::isnan(zero.beta.value));
}

TEST_CASE("map of algorithms: TD with a matrix for each step is TD, and the matrices are shown") {
    BuiltNetwork network = network_at(1, 0, {1, 1, 1});
    const VectorXd diagonal = Eigen::Vector4d(1, 0.2, 0.2, 0.2);
    const MatrixXd C = diagonal.asDiagonal();
    for (MatrixXd& Q : network.Q) {
        Q.topLeftCorner(kMapD, kMapD) = -C;
        Q.block(0, kMapD, kMapD, kMapD) = C;
    }
    const MapReading reading = reading_of(network);
    CHECK(reading.unexplained > 0.01);
    CHECK(reading.verdict == MapVerdict::td);
    MESSAGE(reading.unexplained, " by the point, ", reading.matrices_unexplained, " with matrices");
}

TEST_CASE("map of algorithms: noise of 2.5 % on every entry leaves the verdict") {
    Stream stream(6, Purpose::testing);
    for (const auto& [beta, c, verdict] :
         {std::tuple(1.0, 0.0, MapVerdict::td), std::tuple(1.0, 1.0, MapVerdict::residual_gradient),
          std::tuple(0.0, 0.0, MapVerdict::no_bootstrap)}) {
        BuiltNetwork network = network_at(beta, c, kMapAlphas);
        for (size_t l = 0; l < 3; ++l) {
            add_noise(network.P[l], 0.025, stream);
            add_noise(network.Q[l], 0.025, stream);
        }
        const MapReading reading = reading_of(network);
        CHECK(name_of(reading.verdict) == std::string(name_of(verdict)));
        CHECK(reading.beta.low < beta + 0.1);
        CHECK(reading.beta.high > beta - 0.1);
    }
}

}  // namespace emergence::algorithm_map_test

TEST_SUITE_END();
