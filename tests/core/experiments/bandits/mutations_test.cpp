// Wrong networks and wrong laws, judged by the claims that should catch them: the table of "Claims with power" in the
// handbook.
#include <doctest/doctest.h>

#include <utility>

#include "tests/support/judged.h"

namespace emergence::bandit_mutations_test {
namespace {

using testing::caught;
using testing::judged;
using testing::Names;
using testing::NewSettings;

}  // namespace

TEST_CASE("the bandits' figures catch networks that learn nothing, and one that knows other frequencies") {
    const NewSettings untrained = {{"num_steps", "0"}, {"bank_size", "8"}, {"arms", "3"}, {"d", "4"}};
    for (const FigureInfo& figure : find_experiment("bandit-train").figures) {
        const ExperimentInfo& info = find_experiment("bandit-train");
        Settings settings(info.fields);
        for (const auto& [field, value] : untrained) settings.set_from_text(field, value);
        for (const MeasuredClaim& one : figure.build(info, settings, {}).measured)
            if (one.name == "nonstationary-by-heart")
                CHECK(judged(one.name, one.measurement) == Verdict::fails);
    }
    const NewSettings by_heart = {{"transformer", "memorise"}, {"num_environments", "60"}};
    CHECK(caught("bandit-eval", "nonstationary-5", by_heart) == Names{"consistent", "settles"});
}

}  // namespace emergence::bandit_mutations_test
