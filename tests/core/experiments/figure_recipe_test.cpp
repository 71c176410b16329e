#include "core/experiments/figure_recipe.h"

#include <doctest/doctest.h>

#include <atomic>

#include "core/base/error.h"
#include "core/base/version.h"
#include "core/lab/figures/figures.h"
#include "tests/support/toy_study.h"

using namespace emergence;
using emergence::testing::toy_info;
using emergence::testing::toy_settings;

namespace {

Settings short_toy() { return toy_settings({"num_steps=20", "num_seeds=2"}); }

// Two sizes side by side, with a caption of the recipe's making.
FigureRecipe two_sizes() {
    return {.name = "toy-sizes",
            .title = "Figure 1: two sizes",
            .page = even_page("Two sizes", 1, 2, 4.0, 3.0, 0.5),
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
    CHECK(figure.preset == "toy-sizes");
    CHECK(figure.title == "Figure 1: two sizes");
    CHECK_FALSE(figure.draw);
    const MadeFigure made = figure.build(toy_info(), short_toy(), {});
    CHECK(made.figure.name == "toy-sizes");
    CHECK(made.figure.title == "Two sizes");
    CHECK(made.figure.column_weights == std::vector<double>{1, 1});
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
    CHECK(made.figure.caption.find("Curves: mean and standard error over seeds. Emergence " + version() +
                                   ". Settings other than the defaults: ") != std::string::npos);
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

TEST_CASE("a free caption ends with the version") {
    FigureRecipe recipe = two_sizes();
    recipe.after = "";
    recipe.draw = [](Draft& draft) {
        draft.caption = "Of two sizes. ";
        draft.add(PlotSpec{});
    };
    CHECK(figure_of(recipe)
              .build(toy_info(), short_toy(), {})
              .figure.caption.starts_with("Of two sizes. Emergence " + version() + ". "));
}

TEST_CASE("a free caption counts the networks that failed, too") {
    FigureRecipe recipe = two_sizes();
    recipe.after = "";
    recipe.runs[1].changes.emplace_back("diverge_seed", 1);
    recipe.draw = [](Draft& draft) { draft.add(PlotSpec{}); };
    CHECK(figure_of(recipe)
              .build(toy_info(), short_toy(), {})
              .figure.caption.find("Failed and left out of means: five: 1 of 2. Emergence") != std::string::npos);
}

TEST_CASE("stopped training and failed jobs leave an empty figure") {
    const std::atomic<bool> stop = true;
    const MadeFigure stopped = figure_of(two_sizes()).build(toy_info(), short_toy(), {.stop = &stop});
    CHECK(stopped.stopped);
    CHECK(stopped.figure.cells.empty());
    CHECK(stopped.measured.empty());
    FigureRecipe jobs = two_sizes();
    jobs.runs = {};
    jobs.draw = [](Draft& draft) {
        const auto results = draft.results_of(
            std::vector<GridJob<int>>{{"one", [](JobHandle&) { return 1; }},
                                      {"two", [](JobHandle&) -> int { throw InputError("no such number"); }}});
        if (results) draft.add(PlotSpec{});
    };
    const MadeFigure failed = figure_of(jobs).build(toy_info(), short_toy(), {});
    REQUIRE(failed.failures.size() == 1);
    CHECK(failed.failures[0].label == "two");
    CHECK(failed.figure.cells.empty());
}

TEST_CASE("a change names a field that exists") {
    CHECK(config_with("a", short_toy(), {{"size", 4}}).settings.integer("size") == 4);
    CHECK_THROWS_WITH_AS(config_with("a", short_toy(), {{"colour", "red"}}),
                         doctest::Contains("unknown field 'colour'"), InputError);
}

TEST_CASE("a setting that every run chooses itself is refused before training, any other is obeyed") {
    const FigureInfo figure = figure_of(two_sizes());
    CHECK_THROWS_WITH_AS(refuse_unused(toy_info(), figure, toy_settings(), toy_settings({"size=4"})),
                         "size: figure toy-sizes sets it itself, to 3, 5; 4 would not be used. Leave it out",
                         InputError);
    CHECK_NOTHROW(refuse_unused(toy_info(), figure, toy_settings(), toy_settings({"seed=5"})));
    const MadeFigure made = figure.build(toy_info(), toy_settings({"num_steps=30", "seed=5", "num_seeds=2"}), {});
    for (const FinishedRun& run : made.runs) {
        CHECK(run.snapshot.step == 30);
        CHECK(run.snapshot.seeds.size() == 2);
        CHECK(run.snapshot.seeds.front().seed == 5);
    }
    CHECK(made.figure.config.find("runs = [\"five: size = 5\"]") != std::string::npos);
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
    CHECK(made.notices == std::vector<std::string>{"not drawn, because no seed of five could be trained"});
}
