#include "core/experiments/bench/known_network.h"

#include <doctest/doctest.h>

#include "core/experiments/bench/judge.h"

namespace emergence {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

BenchPrompts bench_prompts() {
    BankOptions options;
    options.context_lengths = {30};
    return BenchPrompts(options, 3);
}

// The largest difference of two networks' weight vectors, over the largest entry.
double difference(const BenchNetwork& a, const BenchNetwork& b, const LineUpPrompts& prompts) {
    double most = 0, largest = 0;
    for (int i = 0; i < prompts.size(); ++i) {
        const VectorXd w = network_weights(prompts.context(i), a.P, a.Q);
        most = std::max(most, (w - network_weights(prompts.context(i), b.P, b.Q)).cwiseAbs().maxCoeff());
        largest = std::max(largest, w.cwiseAbs().maxCoeff());
    }
    return most / largest;
}

const Built kPlaced[] = {Built::td,          Built::residual_gradient, Built::no_bootstrap,
                         Built::reward_step, Built::half_bootstrap,    Built::half_residual,
                         Built::wrong_sign};

TEST_CASE("known networks compute what they are called") {
    const BenchPrompts prompts = bench_prompts();
    for (const Built built : kPlaced) {
        CAPTURE(name_of(built));
        const BenchNetwork network = build_network({.built = built}, 4, 3, *prompts.judge, 1, 0);
        const MapPoint teacher = teacher_of(built, 0.5, 3);
        for (int i = 0; i < 20; ++i) {
            const MatrixXd& context = prompts.judge->context(i);
            const VectorXd w = map_weights(context, teacher);
            CHECK((network_weights(context, network.P, network.Q) - w).norm() <= 1e-12 * w.norm());
        }
    }
}

TEST_CASE("disguises that change nothing change nothing") {
    const BenchPrompts prompts = bench_prompts();
    for (const Built built : kPlaced)
        for (const Disguise disguise : {Disguise::gauge, Disguise::rotated, Disguise::filled, Disguise::planted}) {
            CAPTURE(name_of(built));
            CAPTURE(name_of(disguise));
            const BenchNetwork bare = build_network({.built = built}, 4, 3, *prompts.judge, 1, 0),
                               hidden =
                                   build_network({.built = built, .disguise = disguise}, 4, 3, *prompts.judge, 1, 0);
            CHECK(difference(bare, hidden, *prompts.judge) < 1e-12);
        }
}

TEST_CASE("a reward step with planted errors shows TD errors that nothing reads") {
    const BenchPrompts prompts = bench_prompts();
    const BenchNetwork network =
        build_network({.built = Built::reward_step, .disguise = Disguise::planted}, 4, 3, *prompts.fit, 1, 0);
    const Transitions& context = prompts.contexts[0];
    const auto n = context.phi.cols();
    const auto Z = network.trace(td_prompt(context, VectorXd::Zero(4)));
    const VectorXd w = 0.5 * context.phi * context.reward / static_cast<double>(n);
    const VectorXd errors = context.reward + (context.gamma_phi_next - context.phi).transpose() * w;
    CHECK((Z.back().row(8).head(n).transpose() - errors).norm() < 1e-12 * errors.norm());
}

TEST_CASE("clutter and feature maps change what a network computes") {
    const BenchPrompts prompts = bench_prompts();
    for (const Built built : {Built::feature_map, Built::cluttered_P, Built::cluttered_Q, Built::random}) {
        CAPTURE(name_of(built));
        const BenchNetwork network = build_network({.built = built, .alpha = 0.1}, 4, 3, *prompts.fit, 1, 0);
        CHECK(bench_reading(network, prompts).verdict == MapVerdict::none);
    }
}

TEST_CASE("a taught network has its teacher's values on other prompts too") {
    const BenchPrompts prompts = bench_prompts();
    const MapPoint teacher = teacher_of(Built::no_bootstrap, 0.5, 3);
    BenchNetwork network;
    for (uint32_t number = 0; network.P.empty() && number < 4; ++number)
        network = taught_network(teacher, 4, *prompts.fit, 1, number);
    REQUIRE(!network.P.empty());
    double off = 0, all = 0;
    for (int i = 0; i < prompts.judge->size(); ++i) {
        const VectorXd w = map_weights(prompts.judge->context(i), teacher),
                       difference = network_weights(prompts.judge->context(i), network.P, network.Q) - w;
        off += difference.dot(prompts.judge->moments(i) * difference);
        all += w.dot(prompts.judge->moments(i) * w);
    }
    CHECK(off < 0.02 * all);
}

}  // namespace
}  // namespace emergence
