#include <doctest/doctest.h>

#include "core/experiments/bench/scores.h"

TEST_SUITE_BEGIN("release");

namespace emergence {
namespace {

// The map's opinions of the first networks of the bench; no other judge is asked.
std::vector<JudgedNetwork> networks_read(int count) {
    BankOptions options;
    options.context_lengths = {30};
    const BenchPrompts prompts(options, 3);
    std::vector<JudgedNetwork> networks;
    for (int i = 0; i < count; ++i) {
        Recipe made;
        const BenchNetwork network = bench_network(prompts, 4, 3, 0.025, 0, static_cast<uint32_t>(i), made);
        const MapReading reading = bench_reading(network, prompts);
        networks.push_back({made.built, made.disguise, made.alpha, {}});
        networks.back().opinions.assign(bench_judges().size(), opinion_of(reading));
    }
    return networks;
}

const std::vector<JudgedNetwork>& read_networks() {
    static const std::vector<JudgedNetwork> networks = networks_read(96);
    return networks;
}

TEST_CASE("above the share where the bench's networks put it the map names nothing") {
    const std::vector<JudgedNetwork>& networks = read_networks();
    const BenchScores scores({&networks}, 0);
    CHECK(scores.cost_of(kMapJudge, -kMapExplained) < 0.02);
    CHECK(scores.cost_of(kMapJudge, -0.02) > 0.01);
    CHECK(scores.named_right(kMapJudge).value > 0.85);
}

TEST_CASE("no other size of a region names more of the bench's networks right, and the names are those of the judge") {
    const std::vector<JudgedNetwork>& networks = read_networks();
    for (const JudgedNetwork& network : networks)
        if (network.opinions[kMapJudge].sure > -1)
            CHECK(network.named_with(kMapRegions) == network.opinions[kMapJudge].name);
    const BenchScores scores({&networks}, 0);
    for (double MapRegions::*size :
         {&MapRegions::beta, &MapRegions::td_c, &MapRegions::residual_c, &MapRegions::no_bootstrap}) {
        const BenchScores::RegionSizes best = scores.best_sizes(size);
        CHECK(best.cost == 0);
        CHECK(best.low <= kMapRegions.*size);
        CHECK(best.high >= kMapRegions.*size);
    }
    CHECK(scores.identified_as_td(true).count > 0);
}

}  // namespace
}  // namespace emergence

TEST_SUITE_END();
