#include "tests/claims/bandits/master_constructions.h"

#include <doctest/doctest.h>

using namespace emergence;

TEST_CASE("a token of the ReLU transformer is Section 2.2's, by hand") {
    // Two entries, one head, two tokens: h = (2, 1) after (1, 3).
    ReluHead head;
    head.Q = Eigen::MatrixXd::Identity(2, 2);
    head.K = Eigen::Matrix2d{{1, 0}, {0, -1}};
    head.V = Eigen::Matrix2d{{0, 1}, {0, 0}};
    ReluLayer layer{{head}, Eigen::MatrixXd{{1, -1}}, Eigen::MatrixXd{{0}, {2}}};
    Eigen::MatrixXd H{{1, 2}, {3, 1}};
    pass_token(layer, 1, H);
    // <Q h, K h_j> = 2 - 3 and 4 - 1: only the token itself counts, with 3; half of 3 (1, 0); then 2 ReLU(3.5 - 1).
    CHECK(H.col(1) == Eigen::Vector2d(2 + 1.5, 1 + 2 * 2.5));
    CHECK(H.col(0) == Eigen::Vector2d(1, 3));
    CHECK(norm_of({layer}) == doctest::Approx(1 + 1 + std::sqrt(2.0) + 2));
}

TEST_CASE("a block of order 0, then of order 1, and a failed test starts again with order 0") {
    MasterNetworkOptions options{.rounds = 8, .noise = 5};
    MasterNetwork network(options);
    REQUIRE(network.orders() == 4);
    network.begin({0.1, -0.4, 1.2, 0.7, -2.0});
    const std::vector<double> highest(4, 9.0);  // ranks above all noise: only the block's own order starts
    std::vector<int> acting;
    for (const double reward : {0.5, 0.5, 0.5, -1e6, 0.5, 0.5, 0.5}) {
        network.choose(highest);
        CHECK(network.random_number(0) == doctest::Approx(5.0 / 6.0));
        acting.push_back(network.acting());
        CHECK(network.observe(0, reward) == (reward < 0.0));
    }
    CHECK(acting == std::vector<int>{0, 1, 1, 2, 0, 1, 1});
}

TEST_CASE("the network's logits are the sums of the acting instance's rewards, softened") {
    MasterNetworkOptions options{.rounds = 8, .noise = 3, .eta = 0.5};
    MasterNetwork network(options);
    network.begin({0.0, 1.0, 2.0});
    const std::vector<double> highest(4, 9.0);
    network.choose(highest);
    CHECK(network.log_probabilities().isApproxToConstant(-std::log(3.0)));
    network.observe(1, 0.8);
    network.choose(highest);
    CHECK(network.log_probabilities().isApproxToConstant(-std::log(3.0)));  // a new block
    network.observe(2, 0.8);
    network.choose(highest);
    CHECK(network.log_probabilities()(2) - network.log_probabilities()(0) == doctest::Approx(0.4));
}
