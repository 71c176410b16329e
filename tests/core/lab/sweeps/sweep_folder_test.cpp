#include "core/lab/sweeps/sweep.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"

namespace emergence {
namespace {

using namespace testing;

const std::string kFolderSweep = R"(experiment = "regression"
title = "A \"title\""
score = "loss"
seeds = 2
[settings]
d = 2
n = 5
num_layers = 1
num_iterations = 2
num_prompts = 500
bank_size = 500
log_interval = 1
[x]
field = "optimizer"
values = ["lbfgs", "adam"]
[y]
field = "condition"
values = "1:9:3:log"
)";

}  // namespace

TEST_CASE("a folder and a file with an axis are sweeps, a preset and a picture are none") {
    const Scratch scratch;
    CHECK_FALSE(sweep_file_at(scratch.path()));
    spit(scratch / "sweep.toml", kFolderSweep);
    CHECK(sweep_file_at(scratch.path()) == scratch / "sweep.toml");
    CHECK(sweep_file_at(scratch / "sweep.toml") == scratch / "sweep.toml");
    spit(scratch / "preset.toml", "experiment = \"td\"\n");
    spit(scratch / "broken.toml", "[x");
    CHECK_FALSE(sweep_file_at(scratch / "preset.toml"));
    CHECK_FALSE(sweep_file_at(scratch / "broken.toml"));
    CHECK_FALSE(sweep_file_at(scratch / "none.toml"));
    // Results beside their sweep's file, as those that ship.
    const std::filesystem::path shipped = testing::source_dir() / "assets" / "sweeps" / "td-depth-and-length";
    CHECK(sweep_file_at(shipped) == shipped.string() + ".toml");
    CHECK(sweep_file_at(shipped / "") == shipped.string() + ".toml");
}

TEST_CASE("every scalar of a snapshot can be a score, of each seed by itself") {
    Sweep sweep = parse_sweep(kFolderSweep, "s.toml", find_experiment);
    const std::vector<ScoreInfo> scores = scores_of(*sweep.experiment, sweep.settings);
    const auto has = [&](const std::string& name) {
        return std::any_of(scores.begin(), scores.end(), [&](const auto& one) { return one.name == name; });
    };
    CHECK(has("emerged"));
    CHECK(has("loss"));
    std::string scalar;  // one that is no metric
    RunOf run(*sweep.experiment, settings_of(sweep, {0, 0}));
    run.advance_to(0);
    const MetricTable& metrics = run.study().metrics();
    for (const Scalar& one : run.snapshot().scalars)
        if (std::none_of(metrics.begin(), metrics.end(), [&](const auto& m) { return m.name == one.name; }))
            scalar = one.name;
    REQUIRE_FALSE(scalar.empty());
    CHECK(has(scalar));

    sweep.score = scalar;
    const SweepResult result = run_sweep(sweep, {}, {.threads = 1});
    CHECK(result.failures.empty());
    const CellScores& cell = result.scores.at({0, 1});
    for (int k = 0; k < 2; ++k) {
        RunOf single(*sweep.experiment, settings_of(sweep, {0, 1}));
        const std::vector<MetricRow> rows = single.advance_to(single.study().target_step());
        const Snapshot of_seed = single.study().describe({&single.seed(k)});
        for (const Scalar& found : of_seed.scalars)
            if (found.name == scalar) CHECK(values_of(cell, scalar)[static_cast<size_t>(k)] == found.value);
        // And all other scores beside it.
        for (const MetricRow& row : rows)
            if (row.seed_index == k && row.step == single.step())
                for (size_t i = 0; i < metrics.size(); ++i)
                    if (const double value = row.values[i]; value == value)
                        CHECK(values_of(cell, metrics[i].name)[static_cast<size_t>(k)] == value);
        CHECK(values_of(cell, kEmergedScore)[static_cast<size_t>(k)] == (single.seed_status(k).emerged ? 1 : 0));
    }
}

TEST_CASE("a folder is resumed by any process, and another sweep is kept out") {
    const Scratch scratch;
    spit(scratch / "s.toml", kFolderSweep);
    const SweepText text = read_sweep(scratch / "s.toml", find_experiment);
    SweepText half = text;
    half.sweep.axes[0].values.pop_back();
    std::filesystem::create_directory(scratch / "f");
    CHECK(run_sweep_in(scratch / "f", half, {}, {.threads = 1}).scores.size() == 3);
    const SweepScores known = known_in(scratch / "f", text.sweep, find_experiment);
    CHECK(known.size() == 3);
    size_t told = 0;
    run_sweep_in(scratch / "f", text, known, {.threads = 2}, [&](const SweepScores& scores) { told = scores.size(); });
    CHECK(told == 6);
    CHECK(cells_in(scratch / "f", text.sweep).size() == 6);
    CHECK(slurp(scratch / "f/sweep.toml") == kFolderSweep);
    CHECK(testing::count_entries(scratch / "f") == 3);  // sweep.toml, cells.toml, cells.csv
    // Another score, the axes the other way: the same cells.
    Sweep other = text.sweep;
    other.score = "emerged";
    std::swap(other.axes[0], other.axes[1]);
    const SweepScores turned = known_in(scratch / "f", other, find_experiment);
    CHECK(count_whole(other, turned) == 6);
    CHECK(values_of(turned.at({2, 1}), "loss") == values_of(cells_in(scratch / "f", text.sweep).at({1, 2}), "loss"));
    other.settings.set("num_iterations", int64_t{3});
    CHECK(
        holds(message_of<InputError>([&] { known_in(scratch / "f", other, find_experiment); }), "Use another folder"));
}

TEST_CASE("the results that ship are whole, and of the sweeps that they stand beside") {
    int with_results = 0;
    for (const auto& entry : std::filesystem::directory_iterator(testing::source_dir() / "assets" / "sweeps")) {
        if (entry.is_directory()) continue;
        const Sweep sweep = read_sweep(entry.path(), find_experiment).sweep;
        const auto folder = results_beside(entry.path(), sweep, find_experiment);
        if (!folder) continue;
        CAPTURE(folder->string());
        CHECK(count_whole(sweep, cells_in(*folder, sweep)) == sweep.columns() * sweep.rows());
        CHECK(holds(sweep.description, "What it shows"));
        ++with_results;
    }
    CHECK(with_results >= 3);
}

TEST_CASE("values are spaced evenly or in ratios, whole ones rounded and not twice") {
    const FieldInfo whole{.name = "n", .default_value = int64_t{1}};
    const FieldInfo real{.name = "r", .default_value = 1.0};
    CHECK(spaced_values(whole, 1, 3, 5, false) == std::vector<FieldValue>{int64_t{1}, int64_t{2}, int64_t{3}});
    CHECK(spaced_values(whole, 5, 80, 5, true) ==
          std::vector<FieldValue>{int64_t{5}, int64_t{10}, int64_t{20}, int64_t{40}, int64_t{80}});
    CHECK(spaced_values(real, 0, 1, 3, false) == std::vector<FieldValue>{0.0, 0.5, 1.0});
    CHECK(spaced_values(real, 2, 9, 1, false) == std::vector<FieldValue>{2.0});
}

}  // namespace emergence
