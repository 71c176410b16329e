// Experiments bandit-race, bandit-eval and bandit-sweep: their bits, pictures and refusals.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/error.h"
#include "core/experiments/bandits/bandits.h"
#include "core/experiments/registry.h"
#include "core/lab/figures/figures.h"
#include "core/lab/sweeps/sweep.h"
#include "core/pictures/axis.h"
#include "core/pictures/matrix_cells.h"
#include "core/settings/toml.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"

using namespace emergence;

namespace {

using namespace emergence::testing;

const Changes kRace = {{"rounds", "150"}, {"seeds", "2"}, {"master_constants", "both"}, {"probability", "0.1"}};
const Changes kEval = {{"rounds", "60"}, {"num_environments", "12"}, {"seeds", "3"}};

}  // namespace

TEST_CASE("race: regret is the sum of suboptimality, marks are the choices, the future is not shown") {
    RunOf run("bandit-race", kRace);
    const auto rows = run.advance_to(100);
    const size_t players = run.study().metrics().size() / 2;
    std::vector<double> sums(players, 0.0);
    for (const MetricRow& row : rows) {
        if (row.seed_index != 0 || row.step == 0) continue;
        for (size_t i = 0; i < players; ++i) {
            sums[i] += row.values[players + i];
            CHECK(row.values[i] == doctest::Approx(sums[i]));
        }
    }
    const Snapshot snapshot = run.snapshot();
    const NamedMatrix& rewards = snapshot.matrices[0];
    CHECK(rewards.seeds[0].rows == 10);
    CHECK(rewards.seeds[0].columns == 150);
    CHECK(std::isfinite(rewards.seeds[0](3, 99)));
    CHECK(std::isnan(rewards.seeds[0](3, 100)));
    const auto arms = as_doubles(snapshot.weights.at("arms_linucb"));
    const auto marks = std::find_if(rewards.marks.begin(), rewards.marks.end(),
                                    [](const CellMarks& one) { return one.name == "LinUCB"; });
    REQUIRE(marks != rewards.marks.end());
    REQUIRE(marks->cells.size() == 100);
    for (size_t i = 0; i < 100; ++i) CHECK(marks->cells[i].row == static_cast<int>(arms[i]));
    // The file rebuilds the play: LinUCB's regret from the expected rewards, which are the actions' times one vector.
    const Array &actions = snapshot.weights.at("actions"), &means = snapshot.weights.at("means");
    CHECK(actions.shape == std::vector<size_t>{10, 32});
    CHECK(means.shape == std::vector<size_t>{10, 150});
    const std::vector<double> expected = as_doubles(means);
    double regret = 0;
    for (size_t t = 0; t < 100; ++t) {
        double best = expected[t];
        for (size_t k = 1; k < 10; ++k) best = std::max(best, expected[150 * k + t]);
        regret += best - expected[150 * static_cast<size_t>(arms[t]) + t];
    }
    CHECK(regret == doctest::Approx(sums[0]));
    CHECK(snapshot.headline.find("round 100: least regret") == 0);
    CHECK(snapshot.seed_word == "environment");
    CHECK(rewards.column_blocks[0].size == 100);
    CHECK(hatched_blocks(heatmap_of(snapshot, rewards, {})) == std::vector<CellRange>{{0, 10, 100, 150}});
    CHECK(holds(required_plot(snapshot, "master_tests").readout, "test 2 at most"));
}

TEST_CASE("eval: curves end in the final regrets, differences are paired") {
    RunOf run("bandit-eval", kEval);
    run.advance_to(12);
    const Snapshot snapshot = run.snapshot();
    const PlotSpec& regret = required_plot(snapshot, "regret");
    const PlotSpec& difference = required_plot(snapshot, "difference");
    const auto finals = as_doubles(snapshot.weights.at("final_linucb"));
    REQUIRE(regret.series[0].name == "LinUCB");
    CHECK(regret.series[0].x.front() == 0.0);
    CHECK(regret.series[0].x.back() == 60.0);
    for (size_t e = 0; e < 36; ++e) {
        CHECK(regret.series[0].rows[e].back() == finals[e]);
        CHECK(difference.series[0].rows[e].back() == doctest::Approx(regret.series[1].rows[e].back() - finals[e]));
        // What a round adds, times the rounds.
        double sum = 0;
        for (const double slope : required_plot(snapshot, "suboptimality").series[0].rows[e]) sum += slope;
        CHECK(sum == doctest::Approx(finals[e]));
    }
    CHECK(holds(regret.series.back().name, " t"));
    CHECK(row_name(regret, 7) == "environment 7");
}

TEST_CASE("eval: environments do not depend on who plays, nor algorithms on each other") {
    Changes few = kEval;
    few.insert(few.end(), {{"play_thompson", "false"}, {"play_master_linucb", "false"}});
    RunOf all("bandit-eval", kEval), some("bandit-eval", few);
    all.advance_to(12);
    some.advance_to(12);
    for (const auto& [name, finals] : some.snapshot().weights) {
        CAPTURE(name);
        CHECK(finals == all.snapshot().weights.at(name));
    }
    CHECK_FALSE(some.snapshot().weights.contains("final_thompson"));
}

TEST_CASE("sweep: its points, its axis") {
    const auto begun = [](Changes changes) {
        changes.insert(changes.end(), {{"transformer", "none"}, {"seeds", "1"}});
        return RunOf("bandit-sweep", changes).snapshot();
    };
    const Snapshot by_segments = begun({{"kind", "abrupt"}});
    CHECK(required_plot(by_segments, "sweep").x.ticks.back() == 32.0);
    CHECK(required_plot(begun({{"kind", "elevated"}}), "sweep").x.ticks.back() == 12.0);
    const Snapshot by_rounds = begun({{"kind", "elevated"}, {"rounds", "1000"}, {"over", "rounds"}});
    CHECK(required_plot(by_rounds, "sweep").x.ticks.front() == 31.0);
    CHECK(required_plot(by_rounds, "sweep").x.ticks.back() == 1000.0);
    RunOf run("bandit-sweep", {{"rounds", "60"}, {"kind", "drift"}, {"num_environments", "6"}, {"seeds", "2"}});
    run.advance_to(6);
    const PlotSpec plot = required_plot(run.snapshot(), "sweep");
    CHECK(std::is_sorted(plot.series[0].x.begin(), plot.series[0].x.end()));
}

TEST_CASE("sweep: the figure measures the exponents of its claims, or says who does not play") {
    const ExperimentInfo& info = find_experiment("bandit-sweep");
    Settings settings(info.fields);
    testing::change(settings, "num_environments=1, seeds=2, transformer=none");
    const MadeFigure made = info.figures.at(0).build(info, settings, {});
    REQUIRE(made.measured.size() == 2);
    for (const MeasuredClaim& claim : made.measured) {
        CAPTURE(claim.name);
        CHECK(std::isfinite(claim.measurement.value));
        CHECK(claim.measurement.interval);
        CHECK(claim.measurement.n == 2);
    }
    settings.set("play_oracle_restart", false);
    CHECK_THROWS_WITH_AS(info.figures.at(0).build(info, settings, {}), doctest::Contains("does not play in this sweep"),
                         InputError);
}

TEST_CASE("bandits: who cannot play is named") {
    BanditWorldFields world;
    BanditPlayerFields players;
    players.transformer = "none";
    CHECK(players_of(world, players).absent.empty());
    world.kind = BanditKind::drift;
    CHECK(absent_text(players_of(world, players)) == "cosine-aware TS plays only where there is a cosine.");
    players.constants = "tuned";
    for (const BanditPlayer& player : players_of(world, players).players) {
        const bool plain = player.id == "random" || player.oracle;
        CHECK((holds(player.label, "(tuned)")) == !plain);
        CHECK(player.badge.empty() == (player.id == "random"));
    }
}

TEST_CASE("players have a colour and a mark each that no other one has, and are told from one another") {
    BanditPlayerFields fields;
    fields.master_constants = "both";
    const BanditPlayers all = players_of({}, fields);
    std::set<int> colors;
    std::set<std::vector<std::pair<double, double>>> marks;
    for (const BanditPlayer& player : all.players) {
        CHECK(player.color != law_color());
        colors.insert(player.color);
        marks.insert(marker_outline(player.color));
    }
    CHECK(colors.size() == 12);
    CHECK(marks.size() == 12);
}

TEST_CASE("the badge and the slider say what a network was trained on") {
    Changes changes = {{"frequency", "0.025"}, {"num_environments", "5"}};
    RunOf beyond("bandit-eval", changes);
    beyond.advance_to(5);
    const Snapshot snapshot = beyond.snapshot();
    const auto named = [&](const std::string& name) {
        const PlotSpec& plot = required_plot(snapshot, "regret");
        return std::any_of(plot.series.begin(), plot.series.end(),
                           [&](const Series& series) { return series.name == name; });
    };
    CHECK(named("transformer (beyond its training)"));
    REQUIRE(snapshot.field_ranges.size() == 1);
    CHECK(snapshot.field_ranges[0].field == "frequency");
    CHECK(snapshot.field_ranges[0].to == 0.022);
    CHECK(snapshot.counted.number == 20);
    CHECK(snapshot.counted.what == "environments, 5 in each of 4 streams");
    CHECK(snapshot.headline.starts_with("least regret over 20 environments: "));
    CHECK(snapshot.notices.empty());

    changes.push_back({"d", "16"});
    const Snapshot without = RunOf("bandit-eval", changes).snapshot();
    REQUIRE(without.notices.size() == 1);
    CHECK(without.notices[0] == "The transformer 'cosine' cannot play here: its weights are for d = 32 instead of 16.");
    CHECK(without.field_ranges.empty());
}

TEST_CASE("a saved sweep has the rounds that its horizon meant") {
    const auto rounds = [](const std::string& entries) {
        Settings settings(find_experiment("bandit-sweep").fields);
        apply(parse_settings("experiment = \"bandit-sweep\"\n[settings]\n" + entries + "rounds = 50\n", "s.toml"),
              settings);
        return settings.integer("rounds");
    };
    CHECK(rounds("horizon = \"as set\"\n") == 50);
    CHECK(rounds("horizon = \"usual\"\nkind = \"abrupt\"\n") == 1000);
    CHECK(rounds("horizon = \"usual\"\nkind = \"cosine\"\n") == 200);
    CHECK(rounds("horizon = \"usual\"\nover = \"rounds\"\nkind = \"cosine\"\n") == 1600);
    CHECK_THROWS_AS(rounds("horizon = \"short\"\n"), InputError);
    const Sweep sweep = parse_sweep(
        "experiment = \"bandit-sweep\"\n[settings]\nhorizon = \"usual\"\nkind = \"abrupt\"\nrounds = 50\n[x]\n"
        "field = \"d\"\nvalues = [2]\n",
        "s.toml", find_experiment);
    CHECK(sweep.settings.integer("rounds") == 1000);
}
