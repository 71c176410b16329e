#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/base/error.h"
#include "core/base/version.h"
#include "core/experiments/figure_recipe.h"
#include "core/lab/figures/figures.h"
#include "tests/support/scratch.h"
#include "tests/support/toy_study.h"

using namespace emergence;

using namespace emergence::testing;

namespace {

Settings short_toy() { return toy_settings({"num_steps=20", "num_seeds=2"}); }

// Two sizes side by side, with a caption of the recipe's making.
FigureRecipe two_sizes() {
    return {.name = "toy-sizes",
            .title = "Figure 1: two sizes",
            .page = {"Two sizes", {1, 1}, {1}, 8.0, 3.5},
            .after = "Figure 1 of nobody",
            .caption = "On toys.",
            .runs = {{"three", {{"size", 3}}}, {"five", {{"size", 5}}}},
            .measures = {"toy-half", "toy-loss"},
            .draw = [](Draft& draft) {
                for (const FinishedRun& run : draft.runs())
                    draft.add(plot_of_run(run, "loss", run.label, "loss_" + run.label));
                draft.measure("toy-half", fraction(1, 2), "by hand");
                draft.measure("toy-loss", 0.25);
            }};
}

}  // namespace

TEST_CASE("a recipe becomes a figure of its runs, in their order, on its page") {
    const FigureInfo figure = figure_of(two_sizes());
    CHECK(figure.name == "toy-sizes");
    CHECK_FALSE(figure.draw);
    const MadeFigure made = figure.build(toy_info(), short_toy(), {});
    CHECK(made.figure.width_inches == 8.0);
    CHECK(made.figure.height_inches == 3.5);
    REQUIRE(made.runs.size() == 2);
    CHECK(made.runs[1].label == "five");
    CHECK(made.runs[1].snapshot.settings.integer("size") == 5);
    REQUIRE(made.figure.cells.size() == 2);
    CHECK(made.figure.cells[1].row == 0);
    CHECK(made.figure.cells[1].column == 1);
    CHECK(std::get<PlotSpec>(made.figure.cells[1].content).id == "loss_five");
    REQUIRE(made.measured.size() == 2);
    CHECK(made.measured[0].measurement.value == 0.5);
    CHECK(made.measured[0].measurement.detail == "1 of 2; by hand");
    CHECK(made.figure.caption.starts_with("After Figure 1 of nobody. On toys. All seeds are pooled, 20 "));
    CHECK(holds(made.figure.caption, "Curves: mean and standard error over seeds. Emergence " + version() +
                                         ". Settings other than the defaults: "));
}

TEST_CASE("a recipe of any run draws an existing run as it draws its own") {
    FigureRecipe recipe = two_sizes();
    recipe.runs = {{}};
    recipe.of_any_run = true;
    const FigureInfo figure = figure_of(recipe);
    const MadeFigure own = figure.build(toy_info(), short_toy(), {});
    REQUIRE(own.runs.size() == 1);
    recipe.draw = [](Draft& draft) {
        if (draft.run().snapshot.settings.integer("size") == 5) throw InputError("size: five is too many");
        draft.add(PlotSpec{});
    };
    const FigureInfo plain = figure_of(recipe);
    const MadeFigure drawn = plain.draw(own.runs[0].snapshot, own.runs[0].history);
    CHECK(own.figure.caption.starts_with(drawn.figure.caption));
    CHECK(drawn.figure.cells.size() == 1);
    Snapshot other = own.runs[0].snapshot;
    other.settings.set("size", int64_t{5});
    CHECK_THROWS_WITH_AS(plain.draw(other, own.runs[0].history), "size: five is too many", InputError);
}

TEST_CASE("a free caption counts the networks that failed, too") {
    FigureRecipe recipe = two_sizes();
    recipe.after = "";
    recipe.runs[1].changes.emplace_back("diverge_seed", 1);
    recipe.draw = [](Draft& draft) { draft.add(PlotSpec{}); };
    CHECK(testing::holds(figure_of(recipe).build(toy_info(), short_toy(), {}).figure.caption,
                         "Failed and left out of means: five: 1 of 2. Emergence"));
}

TEST_CASE("stopped training leaves an empty figure") {
    const std::atomic<bool> stop = true;
    const MadeFigure stopped = figure_of(two_sizes()).build(toy_info(), short_toy(), {.stop = &stop});
    CHECK(stopped.stopped);
    CHECK(stopped.figure.cells.empty());
    CHECK(stopped.measured.empty());
}

TEST_CASE("a setting that every run chooses itself is refused before training, any other is obeyed") {
    const FigureInfo figure = figure_of(two_sizes());
    CHECK_THROWS_WITH_AS(refuse_unused(toy_info(), figure, toy_settings(), toy_settings({"size=4"})),
                         "size: figure toy-sizes sets this itself, to 3, 5, and would ignore 4. Leave it out",
                         InputError);
    CHECK_NOTHROW(refuse_unused(toy_info(), figure, toy_settings(), toy_settings({"seed=5"})));
    const MadeFigure made = figure.build(toy_info(), toy_settings({"num_steps=30", "seed=5", "num_seeds=2"}), {});
    for (const FinishedRun& run : made.runs) {
        CHECK(run.snapshot.step == 30);
        CHECK(run.snapshot.seeds.size() == 2);
        CHECK(run.snapshot.seeds.front().seed == 5);
    }
    CHECK(holds(made.figure.config, "runs = [\"five: size = 5\"]"));
    CHECK(made.figure.caption.ends_with("Runs: five: size = 5. Seeds 5..6 in each of 2 runs."));
}

TEST_CASE("a run of which no seed can be trained leaves the others' numbers, and a sentence") {
    FigureRecipe recipe = two_sizes();
    recipe.runs[1].changes.emplace_back("throw_seed", 0);
    recipe.runs[1].changes.emplace_back("throw_step", 1);
    const MadeFigure made = figure_of(recipe).build(toy_info(), toy_settings({"num_steps=20", "num_seeds=1"}), {});
    CHECK(made.figure.cells.empty());
    REQUIRE(made.runs.size() == 2);
    CHECK(made.runs[1].snapshot.seeds.empty());
    CHECK(made.runs[1].snapshot.settings.integer("size") == 5);
    REQUIRE(made.failures.size() == 1);
    CHECK(made.notices == std::vector<std::string>{"not drawn, because no network of five could be trained"});
}

TEST_CASE("a statistic of seeds comes with its bootstrap interval and n") {
    std::vector<std::vector<double>> rows;
    for (int k = 0; k < 100; ++k) rows.push_back({static_cast<double>(k % 10)});
    const auto mean = [&](const Places& places) { return summary_at(rows, places).mean; };
    const Measurement measured = bootstrapped(rows.size(), mean, "of a hundred");
    CHECK(measured.value == doctest::Approx(4.5));
    CHECK(measured.n == 100);
    CHECK(measured.detail == "of a hundred");
    CHECK(bootstrapped(rows.size(), mean).interval == measured.interval);  // the same draws
    CHECK_FALSE(bootstrapped(1, mean).interval);
    const auto largest = [](const Places& places) {
        return static_cast<double>(*std::max_element(places.begin(), places.end()));
    };
    CHECK(bootstrapped(10, largest).interval->contains(9));
    CHECK(all_places(3) == Places{0, 1, 2});
    CHECK(summary_at({{1}, {kMissing}, {5}}, {2, 2, 1, 0}).mean == doctest::Approx(11.0 / 3));
}

TEST_CASE("plots, matrices and last values are found by name") {
    const StudyGrid grid =
        run_studies(toy_info(), {{"", toy_settings({"num_steps=40", "seed=3", "diverge_seed=2", "num_seeds=3"})}}, {});
    const FinishedRun& run = grid.runs[0];
    CHECK(plot_of_run(run, "loss", "Loss").title == "Loss");
    CHECK(plot_of_run(run, "loss", "Loss").series[0].rows.size() == 3);
    CHECK_THROWS_WITH_AS(plot_of_run(run, "gain", ""), doctest::Contains("unknown plot 'gain'"), InputError);
    CHECK(heatmap_of_run(run, "A", {MatrixView::Mode::raw}).values.rows == 3);
    CHECK_THROWS_WITH_AS(heatmap_of_run(run, "B", {MatrixView::Mode::raw}), doctest::Contains("unknown matrix 'B'"),
                         InputError);
    const auto last = final_values(run, "loss");
    REQUIRE(last.size() == 2);  // the third diverged
    CHECK(last[1][0] == run.history.column("loss", 1).back());
}

namespace {

// A finished run whose seeds have these numbers; NaN: diverged.
FinishedRun run_of(const std::vector<uint64_t>& numbers, const std::vector<double>& losses) {
    FinishedRun run{"", {}, MetricHistory({{"loss", "loss", ""}}, static_cast<int>(numbers.size()))};
    run.snapshot.settings = toy_settings({"seed=0"});
    for (size_t k = 0; k < numbers.size(); ++k) {
        run.snapshot.seeds.emplace_back();
        run.snapshot.seeds[k].seed = numbers[k];
        run.snapshot.seeds[k].failed = std::isnan(losses[k]);
        run.history.append({static_cast<int>(k), 0, {losses[k]}});
    }
    return run;
}

SeedRows last_losses(const FinishedRun& run) { return final_values(run, "loss"); }

}  // namespace

TEST_CASE("a seed's number is no place: runs numbered 5 and 7, or in the order 0, 1, 10, 2, keep their values") {
    CHECK(last_losses(run_of({5, 7}, {0.5, 0.7})) == SeedRows{{0.5}, {0.7}});
    const FinishedRun folders = run_of({0, 1, 10, 2}, {0.0, 0.1, 1.0, 0.2});
    CHECK(last_losses(folders) == SeedRows{{0.0}, {0.1}, {1.0}, {0.2}});
    CHECK(logged_values(folders, "loss") == last_losses(folders));
}

TEST_CASE("a seed that diverges in one panel shifts no other value, and a whole panel leaves a gap") {
    Series series{"loss", {}, {}, 0};
    for (const FinishedRun& run : {run_of({0, 1, 2}, {1.0, 2.0, 3.0}), run_of({3, 4, 5}, {4.0, kMissing, 6.0}),
                                   run_of({6, 7}, {kMissing, kMissing}), run_of({8, 9, 10}, {7.0, 8.0, 9.0})})
        add_point(series, static_cast<double>(series.x.size()), last_losses(run));
    REQUIRE(series.rows.size() == 3);
    for (const auto& row : series.rows) CHECK(row.size() == 4);
    CHECK(summarise(series.rows, 1).mean == 5.0);
    CHECK(summarise(series.rows, 2).count == 0);
    CHECK(summarise(series.rows, 3).mean == 8.0);
    const FinishedRun none = run_of({0, 1}, {kMissing, kMissing});
    const Measurement measured = bootstrapped(last_losses(none).size(), [](const Places&) { return 1.0; });
    CHECK(std::isnan(measured.value));
    CHECK(measured.n == 0);
    CHECK(std::isnan(final_summary(none, "loss").mean));
}
