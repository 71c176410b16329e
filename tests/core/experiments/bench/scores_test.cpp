#include "core/experiments/bench/scores.h"

#include <doctest/doctest.h>

namespace emergence {
namespace {

// A network of which every judge thinks the same.
JudgedNetwork judged_alike(Built built, MapVerdict name, double sure, double td) {
    JudgedNetwork network{built, Disguise::bare, 0.5, {}};
    network.opinions.assign(bench_judges().size(), {name, MapVerdict::none, sure, td});
    return network;
}

// Two groups of six: the first calibrates, the second tests. Of those that test, TD is held for TD, no bootstrapping too.
std::vector<JudgedNetwork> twelve_networks() {
    std::vector<JudgedNetwork> networks;
    for (int half = 0; half < 2; ++half)
        for (const Built built : {Built::reward_step, Built::no_bootstrap, Built::td, Built::residual_gradient,
                                  Built::half_bootstrap, Built::random}) {
            const bool is_td = built == Built::td, like_td = built == Built::no_bootstrap && half == 1;
            networks.push_back(judged_alike(built, MapVerdict::td,
                                            is_td     ? 0.9
                                            : like_td ? 0.8
                                                      : 0.1,
                                            is_td     ? 2
                                            : like_td ? 3
                                                      : 0));
        }
    return networks;
}

TEST_CASE("thresholds come from one half of the networks, scores from the other") {
    const std::vector<JudgedNetwork> networks = twelve_networks();
    const BenchScores scores({&networks}, 100);
    constexpr size_t kIws = 1;
    CHECK(scores.size() == 6);
    CHECK(scores.threshold(kIws).low == 0.1);
    CHECK(scores.threshold(kIws).high == 0.9);
    CHECK(scores.threshold(kIws).value == doctest::Approx(0.5));
    // All of TD, and four of the five others.
    CHECK(scores.balanced(kIws).value == doctest::Approx(0.9));
    CHECK(scores.auc(kIws).value == doctest::Approx(0.8));
    CHECK(scores.auc(kIws, true).value == 0);
    CHECK(scores.all_false_alarms(kIws).count == 1);
    CHECK(scores.all_false_alarms(kIws).total == 5);
    // Right are TD and the random network.
    CHECK(scores.named_right(kIws).value == doctest::Approx(2.0 / 6));
    const Table confusion = scores.confusion(kIws, false), inversion = scores.confusion(kIws, true);
    const int td = static_cast<int>(MapVerdict::td), none = static_cast<int>(MapVerdict::no_bootstrap);
    CHECK(confusion(none, td) == 1);
    CHECK(inversion(none, td) == 0.5);
    CHECK(inversion(td, td) == 0.5);
    CHECK(scores.balanced(kIws).low <= 0.9);
    CHECK(scores.balanced(kIws).high >= 0.9);
}

TEST_CASE("a judged network survives its row of numbers") {
    JudgedNetwork network = judged_alike(Built::half_residual, MapVerdict::between, -0.25, -1);
    network.disguise = Disguise::gauge;
    network.opinions[kMapJudge].position = {MapVerdict::td, 0.5, -0.25};
    const std::vector<double> numbers = numbers_of(network);
    REQUIRE(are_numbers_of_network(numbers));
    CHECK(numbers_of(network_of_numbers(numbers)) == numbers);
    CHECK(network_of_numbers(numbers).truth() == MapVerdict::between);
    CHECK(network_of_numbers(numbers).named_with({}) == MapVerdict::td);
    std::vector<double> other = numbers;
    other[0] = kBuilt;
    CHECK(!are_numbers_of_network(other));
    other.pop_back();
    CHECK(!are_numbers_of_network(other));
}

}  // namespace
}  // namespace emergence
