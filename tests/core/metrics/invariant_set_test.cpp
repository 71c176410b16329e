#include "core/metrics/invariant_set.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace emergence;
using Eigen::MatrixXd;

TEST_CASE("the share outside the set is 0 in it and 1 off it") {
    WeightUpdate update{MatrixXd::Zero(5, 5), MatrixXd::Zero(5, 5)};
    update.P(4, 4) = 2.0;
    update.Q(0, 0) = update.Q(1, 1) = -3.0;
    update.Q(2, 0) = update.Q(3, 1) = 0.5;
    CHECK(share_outside_invariant_set(update) == 0.0);
    update = {MatrixXd::Zero(5, 5), MatrixXd::Zero(5, 5)};
    update.Q(0, 2) = 1.0;  // the bootstrapping block is no part of it
    CHECK(share_outside_invariant_set(update) == 1.0);
    update.Q(0, 0) = 1.0;  // a diagonal that is not uniform: half of it is
    CHECK(share_outside_invariant_set(update) == doctest::Approx(std::sqrt(1.5 / 2.0)));
}

TEST_CASE("symmetrised, one sample is enough; plain, none is") {
    CHECK(share_outside_invariant_set(expected_update({.d = 3, .n = 10, .samples = 1}, 5)) < 1e-13);
    CHECK(share_outside_invariant_set(
              expected_update({.d = 3, .n = 10, .samples = 1, .symmetrised = false}, 5)) > 0.1);
}
