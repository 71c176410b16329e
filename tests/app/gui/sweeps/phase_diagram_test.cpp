#include "app/gui/sweeps/phase_diagram.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/files/folders.h"
#include "tests/app/gui/bench_of_panels.h"
#include "tests/support/scratch.h"
#include "tests/support/small_sweep.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

namespace fs = std::filesystem;

// Cases of the suite "release" wait for many cells. Sanitizers see their code in the other cases and in core's sweeps.
const std::string kSweep = small_sweep("field = \"n\"\nvalues = [5, 10]\n");

struct PhaseBench : BenchOfPanels {
    explicit PhaseBench(const fs::path& home) {
        diagram().use(home, find_experiment);
        spit(home / "s.toml", kSweep);
        file = home / "s.toml";
    }
    PhaseDiagram& diagram() { return workbench.phase_diagram(); }

    void wait_for_cells(size_t count) {
        wait([&] {
            const auto news = diagram().worker().news();
            return !diagram().worker().running() && news.scores && news.scores->size() == count;
        });
    }
    // What was changed in the draft is taken up, and so many cells are there.
    void settle(size_t cells) {
        diagram().settle();
        wait_for_cells(cells);
    }
    void start(size_t cells) {
        click("phase start");
        wait_for_cells(cells);
    }
    void compute() {
        diagram().open_sweep(file);
        frames(3);
        start(4);
    }
    fs::path file;
};

}  // namespace

TEST_CASE("a grid is computed beside the run, as the command line has it, and a cell opens its run") {
    const Scratch scratch;
    PhaseBench bench(scratch.path());
    bench.compute();
    const fs::path folder = bench.diagram().folder();
    CHECK(folder == scratch / "regression-num_layers-n");

    // The same bits as without a window.
    std::filesystem::create_directory(scratch / "cli");
    run_sweep_in(scratch / "cli", read_sweep(bench.file, find_experiment), {}, {.threads = 2});
    CHECK(slurp(folder / "cells.csv") == slurp(scratch / "cli/cells.csv"));
    for (const char* picture : {"sweep.pdf", "sweep.svg", "sweep.csv"}) CHECK(fs::exists(folder / picture));

    // More places and seeds: what fits is kept.
    bench.diagram().draft().typed[0].values = "1, 2, 3";
    bench.settle(4);
    CHECK(bench.diagram().folder() == folder);
    bench.start(6);
    // Another score of the same cells computes nothing.
    bench.diagram().draft().score = "initial_loss";
    bench.settle(6);
    CHECK(bench.diagram().folder() == folder);
    bench.diagram().draft().settings.set("num_iterations", int64_t{3});
    bench.diagram().settle();
    CHECK(bench.diagram().folder().empty());

    bench.diagram().open_sweep(folder);
    bench.wait_for_cells(6);
    bench.click_at(bench.at("cells mean", 0.5F, 0.75F));
    CHECK_FALSE(bench.diagram().is_open());
    CHECK(bench.session->info().name == "regression");
    CHECK(bench.session->settings().integer("num_layers") == 2);
    CHECK(bench.session->settings().integer("n") == 10);
    CHECK(bench.session->settings().integer("seeds") == 2);
}

TEST_CASE("a diagram that another process computes is followed" * doctest::test_suite("release")) {
    const Scratch scratch;
    PhaseBench bench(scratch.path());
    fs::create_directory(scratch / "cli");
    SweepText text = read_sweep(bench.file, find_experiment);
    SweepText narrow = text;
    narrow.sweep.axes[0].values.pop_back();
    run_sweep_in(scratch / "cli", narrow, {}, {.threads = 1});
    spit(scratch / "cli/sweep.toml", text.text);
    bench.diagram().open_sweep(scratch / "cli");
    bench.wait_for_cells(2);
    run_sweep_in(scratch / "cli", text, known_in(scratch / "cli", text.sweep, find_experiment), {.threads = 1});
    bench.wait_for_cells(4);
}

TEST_CASE("it is stopped between two words of its seeds, and gone on with") {
    const Scratch scratch;
    PhaseBench bench(scratch.path());
    bench.diagram().open_sweep(bench.file);
    bench.diagram().draft().settings.set("num_iterations", int64_t{400});
    bench.diagram().settle();
    bench.frames(2);
    bench.click("phase start");
    bench.wait([&] { return bench.diagram().worker().news().progress.has_value(); });
    bench.wait([&] { return fs::exists(bench.diagram().folder() / "sweep.toml"); });
    REQUIRE(bench.drawn("phase progress"));
    REQUIRE(bench.drawn("phase time"));
    bench.click("phase start");
    CHECK_FALSE(bench.diagram().worker().running());  // at once, whatever a seed is at
    CHECK(bench.diagram().worker().news().trouble.empty());
    bench.diagram().draft().settings.set("num_iterations", int64_t{2});
    bench.diagram().settle();
    bench.frames(2);
    bench.start(4);
}

TEST_CASE("more seeds keep the cells there were until the new ones are there; each cell's weights are saved if asked" *
          doctest::test_suite("release")) {
    const Scratch scratch;
    PhaseBench bench(scratch.path());
    bench.compute();
    const SweepScores before = *bench.diagram().worker().news().scores;
    bench.diagram().draft().seeds = 3;
    bench.settle(4);
    const Sweep three = read_sweep(bench.file, find_experiment).sweep;
    CHECK(sweep_csv(three, *bench.diagram().worker().news().scores) == sweep_csv(three, before));
    bench.click("phase start");
    bench.wait([&] {
        const auto news = bench.diagram().worker().news();
        if (news.scores) CHECK(news.scores->size() == 4);  // never fewer on the way
        return !bench.diagram().worker().running() && news.scores && news.scores->begin()->second.size() == 3;
    });
    SweepScores first_two = *bench.diagram().worker().news().scores;
    for (auto& [cell, scores] : first_two) scores.pop_back();
    CHECK(sweep_csv(three, first_two) == sweep_csv(three, before));
}

TEST_CASE("results that lie beside a sweep's file are shown at once, and computed anew elsewhere" *
          doctest::test_suite("release")) {
    const Scratch scratch;
    PhaseBench bench(scratch.path());
    const fs::path shipped = scratch / "shipped";
    fs::create_directories(shipped / "s");
    spit(shipped / "s.toml", kSweep);
    run_sweep_in(shipped / "s", read_sweep(bench.file, find_experiment), {}, {.threads = 2});
    const std::string table = slurp(shipped / "s/cells.csv");
    bench.diagram().open_sweep(shipped / "s.toml");
    bench.wait_for_cells(4);
    CHECK(bench.diagram().folder().empty());
    bench.click("phase start");  // "Compute anew"
    bench.wait([&] { return fs::exists(bench.diagram().folder() / "sweep.pdf"); });
    CHECK(bench.diagram().folder().parent_path() == scratch.path());
    CHECK(slurp(bench.diagram().folder() / "cells.csv") == table);

    // More of it: the shipped cells serve, and stay as they are.
    bench.diagram().open_sweep(shipped / "s.toml");
    bench.diagram().draft().typed[0].values = "1, 2, 3";
    bench.settle(4);
    bench.start(6);
    CHECK(slurp(shipped / "s/cells.csv") == table);
    bench.diagram().draft().settings.set("num_iterations", int64_t{3});
    bench.diagram().settle();
    CHECK_FALSE(bench.diagram().worker().news().progress.has_value());
    // Other settings: nothing of it belongs.
    spit(shipped / "s.toml", kSweep + "\n");
    CHECK(results_beside(shipped / "s.toml", read_sweep(bench.file, find_experiment).sweep, find_experiment) ==
          shipped / "s");
    Sweep other = read_sweep(bench.file, find_experiment).sweep;
    other.settings.set("num_iterations", int64_t{3});
    CHECK_FALSE(results_beside(shipped / "s.toml", other, find_experiment));
}

TEST_CASE("what a cell trains is said, and a cell that is pointed at is read beside the picture") {
    const Scratch scratch;
    PhaseBench bench(scratch.path());
    bench.diagram().open_sweep(bench.file);
    bench.frames(3);
    CHECK(bench.drawn("phase trains"));
    CHECK_FALSE(bench.drawn("phase reading"));
    bench.gui.move(bench.centre("cells mean"));
    bench.frames(3);
    const auto& reading = bench.place("phase reading");
    CHECK(reading.min.y > bench.place("cells mean").max.y);
    CHECK(reading.max.y <= bench.place("panel phase diagram").max.y);
}

TEST_CASE("what does not go together is said and cannot be started; Ctrl + G and Esc open and close") {
    const Scratch scratch;
    PhaseBench bench(scratch.path());
    bench.act(Action::phase_diagram);
    REQUIRE(bench.diagram().is_open());
    CHECK_FALSE(bench.diagram().draft().typed[0].field.empty());
    bench.diagram().open_sweep(bench.file);
    for (const char* values : {"", "1,", "1, 1", "one", "1, 999"}) {
        CAPTURE(values);
        bench.diagram().draft().typed[0].values = values;
        bench.diagram().settle();
        CHECK_FALSE(bench.diagram().problem().empty());
        bench.frames(2);
    }
    bench.key(GLFW_KEY_ESCAPE);
    CHECK_FALSE(bench.diagram().is_open());
    spit(scratch / "bad.toml", "[x]\n");
    bench.workbench.door().open({scratch / "bad.toml"}, *bench.session);
    bench.check_banner("bad.toml");
}

TEST_CASE("axes begin around what is set") {
    const ExperimentInfo& td = find_experiment("td");
    const Settings settings(td.fields);
    const SweepDraft draft = draft_around(td, settings);
    CHECK(draft.score == "emerged");
    CHECK(draft.typed[0].field == "num_layers");
    CHECK(draft.typed[0].values == "1, 2, 3, 4, 5, 6");
    CHECK(axis_around(settings, "learning_rate").values == "0.0001, 0.000316, 0.001, 0.00316, 0.01");
    CHECK(axis_around(settings, "activation").values.starts_with("identity, "));
    for (const FieldInfo* field : axis_fields(settings)) {
        SweepDraft one = draft;
        one.typed[0] = axis_around(settings, field->name);
        CAPTURE(field->name);
        CHECK_FALSE(one.typed[0].values.empty());
    }
    for (const char* preset : {"td-depth-and-length", "td-dimension-and-length", "td-worlds-and-rate"}) {
        const Sweep sweep =
            read_sweep(assets_folder() / "sweeps" / (std::string(preset) + ".toml"), find_experiment).sweep;
        const Sweep again = sweep_of(draft_of(sweep)).sweep;
        CHECK(again.settings == sweep.settings);
        CHECK(again.x().values == sweep.x().values);
        CHECK(again.y()->values == sweep.y()->values);
        CHECK(again.title == sweep.title);
    }
}
