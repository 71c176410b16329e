#include "core/algorithms/batch_td.h"

#include <doctest/doctest.h>

using namespace emergence;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// d = 1, two transitions: phi = 1, 2; gamma phi' = 1, 0.5; R = 1, 3.
Transitions by_hand() {
    Transitions context{MatrixXd(1, 2), MatrixXd(1, 2), VectorXd(2)};
    context.phi << 1.0, 2.0;
    context.gamma_phi_next << 1.0, 0.5;
    context.reward << 1.0, 3.0;
    return context;
}
const std::vector<MatrixXd> kHalf = {MatrixXd::Constant(1, 1, 0.5)};

}  // namespace

TEST_CASE("batch TD takes the steps worked out by hand") {
    const auto w = batch_td(by_hand(), kHalf, 2);
    REQUIRE(w.size() == 3);
    CHECK(w[0][0] == 0.0);
    // (1/2) 0.5 (1 * 1 + 3 * 2)
    CHECK(w[1][0] == doctest::Approx(1.75));
    // TD errors 1 and 3 + 1.75 (0.5 - 2) = 0.375: 1.75 + 0.25 (1 + 0.75)
    CHECK(w[2][0] == doctest::Approx(2.1875));
}

TEST_CASE("residual gradient steps along phi - gamma phi'") {
    const auto w = batch_iterates(by_hand(), residual_gradient_update(by_hand()), kHalf, 1);
    CHECK(w[1][0] == doctest::Approx(0.25 * (1.0 * 0.0 + 3.0 * 1.5)));
}

TEST_CASE("TD(lambda) steps along its trace, and is TD(0) at decay 0") {
    const auto w = batch_iterates(by_hand(), td_lambda_update(by_hand(), 0.5), kHalf, 1);
    CHECK(w[1][0] == doctest::Approx(0.25 * (1.0 * 1.0 + 3.0 * 2.5)));
    CHECK(batch_iterates(by_hand(), td_lambda_update(by_hand(), 0.0), kHalf, 3) == batch_td(by_hand(), kHalf, 3));
}

TEST_CASE("average-reward TD takes the running mean off each reward") {
    const auto w = batch_iterates(by_hand(), average_reward_update(by_hand()), kHalf, 1);
    CHECK(w[1][0] == doctest::Approx(0.25 * (0.0 * 1.0 + 1.0 * 2.0)));  // 1 - 1 and 3 - 2
}

TEST_CASE("one preconditioner serves all steps, or each has its own") {
    const std::vector<MatrixXd> two = {kHalf[0], 2.0 * kHalf[0]};
    const auto w = batch_td(by_hand(), two, 2);
    CHECK(w[2][0] == doctest::Approx(1.75 + 0.5 * 1.75));
    CHECK_THROWS(batch_td(by_hand(), two, 3));
}

TEST_CASE("the linear system says what a step does and where the steps come to rest") {
    const BatchUpdate update = td_lambda_update(by_hand(), 0.5);
    const BatchSystem system = batch_system(by_hand(), update);
    // (1/2) (1 (1 - 1) + 2.5 (2 - 0.5)) and (1/2) (1 * 1 + 3 * 2.5)
    CHECK(system.A(0, 0) == doctest::Approx(1.875));
    CHECK(system.b[0] == doctest::Approx(4.25));
    const auto w = batch_iterates(by_hand(), update, kHalf, 200);
    CHECK(w[1][0] == doctest::Approx(0.5 * system.b[0]));
    CHECK(w.back()[0] == doctest::Approx(system.b[0] / system.A(0, 0)));
}
