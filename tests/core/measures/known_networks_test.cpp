#include "core/measures/known_networks.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "tests/claims/bench/bench.h"

namespace emergence {
namespace {

const VerdictPrompts& prompts() {
    static const VerdictPrompts made(HeldOutBank(known_bank()), 0, PlaceAxis::gradient);
    return made;
}

double sum(const std::vector<double>& numbers) { return std::accumulate(numbers.begin(), numbers.end(), 0.0); }

// The share of a network's mean square value that the algorithm it is called by leaves.
double left_by_its_algorithm(const KnownNetwork& network) {
    const std::vector<double> values = prompts().judge.values(network.view());
    std::vector<double> algorithm(static_cast<size_t>(network.layers) + 2, network.alpha), nothing(algorithm.size(), 0);
    algorithm[0] = network.beta;
    algorithm[1] = network.c;
    if (std::string(network.built) == "reward_step") std::fill(algorithm.begin() + 3, algorithm.end(), 0);
    const FamilyBank bank = prompts().judge.bank();
    return sum(family_errors(bank, values.data(), algorithm, Steps::scalar)) /
           sum(family_errors(bank, values.data(), nothing, Steps::scalar));
}

TEST_CASE("known networks compute what they are called, whatever stands where no value reads") {
    std::map<Disguise, int> seen;
    for (const KnownNetwork& network : known_networks({}, 0)) {
        if (network.noise > 0 || network.matrices || network.truth == VerdictName::none) continue;
        INFO(network.built, ", ", network.alpha, ", ", name_of(network.disguise));
        CHECK(left_by_its_algorithm(network) < 1e-8);
        CHECK(network.changed_by_noise(prompts().fit) == 0);
        ++seen[network.disguise];
    }
    CHECK(seen[Disguise::bare] > 20);
    CHECK(seen[Disguise::filled] > 10);
    CHECK(seen[Disguise::planted] > 5);
}

TEST_CASE("a set has every truth, with noise and without, in an order and of entries that its number gives") {
    const auto set = known_networks({.d = 3, .layers = 2}, 0), other = known_networks({.d = 3, .layers = 2}, 1);
    REQUIRE(set.size() == other.size());
    CHECK(set[0].P != other[0].P);
    CHECK(known_networks({.d = 3, .layers = 2}, 1)[5].Q == other[5].Q);
    std::map<VerdictName, int> truths;
    for (const KnownNetwork& network : set) {
        CHECK(network.P.size() == 2 * 7 * 7);
        CHECK(network.P_at(1)(6, 5) == network.P[49 + 6 * 7 + 5]);
        ++truths[network.truth];
    }
    CHECK(truths.size() == 7);
}

TEST_CASE("a network's verdict is scored by its label") {
    const std::vector<Landmark> landmarks = landmarks_of(PlaceAxis::gradient, 0);
    KnownNetwork td{4, 3, {}, {}, "td", 1, 0, 0.4};
    td.truth = td.of = VerdictName::td;
    KnownNetwork wrong_sign = td;
    wrong_sign.truth = VerdictName::wrong_sign;
    const auto scored = [&](const KnownNetwork& network, VerdictName name, int of, const std::vector<int>& ties = {}) {
        NetworkVerdict verdict;
        verdict.name = name;
        verdict.of = of;
        verdict.ties = ties;
        return score_of(network, verdict, landmarks);
    };
    CHECK(scored(td, VerdictName::td, 2) == VerdictScore::right);
    CHECK(scored(td, VerdictName::ambiguous, -1, {1, 2}) == VerdictScore::open);
    CHECK(scored(td, VerdictName::ambiguous, -1, {0, 1}) == VerdictScore::wrong);
    CHECK(scored(td, VerdictName::between, -1) == VerdictScore::missed);
    CHECK(scored(td, VerdictName::no_bootstrap, 1) == VerdictScore::wrong);
    CHECK(scored(wrong_sign, VerdictName::wrong_sign, 2) == VerdictScore::right);
    CHECK(scored(wrong_sign, VerdictName::wrong_sign, 1) == VerdictScore::wrong);
    CHECK(scored(wrong_sign, VerdictName::td, 2) == VerdictScore::wrong);
}

TEST_CASE("most known networks get their name, hardly any another") {
    const std::vector<Landmark> landmarks = landmarks_of(PlaceAxis::gradient, 0);
    int wrong = 0, right = 0, all = 0;
    const std::vector<KnownNetwork> networks = known_networks({.seed = 5}, 0);
    for (size_t i = 0; i < 60; ++i) {
        if (networks[i].changed_by_noise(prompts().judge) > kWrecked) continue;
        const VerdictScore score = score_of(networks[i], verdict(networks[i].view(), prompts(), landmarks), landmarks);
        ++all;
        right += score == VerdictScore::right;
        wrong += score == VerdictScore::wrong;
    }
    CHECK(wrong <= 2);
    CHECK(right > 0.7 * all);
}

}  // namespace
}  // namespace emergence
