#include "tests/claims/in_context_td/invariant_set_spectrum.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/rng.h"

using namespace emergence;

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
    const Eigen::Vector2d ab = invariant_flow(options, 5).rest();
    const double eta = std::pow(d * ab.squaredNorm(), 0.25);
    const WeightUpdate rest = invariant_weights(d, {eta, ab(0) / eta, ab(1) / eta});
    CHECK(expected_update(moments, rest).Q.norm() < 1e-12);  // it is a rest

    const Eigen::VectorXcd spectrum = spectrum_off_invariant_set(moments, rest);
    REQUIRE(spectrum.size() == 5 + 5 * 2 - 3);
    for (Eigen::Index k = 1; k < spectrum.size(); ++k) CHECK(spectrum(k - 1).real() <= spectrum(k).real());

    // A small random displacement off the set: after a while only the slowest direction is left.
    Stream stream(7, Purpose::testing);
    WeightUpdate away{Eigen::MatrixXd::Zero(5, 5), Eigen::MatrixXd::Zero(5, 5)};
    for (int k = 0; k < 5; ++k) {
        away.P(4, k) = 1e-6 * stream.normal();
        for (int j = 0; j < d; ++j) away.Q(k, j) = 1e-6 * stream.normal();
    }
    const double slowest = spectrum(spectrum.size() - 1).real(),
                 rate = 0.2 / spectrum.cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
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
