#include <doctest/doctest.h>

#include "core/experiments/bench/bench.h"
#include "core/experiments/registry.h"

namespace emergence {
namespace {

// Twelve networks of seed 5; nobody has judged them.
std::shared_ptr<const Riddles> twelve_riddles(const BenchConfig& config) {
    std::vector<JudgedNetwork> networks;
    for (int number = 0; number < 2 * kMapVerdicts; ++number) {
        const Built built[] = {Built::reward_step,       Built::no_bootstrap, Built::td,
                               Built::residual_gradient, Built::wrong_sign,   Built::random};
        JudgedNetwork network{built[number % kMapVerdicts], Disguise::bare, 0.5, {}};
        network.opinions.assign(bench_judges().size(), {MapVerdict::td, MapVerdict::none, 0.1 * number, 0});
        networks.push_back(network);
    }
    const std::vector<const std::vector<JudgedNetwork>*> streams = {&networks};
    return bench_riddles(config, {5}, streams, BenchScores(streams, 0));
}

TEST_CASE("riddles are the networks that test, each answer once in six") {
    const auto riddles = twelve_riddles({});
    REQUIRE(riddles->networks.size() == 6);
    CHECK(riddles->answers.size() == kMapVerdicts);
    CHECK(riddles->judges.size() == bench_judges().size());
    for (size_t i = 0; i < 6; ++i) {
        const Riddle& riddle = riddles->networks[i];
        CHECK(riddle.seed == 5);
        CHECK(riddle.number == static_cast<int64_t>(6 + i));
        CHECK(riddle.truth == i);
        for (size_t judge = 0; judge < riddle.verdicts.size(); ++judge) {
            // Surer than all that calibrate, so each judge says its name.
            CHECK(riddle.verdicts[judge].sure == 1);
            CHECK(riddle.verdicts[judge].text == "TD");
            CHECK(riddle.verdicts[judge].right == (riddle.truth == static_cast<size_t>(MapVerdict::td)));
            CHECK(riddles->judges[judge].threshold <= 1);
        }
    }
}

TEST_CASE("a riddle's network is made again, bit by bit, and fits the preset that looks inside") {
    BenchConfig config;
    config.seed = 5;
    const auto riddles = twelve_riddles(config);
    const RiddleNetwork once = riddles->network(1), again = riddles->network(1);
    CHECK(once.shown.weights == again.shown.weights);
    Recipe made;
    const BenchNetwork network =
        bench_network(config.prompts(), config.bank.tasks.d, config.num_layers, config.noise, 5, 7, made);
    REQUIRE(once.shown.matrices.size() == 7);
    CHECK(once.shown.matrices[1].name == "Q0");
    CHECK(once.shown.matrices[1].seeds[0](2, 3) == network.Q[0](2, 3));
    CHECK(once.shown.weights.at("P").shape == std::vector<size_t>{3, 9, 9});
    // The errors begin with the rewards and end with minus the answer.
    const NamedMatrix& errors = once.shown.matrices.back();
    CHECK(errors.seeds[0].rows == 4);
    CHECK(errors.seeds[0].columns == 31);
    CHECK(errors.seeds[0](0, 30) == 0);
    Settings settings(find_experiment("td").fields);
    for (const auto& [field, value] : once.settings) settings.set(field, value);
    CHECK(settings.integer("num_layers") == 3);
}

}  // namespace
}  // namespace emergence
