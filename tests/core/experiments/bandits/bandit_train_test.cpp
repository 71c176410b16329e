#include "core/experiments/bandits/bandit_train.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "tests/support/small_runs.h"

using namespace emergence;

namespace {

using emergence::testing::RunOf;

Settings small_imitation_run(int seeds = 2) {
    return emergence::testing::settings_with("bandit-train", {{"rounds", "30"},
                                                              {"d", "3"},
                                                              {"arms", "4"},
                                                              {"width", "8"},
                                                              {"hidden", "8"},
                                                              {"num_steps", "20"},
                                                              {"log_interval", "5"},
                                                              {"played_by_others", "8"},
                                                              {"bank_size", "4"},
                                                              {"seeds", std::to_string(seeds)}});
}

}  // namespace

TEST_CASE("what one sees inside is what the network does") {
    RunOf run("bandit-train", small_imitation_run(1));
    run.advance_to(10);
    const Snapshot snapshot = run.snapshot();
    const NamedMatrix* probabilities = find_matrix(snapshot, "probabilities");
    const NamedMatrix* attention = find_matrix(snapshot, "attention");
    REQUIRE(probabilities != nullptr);
    REQUIRE(attention != nullptr);
    CHECK(probabilities->seeds[0].rows == 4);
    CHECK(probabilities->seeds[0].columns == 30);
    for (int i = 0; i < 30; ++i) {
        double sum = 0;
        for (int j = 0; j < 30; ++j) sum += attention->seeds[0](i, j);
        CHECK(sum == doctest::Approx(1.0));
    }
    CHECK(snapshot.plots[0].series.size() == 4);  // two layers of two heads
    CHECK(snapshot.scalars[0].value ==
          static_cast<double>(config_from<BanditTrainConfig>(snapshot.settings).shape.num_weights()));
}

TEST_CASE("weights go through their arrays, and foreign ones are refused by name") {
    const CausalTransformerShape shape{.arms = 3, .d = 2, .rounds = 4, .width = 4, .hidden = 4};
    const std::vector<TrainedBandit> seeds = {{initial_causal_weights(shape, 0), 0.5},
                                              {initial_causal_weights(shape, 1), 0.0}};
    ArrayMap arrays = bandit_weight_arrays(shape, seeds);
    const auto back = trained_bandits(shape, arrays, "test");
    CHECK(back.at(1).weights == seeds[1].weights);
    CHECK(back[0].temperature == 0.5);
    CausalTransformerShape other = shape;
    other.arms = 5;
    CHECK_THROWS_WITH_AS(trained_bandits(other, arrays, "x.npz"),
                         "x.npz: array 'W_token' has shape 2 x 4 x 35 instead of float32 of shape 2 x 4 x 39",
                         InputError);
    arrays.erase("W_out");
    CHECK_THROWS_WITH_AS(trained_bandits(shape, arrays, "x.npz"),
                         "x.npz: array 'W_out' is missing, a weight of this network", InputError);
}

TEST_CASE("the first points of a training come within seconds") {
    Settings settings = small_imitation_run(1);
    settings.set("num_steps", int64_t{120});
    settings.set("log_interval", int64_t{60});
    std::vector<int64_t> steps;
    RunOf run("bandit-train", settings);
    for (const MetricRow& row : run.advance_to(120)) steps.push_back(row.step);
    CHECK(steps == std::vector<int64_t>{0, 10, 20, 50, 60, 120});
}

TEST_CASE("epochs of a finite data set say when a training stops") {
    Settings settings = small_imitation_run(1);
    settings.set("trajectories", int64_t{20});
    settings.set("epochs", int64_t{4});
    RunOf run("bandit-train", settings);
    CHECK(run.study().target_step() == 10);
    settings.set("trajectories", int64_t{0});
    CHECK_THROWS_WITH_AS(BanditTrainStudy::check(config_from<BanditTrainConfig>(settings)),
                         "epochs: with trajectories = 0 all are fresh and none is seen twice. Set trajectories too.",
                         InputError);
}

TEST_CASE("trained without windows, rewards stand still in training and not in the test") {
    Settings settings = small_imitation_run(1);
    settings.set("share_cosine", 0.0);
    settings.set("share_elevated", 1.0);
    settings.set("training_windows", int64_t{0});
    settings.set("test_kind", std::string("elevated"));
    settings.set("rounds", int64_t{60});
    const BanditReferences references(config_from<BanditTrainConfig>(settings));
    for (const BanditTrajectory& world : references.validation().worlds()) CHECK(variation_of(world).amount == 0.0);
    for (const BanditTrajectory& world : references.test().worlds())
        CHECK(variation_of(world).amount == doctest::Approx(3.0));  // one edge within 60 rounds
}
