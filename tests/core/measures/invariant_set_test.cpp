#include "core/measures/invariant_set.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/rng.h"
#include "tests/claims/naive/sampled_update.h"

using namespace emergence;

namespace {

InvariantSetOptions options_of(int d, int samples) {
    InvariantSetOptions options;
    options.tasks.d = d;
    options.tasks.num_states = 6;
    options.n = 8;
    options.samples = samples;
    return options;
}

// Every entry of both matrices, those too that no gradient reaches.
WeightUpdate anywhere(int d) {
    Stream stream(3, Purpose::testing);
    WeightUpdate weights{Mat(2 * d + 1, 2 * d + 1), Mat(2 * d + 1, 2 * d + 1)};
    for (double& x : weights.P) x = stream.normal();
    for (double& x : weights.Q) x = stream.normal();
    return weights;
}

double update_distance(const WeightUpdate& a, const WeightUpdate& b) {
    return std::sqrt((a.P - b.P).squaredNorm() + (a.Q - b.Q).squaredNorm());
}
double norm(const WeightUpdate& a) { return std::sqrt(a.P.squaredNorm() + a.Q.squaredNorm()); }

}  // namespace

TEST_CASE("the share outside the set is 0 in it and 1 off it") {
    WeightUpdate update{Mat::Zero(5, 5), Mat::Zero(5, 5)};
    update.P(4, 4) = 2.0;
    update.Q(0, 0) = update.Q(1, 1) = -3.0;
    update.Q(2, 0) = update.Q(3, 1) = 0.5;
    CHECK(share_outside_invariant_set(update) == 0.0);
    CHECK(nearest_invariant_point(update).c_prime == 0.5);
    CHECK(update_distance(invariant_weights(2, {2.0, -3.0, 0.5}), update) == 0.0);
    update = {Mat::Zero(5, 5), Mat::Zero(5, 5)};
    update.Q(0, 2) = 1.0;  // the bootstrapping block is no part of it
    CHECK(share_outside_invariant_set(update) == 1.0);
    update.Q(0, 0) = 1.0;  // a diagonal that is not uniform: half of it is
    CHECK(share_outside_invariant_set(update) == doctest::Approx(std::sqrt(1.5 / 2.0)));
}

TEST_CASE("symmetrised, one sample is enough; plain, none is") {
    const WeightUpdate on_the_set = invariant_weights(3, {});
    CHECK(share_outside_invariant_set(sampled_update(options_of(3, 1), on_the_set, true, 5)) < 1e-13);
    CHECK(share_outside_invariant_set(sampled_update(options_of(3, 1), on_the_set, false, 5)) > 0.1);
}

TEST_CASE("moments say what the update is at any weights") {
    for (const int d : {1, 2, 4}) {
        CAPTURE(d);
        InvariantSetOptions options = options_of(d, 5);
        options.latest_start = 7;
        const WeightUpdate weights = anywhere(d);
        const WeightUpdate naive = sampled_update(options, weights, false, 2, 11);
        const WeightUpdate fast = expected_update(update_moments(options, 2, 11), weights);
        CHECK(norm(naive) > 0.01);
        CHECK(update_distance(naive, fast) < 1e-12 * norm(naive));
    }
}

TEST_CASE("the closed-form average over feature maps is that over all 2^d d! of them, on the set and off") {
    for (const int d : {1, 2, 3, 4}) {
        CAPTURE(d);
        const InvariantSetOptions options = options_of(d, 2);
        const UpdateMoments averaged = FeatureAverage(d)(update_moments(options, 7));
        for (const WeightUpdate& weights : {anywhere(d), invariant_weights(d, {})}) {
            const WeightUpdate naive = sampled_update(options, weights, true, 7);
            CHECK(norm(naive) > 1e-4);
            CHECK(update_distance(naive, expected_update(averaged, weights)) < 1e-11 * norm(naive));
        }
    }
}

TEST_CASE("averaging moments twice changes nothing more") {
    const FeatureAverage average(3);
    const UpdateMoments once = average(update_moments(options_of(3, 2), 1)), twice = average(once);
    CHECK((once.values - twice.values).norm() < 1e-14 * once.values.norm());
    CHECK((once.reward - twice.reward).norm() <= 1e-14 * once.reward.norm());
}
