// Experiments bandit-train and bandit-inside: training, weights as files and players, and wrong networks and wrong
// laws, judged by the claims that should catch them (the table of "Claims with power" in the handbook).
#include <doctest/doctest.h>

#include "core/base/error.h"
#include "core/experiments/bandits/bandits.h"
#include "core/experiments/registry.h"
#include "core/files/array_files.h"
#include "core/files/csv.h"
#include "core/lab/store/checkpoint.h"
#include "core/settings/embedded_settings.h"
#include "tests/support/judged.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"

using namespace emergence;

namespace {

using namespace emergence::testing;

Settings small_imitation_run(int seeds = 2) {
    Settings settings = emergence::testing::settings_of(
        "bandit-train",
        "rounds=30, d=3, arms=4, width=8, hidden=8, num_steps=20, log_interval=5, played_by_others=8, bank_size=4");
    settings.set("seeds", int64_t{seeds});
    return settings;
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
                         "x.npz: array 'W_out', a weight of this network, is missing", InputError);
}

TEST_CASE("the first points of a training come within seconds") {
    Settings settings = small_imitation_run(1);
    testing::change(settings, "num_steps=120, log_interval=60");
    std::vector<int64_t> steps;
    RunOf run("bandit-train", settings);
    for (const MetricRow& row : run.advance_to(120)) steps.push_back(row.step);
    CHECK(steps == std::vector<int64_t>{0, 10, 20, 50, 60, 120});
}

TEST_CASE("epochs of a finite data set say when a training stops") {
    Settings settings = small_imitation_run(1);
    testing::change(settings, "trajectories=20, epochs=4");
    RunOf run("bandit-train", settings);
    CHECK(run.study().target_step() == 10);
    settings.set("trajectories", int64_t{0});
    CHECK_THROWS_WITH_AS(find_experiment("bandit-train").check(settings),
                         "epochs: with trajectories = 0 every trajectory is fresh and seen once. Set trajectories too.",
                         InputError);
}

TEST_CASE("trained without windows, rewards stand still in training and not in the test") {
    Settings settings = small_imitation_run(1);
    testing::change(settings,
                    "share_cosine=0.0, share_elevated=1.0, training_windows=0, "
                    "test_kind=elevated, rounds=60");
    const BanditReferences references(config_from<BanditTrainConfig>(settings));
    for (const BanditTrajectory& world : references.validation().worlds()) CHECK(variation_of(world).amount == 0.0);
    for (const BanditTrajectory& world : references.test().worlds())
        CHECK(variation_of(world).amount == doctest::Approx(3.0));  // one edge within 60 rounds
}

namespace {

Snapshot trained_bandit_snapshot(int64_t seeds = 1) {
    Settings settings = small_imitation_run();
    testing::change(settings, "share_cosine=0.5, share_drift=0.5, num_steps=10, seed=5");
    settings.set("seeds", seeds);
    emergence::testing::RunOf run("bandit-train", settings);
    run.advance_to(10);
    return run.snapshot();
}

}  // namespace

TEST_CASE("weights.npz of a training is a player, and says where it can play") {
    const testing::Scratch scratch;
    const Snapshot snapshot = trained_bandit_snapshot();
    write_npz(scratch / "mine.npz", weights_file(snapshot));
    const BanditNetwork network = read_bandit_network(scratch / "mine.npz");
    CHECK(network.name == "mine");
    CHECK(network.config.shape == config_from<BanditTrainConfig>(snapshot.settings).shape);
    CHECK(bandit_weight_arrays(network.config.shape, {network.trained}).at("W_out") == snapshot.weights.at("W_out"));
    CHECK(network.misfit(3, 4, 20).empty());
    CHECK(network.misfit(3, 5, 40) ==
          "The transformer 'mine' cannot play here: its weights are for A = 4 instead of 5, T of at most 30, "
          "not 40.");
    CHECK(network.amounts(BanditKind::cosine));
    CHECK(network.amounts(BanditKind::drift));
    CHECK_FALSE(network.amounts(BanditKind::abrupt));
    CHECK(network.amounts(BanditKind::cosine)->to == network.config.family.max_frequency);
    BanditTrajectory world;
    draw_bandit({.rounds = 20, .d = 3, .arms = 4}, 1, 0, world);
    Stream random = policy_stream(1, 0, 0);
    BanditPlay play;
    play_bandit(world, *network.make_policy(), random, play);
}

TEST_CASE("of several seeds the one with the least validation regret plays") {
    const testing::Scratch scratch;
    const Snapshot snapshot = trained_bandit_snapshot(3);
    write_npz(scratch / "three.npz", weights_file(snapshot));
    const BanditNetwork network = read_bandit_network(scratch / "three.npz");
    const auto config = config_from<BanditTrainConfig>(snapshot.settings);
    const BanditReferences references(config);
    const auto seeds = trained_bandits(config.shape, snapshot.weights, "snapshot");
    const auto least = [&](const TrainedBandit& seed) {
        const NetworkRegrets regrets = network_regrets(references, config.shape, seed.weights);
        return regrets.validation[regrets.best];
    };
    for (const TrainedBandit& seed : seeds) CHECK(least(network.trained) <= least(seed));
    CHECK(network.trained.weights == seeds[static_cast<size_t>(network.seed - 5)].weights);
}

TEST_CASE("the networks that ship are the last point of their seed's curve" * doctest::test_suite("release")) {
    size_t with_curves = 0;
    for (const std::string& name : shipped_bandit_networks()) {
        CAPTURE(name);
        const std::filesystem::path weights = bandit_weights_path(name);
        const BanditNetwork network = read_bandit_network(weights);
        const NetworkRegrets regrets =
            network_regrets(BanditReferences(network.config), network.config.shape, network.trained.weights);
        const NumericTable curves = read_csv(std::filesystem::path(weights).replace_extension(".csv"));
        for (size_t row = 0; row < curves.rows(); ++row) {
            if (curves.column("update")[row] != static_cast<double>(network.config.steps)) continue;
            if (curves.column("seed")[row] != static_cast<double>(network.seed)) continue;
            CHECK(curves.column("validation_regret")[row] == regrets.validation[regrets.best]);
            CHECK(curves.column("test_regret")[row] == regrets.test);
            ++with_curves;
        }
    }
    CHECK(with_curves == shipped_bandit_networks().size());
}

TEST_CASE("files that are no such weights are refused with their name") {
    const testing::Scratch scratch;
    write_npz(scratch / "bare.npz", {{"P", {{1}, std::vector<float>{1.0F}}}});
    CHECK_THROWS_WITH_AS(read_bandit_network(scratch / "bare.npz"), doctest::Contains("bare.npz: "), InputError);
    CHECK_THROWS_WITH_AS(read_bandit_network(scratch / "absent.npz"), doctest::Contains("absent.npz: "), InputError);
    CHECK_THROWS_WITH_AS(shipped_bandit_network("nothing"), doctest::Contains("transformer: 'nothing' is not one of "),
                         InputError);
}

TEST_CASE("the networks that ship are their presets', small, and play where they fit") {
    const std::filesystem::path assets = testing::source_dir() / "assets";
    uintmax_t bytes = 0;
    for (const std::string& name : shipped_bandit_networks()) {
        CAPTURE(name);
        const auto file = assets / "weights" / ("bandit-" + name + ".npz");
        Settings made_by(find_experiment("bandit-train").fields), preset = made_by;
        apply(read_config_of(file), made_by);
        apply(read_settings(assets / "presets" / ("bandit-" + name + ".toml")), preset);
        CHECK(made_by == preset);
        CHECK(read_bandit_network(file).misfit(32, 10, 200).empty());
        bytes += std::filesystem::file_size(file);
    }
    CHECK(bytes < 1000000);
}

TEST_CASE("weights are opened in the experiment that looks into them, without training") {
    const std::filesystem::path weights = testing::source_dir() / "assets" / "weights" / "bandit-mixture.npz";
    CHECK(holds_bandit_network(weights));
    const SettingsFile shipped = settings_of_file(weights);
    CHECK(shipped.experiment == "bandit-inside");
    CHECK_FALSE(shipped.step.has_value());
    Settings settings(find_experiment("bandit-inside").fields);
    apply(shipped, settings);
    CHECK(settings.text("network") == "mixture");
    CHECK_NOTHROW(find_experiment("bandit-inside").check(settings));
    // What made them is still there.
    CHECK(read_config_of(weights).experiment == "bandit-train");

    const testing::Scratch scratch;
    write_npz(scratch / "mine.npz", weights_file(trained_bandit_snapshot()));
    const SettingsFile own = settings_of_file(scratch / "mine.npz");
    Settings mine(find_experiment("bandit-inside").fields);
    apply(own, mine);
    CHECK(mine.text("network") == "file");
    CHECK(mine.integer("rounds") == 30);
    CHECK_NOTHROW(find_experiment("bandit-inside").check(mine));
    mine.set("rounds", int64_t{31});
    CHECK_THROWS_WITH_AS(find_experiment("bandit-inside").check(mine),
                         "rounds: weights 'mine' have positions for 30 rounds, not for 31. Lower it.", InputError);
    write_npz(scratch / "bare.npz", {{"W_token", {{1}, std::vector<float>{1.0F}}}});
    CHECK_FALSE(holds_bandit_network(scratch / "bare.npz"));
}

TEST_CASE("looked into, a network has the regret that it has among the players") {
    const emergence::testing::Changes small = {{"num_environments", "5"}, {"seeds", "1"}};
    emergence::testing::RunOf one("bandit-inside", small), two("bandit-eval", small);
    one.advance_to(5);
    two.advance_to(5);
    const Snapshot looked = one.snapshot();
    for (const char* name : {"final_transformer", "final_linucb"})
        CHECK(looked.weights.at(name) == two.snapshot().weights.at(name));
    CHECK(find_matrix(looked, "probabilities")->marks.at(0).edge);
}

TEST_CASE("the bandits' figures catch networks that learn nothing, and one that knows other frequencies" *
          doctest::test_suite("release")) {
    const Changes untrained = {{"num_steps", "0"}, {"bank_size", "8"}, {"arms", "3"}, {"d", "4"}};
    CHECK(caught("bandit-train", "nonstationary-by-heart", untrained) == Names{"", "learned"});
    const Changes short_plays = {{"num_steps", "0"}, {"bank_size", "4"}, {"rounds", "60"}, {"seeds", "2"}};
    CHECK(caught("bandit-train", "nonstationary-stationary", short_plays) == Names{"learned"});
    CHECK(caught("bandit-train", "nonstationary-trajectories", short_plays) == Names{"falls", "few", "rate"});
    const Changes by_heart = {{"transformer", "memorise"}, {"num_environments", "60"}};
    CHECK(caught("bandit-eval", "nonstationary-5", by_heart) == Names{"consistent", "settles"});
}

TEST_CASE("Theorem 6's bound catches errors that would not add up over rounds" * doctest::test_suite("release")) {
    CHECK(testing::judged_as("nonstationary-theorem-6", "nonstationary-theorem-6") == Verdict::agrees);
    CHECK(testing::judged_as("nonstationary-theorem-6", "nonstationary-theorem-6-once") == Verdict::fails);
}
