#include "core/tasks/bandit_family.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

using namespace emergence;

TEST_CASE("a family draws its kinds by their shares, and amounts within their bounds") {
    BanditFamily family;
    family.shares = {0.4, 0.2, 0.25, 0.15};
    std::map<BanditKind, int> counts;
    int stationary = 0;
    constexpr int kDraws = 4000;
    for (uint32_t i = 0; i < kDraws; ++i) {
        const BanditOptions options = draw_bandit_options(family, 3, i);
        ++counts[options.kind];
        stationary += options.frequency == 0.0 ? 1 : 0;
        CHECK(options.frequency <= family.max_frequency);
        CHECK(options.segments >= 1);
        CHECK(options.segments <= family.max_segments);
        CHECK(options.angle <= family.max_angle);
    }
    CHECK(counts[BanditKind::cosine] == doctest::Approx(0.4 * kDraws).epsilon(0.06));
    CHECK(counts[BanditKind::elevated] == doctest::Approx(0.2 * kDraws).epsilon(0.1));
    CHECK(counts[BanditKind::abrupt] == doctest::Approx(0.25 * kDraws).epsilon(0.1));
    CHECK(counts[BanditKind::drift] == doctest::Approx(0.15 * kDraws).epsilon(0.1));
    CHECK(stationary == doctest::Approx(0.15 * kDraws).epsilon(0.1));
}

TEST_CASE("the paper's four frequencies come exactly, with the phase 0") {
    BanditFamily family;
    family.four_frequencies = true;
    std::set<double> found;
    for (uint32_t i = 0; i < 100; ++i) {
        const BanditOptions options = draw_bandit_options(family, 3, i);
        found.insert(options.frequency);
        CHECK(options.phase == 0.0);
    }
    CHECK(found == std::set<double>(kPaperFrequencies.begin(), kPaperFrequencies.end()));
}
