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

TEST_CASE("the paper's four frequencies come exactly, and in phase 0 unless in any") {
    for (const CosineTraining cosines : {CosineTraining::four, CosineTraining::four_any_phase}) {
        BanditFamily family;
        family.cosines = cosines;
        std::set<double> frequencies, phases;
        for (uint32_t i = 0; i < 100; ++i) {
            const BanditOptions options = draw_bandit_options(family, 3, i);
            frequencies.insert(options.frequency);
            phases.insert(options.phase);
        }
        CHECK(frequencies == std::set<double>(kPaperFrequencies.begin(), kPaperFrequencies.end()));
        CHECK(phases.size() == (cosines == CosineTraining::four ? 1 : 100));
        CHECK((cosines != CosineTraining::four || *phases.begin() == 0.0));
    }
}

TEST_CASE("all frequencies are the same ones in one phase as in any") {
    BanditFamily any, one;
    one.cosines = CosineTraining::continuous_one_phase;
    for (uint32_t i = 0; i < 100; ++i) {
        const BanditOptions of_any = draw_bandit_options(any, 3, i), of_one = draw_bandit_options(one, 3, i);
        CHECK(of_one.frequency == of_any.frequency);
        CHECK(of_one.phase == 0.0);
        CHECK(of_any.phase > 0.0);
    }
}
