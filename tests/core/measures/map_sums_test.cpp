// The map's algorithms with traces and with mean rewards: against plain loops, their derivatives against differences, and
// the places of networks that run them by construction.
#include "core/measures/map_sums.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/algorithms/batch_td.h"
#include "core/base/rng.h"
#include "core/measures/held_out_bank.h"
#include "core/measures/map_follower.h"
#include "core/models/constructions.h"

namespace emergence::map_sums_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kWidth = 3, kLength = 20, kDepth = 3;

const HeldOutBank& masked_bank(bool average_reward) {
    const auto made = [](bool average) {
        return HeldOutBank({.tasks = {.num_states = 6, .d = kWidth, .gamma = 0.8},
                            .size = 96,
                            .context_lengths = {10, kLength},
                            .average_reward = average,
                            .keeps_states = true});
    };
    static const HeldOutBank discounted = made(false), average = made(true);
    return average_reward ? average : discounted;
}

Transitions context_of(const LineUpPrompts& prompts, int i) {
    Transitions context{MatrixXd(kWidth, kLength), MatrixXd(kWidth, kLength), VectorXd(kLength)};
    for (int t = 0; t < kLength; ++t) {
        for (int k = 0; k < kWidth; ++k) {
            context.phi(k, t) = prompts.state(i, t, k);
            context.gamma_phi_next(k, t) = prompts.gamma() * prompts.state(i, t + 1, k);
        }
        context.reward[t] = prompts.state(i, t, kWidth);
    }
    return context;
}

// Plain loops at beta = 1: TD(lambda) or, with rho of the mean reward, average-reward TD.
VectorXd algorithm(const Transitions& context, MapAxis axis, double second, const VectorXd& alphas) {
    BatchUpdate update = axis == MapAxis::trace ? td_lambda_update(context, second) : td_update(context);
    if (axis == MapAxis::mean_reward) {
        const BatchUpdate centred = average_reward_update(context);
        update.reward += second * (centred.reward - update.reward);
    }
    std::vector<MatrixXd> C;
    for (const double alpha : alphas) C.push_back(alpha * MatrixXd::Identity(kWidth, kWidth));
    return batch_iterates(context, update, C, static_cast<int>(C.size())).back();
}

std::vector<float> flat_floats(const std::vector<MatrixXd>& matrices) {
    std::vector<float> weights;
    for (const MatrixXd& matrix : matrices)
        for (const auto& row : matrix.rowwise())
            for (const double entry : row) weights.push_back(static_cast<float>(entry));
    return weights;
}

}  // namespace

TEST_CASE("on either axis the map's algorithm is that of plain loops, and its derivatives are differences") {
    for (const MapAxis axis : {MapAxis::trace, MapAxis::mean_reward}) {
        CAPTURE(static_cast<int>(axis));
        const LineUpPrompts prompts(masked_bank(axis == MapAxis::mean_reward), 1, 5, 30);
        const MapPrompts lanes(prompts, axis);
        VectorXd x(2 + kDepth);
        x << 1, 0.7, 0.5, 0.9, 1.2;
        std::vector<VectorXd> same;
        for (int i = 0; i < prompts.size(); ++i)
            same.push_back(algorithm(context_of(prompts, i), axis, x[1], x.tail(kDepth)));
        const MapTarget exact(lanes, lanes.in_lanes(same));
        // Moments are kept in float, states of traces too, but those exactly.
        CHECK(exact.loss(x) < (axis == MapAxis::trace ? 1e-20 : 1e-12) * exact.mean_square());

        Stream stream(3, Purpose::testing);
        for (VectorXd& w : same)
            for (double& entry : w) entry += stream.normal();
        const MapTarget target(lanes, lanes.in_lanes(same));
        x[0] = 0.6;
        const NormalEquations at = target.linearise(x);
        CHECK(at.loss == doctest::Approx(target.loss(x)).epsilon(1e-12));
        for (Eigen::Index k = 0; k < x.size(); ++k) {
            constexpr double kStep = 1e-5;
            VectorXd up = x, down = x;
            up[k] += kStep;
            down[k] -= kStep;
            // The gradient of a sum of squares is twice J'r.
            CHECK(2 * at.gradient[k] ==
                  doctest::Approx((target.loss(up) - target.loss(down)) / (2 * kStep)).epsilon(1e-6));
        }
    }
}

TEST_CASE("networks with their construction's weights lie at their algorithm's place, and those of another do not") {
    struct Case {
        MapAxis axis;
        double mask_lambda, place;
    };
    // The last: a mask that forgets its trace runs TD(0), whatever its settings say.
    for (const Case& one : {Case{MapAxis::trace, 0.8, 0.8}, {MapAxis::mean_reward, 0, 1}, {MapAxis::trace, 0, 0}}) {
        CAPTURE(one.mask_lambda);
        const bool heads = one.axis == MapAxis::mean_reward;
        const HeldOutBank& bank = masked_bank(heads);
        const MatrixXd C = 0.6 * MatrixXd::Identity(kWidth, kWidth);
        const ConstructedLayer single = td_construction(C);
        const TwoHeadLayer pair = average_reward_construction(C);
        const std::vector<float> weights =
            heads ? flat_floats({pair.P_reward, pair.Q, pair.P_memory, pair.Q}) : flat_floats({single.P, single.Q});
        NetworkShape shape{.d = kWidth, .context_length = kLength, .layers = kDepth};
        shape.model = heads ? Model::two_heads : Model::attention;
        if (!heads) shape.mask = Mask::td_lambda;
        shape.mask_lambda = one.mask_lambda;
        const auto bench =
            std::make_shared<const MapBench>(std::make_shared<const LineUpPrompts>(bank, 1, 0, 48),
                                             std::make_shared<const LineUpPrompts>(bank, 1, 48, 48), one.axis);
        MapFollower follower(bench, kDepth);
        const MapPlace place = follower.settle(view_of(shape, weights));
        CHECK(place.beta == doctest::Approx(1).epsilon(1e-3));
        CHECK(std::abs(place.c - one.place) < 1e-3);
        CHECK(place.unexplained < 1e-6);
        CHECK(follower.unexplained_at(view_of(shape, weights), 1, one.place) < 1e-6);
        CHECK((follower.unexplained_at(view_of(shape, weights), 1, 0) > 1e-2) == (one.place > 0));
    }
}

}  // namespace emergence::map_sums_test
