// Wrong networks and wrong laws, judged by the claims that should catch them: the table of "Claims with power" in the
// handbook.
#include <doctest/doctest.h>

#include "tests/support/judged.h"

TEST_SUITE_BEGIN("release");

namespace emergence::bandit_mutations_test {
namespace {

using testing::caught;
using testing::Changes;
using testing::Names;

}  // namespace

TEST_CASE("the bandits' figures catch networks that learn nothing, and one that knows other frequencies") {
    const Changes untrained = {{"num_steps", "0"}, {"bank_size", "8"}, {"arms", "3"}, {"d", "4"}};
    CHECK(caught("bandit-train", "nonstationary-by-heart", untrained) == Names{"", "learned"});
    const Changes short_plays = {{"num_steps", "0"}, {"bank_size", "4"}, {"rounds", "60"}, {"seeds", "2"}};
    CHECK(caught("bandit-train", "nonstationary-stationary", short_plays) == Names{"learned"});
    CHECK(caught("bandit-train", "nonstationary-trajectories", short_plays) == Names{"falls", "few", "rate"});
    const Changes by_heart = {{"transformer", "memorise"}, {"num_environments", "60"}};
    CHECK(caught("bandit-eval", "nonstationary-5", by_heart) == Names{"consistent", "settles"});
}

TEST_CASE("Theorem 6's bound catches errors that would not add up over rounds") {
    CHECK(testing::judged_as("nonstationary-theorem-6", "nonstationary-theorem-6") == Verdict::agrees);
    CHECK(testing::judged_as("nonstationary-theorem-6", "nonstationary-theorem-6-once") == Verdict::fails);
}

}  // namespace emergence::bandit_mutations_test

TEST_SUITE_END();
