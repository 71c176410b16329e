#include "app/gui/panels/phase_diagram.h"

#include <doctest/doctest.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <chrono>
#include <thread>

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/io/assets.h"
#include "tests/app/gui/bench_of_panels.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

namespace fs = std::filesystem;

const std::string kSweep = R"(experiment = "regression"
title = "Small"
score = "loss"
seeds = 2
[settings]
num_iterations = 2
num_prompts = 500
bank_size = 500
log_interval = 1
[x]
field = "num_layers"
values = [1, 2]
[y]
field = "n"
values = [5, 10]
)";

struct PhaseBench : BenchOfPanels {
    explicit PhaseBench(const fs::path& home) {
        diagram().use(home, find_experiment);
        spit(home / "s.toml", kSweep);
        file = home / "s.toml";
    }
    PhaseDiagram& diagram() { return workbench.phase_diagram(); }
    template <class Done>
    void wait(Done done) {
        for (int i = 0; i < 20000 && !done(); ++i) {
            frames();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        REQUIRE(done());
        frames(2);
    }
    void wait_for_cells(size_t count) {
        wait([&] {
            const auto news = diagram().worker().news();
            return !diagram().worker().running() && news.scores && news.scores->size() == count;
        });
    }
    fs::path file;
};

}  // namespace

TEST_CASE("a grid is computed beside the run, as the command line has it, and a cell opens its run") {
    const Scratch scratch;
    PhaseBench bench(scratch.path());
    bench.diagram().open_sweep(bench.file);
    bench.frames(3);
    CHECK(bench.diagram().folder().empty());
    bench.click("phase start");
    bench.wait_for_cells(4);
    const fs::path folder = bench.diagram().folder();
    CHECK(folder == scratch / "regression-loss-num_layers-n");

    // The same bits as without a window.
    std::filesystem::create_directory(scratch / "cli");
    run_sweep_in(scratch / "cli", read_sweep(bench.file, find_experiment), {}, {.threads = 2});
    CHECK(slurp(folder / "cells.csv") == slurp(scratch / "cli/cells.csv"));
    for (const char* picture : {"sweep.pdf", "sweep.svg", "sweep.csv"}) CHECK(fs::exists(folder / picture));

    // More places and seeds: what fits is kept.
    bench.diagram().draft().x.values = "1, 2, 3";
    bench.diagram().settle();
    bench.wait_for_cells(4);
    CHECK(bench.diagram().folder() == folder);
    bench.click("phase start");
    bench.wait_for_cells(6);
    bench.diagram().draft().score = "emerged";
    bench.diagram().settle();
    CHECK(bench.diagram().folder().empty());

    bench.diagram().open_sweep(folder);
    bench.wait_for_cells(6);
    const auto& cells = bench.gui.log().place("cells mean");
    const ImVec2 size(cells.max.x - cells.min.x, cells.max.y - cells.min.y);
    const ImVec2 at(cells.min.x + size.x * 0.5F, cells.min.y + size.y * 0.75F);
    bench.gui.click(at, [&] { bench.frames(); });
    CHECK_FALSE(bench.diagram().is_open());
    CHECK(bench.session->info().name == "regression");
    CHECK(bench.session->settings().integer("num_layers") == 2);
    CHECK(bench.session->settings().integer("n") == 10);
    CHECK(bench.session->settings().integer("seeds") == 2);
}

TEST_CASE("a diagram that another process computes is followed") {
    const Scratch scratch;
    PhaseBench bench(scratch.path());
    fs::create_directory(scratch / "cli");
    const SweepText text = read_sweep(bench.file, find_experiment);
    run_sweep_in(scratch / "cli", text, {}, {.threads = 1}, {0, 2});
    bench.diagram().open_sweep(scratch / "cli");
    bench.wait_for_cells(2);
    run_sweep_in(scratch / "cli", text, {}, {.threads = 1}, {1, 2});
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
    bench.click("phase start");
    bench.wait([&] { return !bench.diagram().worker().running(); });
    CHECK(bench.diagram().worker().news().trouble.empty());
    CHECK(fs::exists(bench.diagram().folder() / "sweep.toml"));
}

TEST_CASE("what does not go together is said and cannot be started; Ctrl + G and Esc open and close") {
    const Scratch scratch;
    PhaseBench bench(scratch.path());
    bench.key(GLFW_KEY_G, GLFW_MOD_CONTROL);
    REQUIRE(bench.diagram().is_open());
    CHECK_FALSE(bench.diagram().draft().x.field.empty());
    bench.diagram().open_sweep(bench.file);
    for (const char* values : {"", "1,", "1, 1", "one", "1, 999"}) {
        CAPTURE(values);
        bench.diagram().draft().x.values = values;
        bench.diagram().settle();
        CHECK_FALSE(bench.diagram().problem().empty());
        bench.frames(2);
    }
    bench.key(GLFW_KEY_ESCAPE);
    CHECK_FALSE(bench.diagram().is_open());
    spit(scratch / "bad.toml", "[x]\n");
    bench.workbench.open(scratch / "bad.toml", *bench.session, find_experiment);
    REQUIRE(bench.session->banners().size() == 1);
    CHECK(bench.session->banners()[0].find("bad.toml") != std::string::npos);
}

TEST_CASE("axes begin around what is set") {
    const ExperimentInfo& td = find_experiment("td");
    const Settings settings(td.fields);
    const SweepDraft draft = draft_around(td, settings);
    CHECK(draft.score == "emerged");
    CHECK(draft.x.field == "num_layers");
    CHECK(draft.x.values == "1, 2, 3, 4, 5, 6");
    CHECK(axis_around(settings, "learning_rate").values == "0.0001, 0.000316, 0.001, 0.00316, 0.01");
    CHECK(axis_around(settings, "activation").values.starts_with("identity, "));
    for (const FieldInfo* field : axis_fields(settings)) {
        SweepDraft one = draft;
        one.x = axis_around(settings, field->name);
        CAPTURE(field->name);
        CHECK_FALSE(one.x.values.empty());
    }
    for (const char* preset : {"td-depth-and-length", "td-dimension-and-length", "td-worlds-and-rate"}) {
        const Sweep sweep =
            read_sweep(assets_folder() / "sweeps" / (std::string(preset) + ".toml"), find_experiment).sweep;
        const Sweep again = sweep_of(draft_of(sweep)).sweep;
        CHECK(again.settings == sweep.settings);
        CHECK(again.x.values == sweep.x.values);
        CHECK(again.y->values == sweep.y->values);
        CHECK(again.title == sweep.title);
    }
}
