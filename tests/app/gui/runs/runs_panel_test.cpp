#include "app/gui/runs/runs_panel.h"

#include <doctest/doctest.h>

#include "app/open/run_folder.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "core/lab/store/checkpoint.h"
#include "core/settings/toml.h"
#include "tests/app/gui/bench_of_panels.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"

using namespace emergence;
using namespace emergence::testing;

TEST_SUITE_BEGIN("threads");

namespace {

namespace fs = std::filesystem;

// The folder of a toy run at a step, as either program leaves it.
void write_toy(const fs::path& folder, const std::vector<std::string>& changes, int64_t step) {
    fs::create_directories(folder);
    RunOf run(toy_info(), toy_settings(changes), 1);
    const MetricHistory history = run.history_to(step);
    write_checkpoint(folder, state_of("toy", run, 1.0), history);
}

struct RunsBench : BenchOfPanels {
    explicit RunsBench(const fs::path& runs) { panel().use(runs, find_toy); }
    RunsPanel& panel() { return workbench.runs_panel(); }
    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const fs::path& folder : const_cast<RunsBench*>(this)->panel().listed())
            all.push_back(folder.filename().string());
        return all;
    }

    void wait_for(const std::vector<std::string>& expected) {
        wait([&] { return names() == expected; });
    }
};

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("the list is of the folder in which the run that goes on lies") {
    const Scratch scratch;
    write_toy(scratch / "here" / "a", {}, 20);
    write_toy(scratch / "there" / "b", {}, 20);
    RunsBench bench(scratch / "here");
    bench.panel().open_beside({});
    bench.wait_for({"a"});
    bench.panel().close();
    bench.panel().open_beside(scratch / "there" / "b");
    bench.wait_for({"b"});
}

TEST_CASE("a run's folder says what it is of, how far it is and how it went") {
    const Scratch scratch;
    write_toy(scratch / "a", {"size=4", "diverge_seed=1", "diverge_step=20"}, 50);
    const auto run = read_run(scratch / "a", find_toy);
    REQUIRE(run);
    CHECK(run->trouble.empty());
    CHECK(run->experiment == "toy");
    CHECK(run->settings == toy_settings({"size=4", "diverge_seed=1", "diverge_step=20"}));
    CHECK(run->step == 50);
    CHECK(run->seeds == 4);
    CHECK(run->has_checkpoint);
    ThreadPool pool(1);
    Run whole(toy_info().make(*run->settings), pool);
    whole.advance_to(50);
    int emerged = 0;
    for (int k = 0; k < 4; ++k) emerged += whole.seed_status(k).emerged ? 1 : 0;
    CHECK(run->emerged == emerged);
    CHECK(run->scores.at(whole.study().metrics()[0].name).count == 3);  // without the one that diverged
    CHECK_FALSE(read_run(scratch.path(), find_toy));                    // no run of its own
    // As older runs are: without a checkpoint.
    fs::create_directory(scratch / "old");
    spit(scratch / "old/config.toml", settings_to_toml("toy", toy_settings({"size=5"})));
    spit(scratch / "old/metrics.csv", "seed,step,loss\n0,0,3\n0,10,1\n1,0,5\n1,10,2\n");
    const auto old = read_run(scratch / "old", find_toy);
    REQUIRE(old);
    CHECK_FALSE(old->has_checkpoint);
    CHECK(old->step == 10);
    CHECK(old->seeds == 2);
    CHECK(old->scores.at("loss").mean == 1.5);
    spit(scratch / "old/config.toml", "experiment = \"other\"\n");
    CHECK_FALSE(read_run(scratch / "old", find_toy)->trouble.empty());
}

TEST_CASE("runs are told apart by the settings that are not the same in all of their experiment") {
    const Scratch scratch;
    write_toy(scratch / "a", {"size=4"}, 0);
    write_toy(scratch / "b", {"size=5", "seed=8"}, 0);
    const ListedRun a = *read_run(scratch / "a", find_toy), b = *read_run(scratch / "b", find_toy);
    const auto texts = differences_of({&a, &b});
    CHECK(texts[0] != texts[1]);
    CHECK(holds(texts[0], "4"));
    CHECK(holds(texts[1], "8"));
    CHECK(differences_of({&a})[0].empty());
}

TEST_CASE("the table follows a folder that is written to, whatever lies in it half done") {
    const Scratch scratch;
    write_toy(scratch / "one", {}, 10);
    RunsBench bench(scratch.path());
    bench.key(GLFW_KEY_O, GLFW_MOD_CONTROL);
    REQUIRE(bench.panel().is_open());
    bench.wait_for({"one"});
    // Deeper ones too; one that is damaged keeps what was known of it.
    write_toy(scratch / "more/two", {}, 20);
    bench.wait([&] { return bench.names().size() == 2; });
    const std::string sound = slurp(scratch / "one/checkpoint.npz");
    spit(scratch / "one/checkpoint.npz", sound.substr(0, sound.size() / 3));
    write_toy(scratch / "three", {}, 30);
    bench.wait([&] { return bench.names().size() == 3; });
    fs::remove_all(scratch / "more");
    bench.wait([&] { return bench.names().size() == 2; });
    bench.key(GLFW_KEY_ESCAPE);
    CHECK_FALSE(bench.panel().is_open());
}

TEST_CASE("an empty list says what to do, a damaged run why, within the panel") {
    const Scratch scratch;
    RunsBench bench(scratch.path());
    bench.panel().open_beside({});
    bench.wait([&] { return bench.drawn("runs empty"); });
    const std::string long_name(180, 'n');
    fs::create_directory(scratch / long_name);
    spit(scratch / (long_name + "/checkpoint.npz"), "none");
    bench.wait([&] { return bench.names().size() == 1; });
    CHECK_FALSE(bench.drawn("runs empty"));
    bench.click("runs row 0");
    bench.frames(2);
    const auto& said = bench.place("runs said");
    const auto& panel = bench.place("panel runs");
    CHECK(said.max.x <= panel.max.x);
    CHECK(said.max.y <= panel.max.y);
    CHECK(said.max.y - said.min.y > bench.gui.ui().fonts.body->FontSize * 1.5F);  // more than one line
    bench.click("runs search");
    ImGui::GetIO().AddInputCharactersUTF8("zzz");
    bench.wait([&] { return bench.drawn("runs empty"); });
}

TEST_CASE("the table is sorted by its heads and searched") {
    const Scratch scratch;
    write_toy(scratch / "b-run", {"size=4"}, 30);
    write_toy(scratch / "a-run", {"size=5"}, 10);
    write_toy(scratch / "c-run", {"size=6"}, 20);
    RunsBench bench(scratch.path());
    bench.panel().open_beside({});
    bench.wait([&] { return bench.names().size() == 3; });
    bench.click("runs column 2");
    CHECK(bench.names() == Names{"a-run", "b-run", "c-run"});
    bench.click("runs column 2");
    CHECK(bench.names() == Names{"c-run", "b-run", "a-run"});
    bench.click("runs column 5");
    CHECK(bench.names() == Names{"b-run", "c-run", "a-run"});
    bench.click("runs column 8");
    const Names by_score = bench.names();
    bench.click("runs column 8");
    CHECK(bench.names() == Names{by_score[2], by_score[1], by_score[0]});
    bench.click("runs search");
    ImGui::GetIO().AddInputCharactersUTF8("c-r");
    bench.frames(3);
    CHECK(bench.names() == Names{"c-run"});
}

TEST_CASE("a run of the list is looked at, resumed, and drawn beside the present one") {
    const Scratch scratch;
    write_toy(scratch / "kept", {"learning_rate=0.02"}, 40);
    write_toy(scratch / "second", {"learning_rate=0.2"}, 30);
    RunsBench bench(scratch.path());
    bench.session->step_once();
    bench.panel().open_beside({});
    bench.wait([&] { return bench.names().size() == 2; });
    bench.click("runs column 2");  // by name
    const size_t lines = bench.workbench.curves().plots().at(0).series.size();
    bench.click("runs overlay 0");
    bench.wait([&] { return bench.session->overlays().size() == 1; });
    const PlotSpec one = bench.workbench.curves().plots().at(0);
    REQUIRE(one.series.size() > lines);
    CHECK(one.series.back().dashed);
    CHECK(holds(one.series.back().name, ", kept"));
    CHECK(one.series.back().x.back() == 40.0);
    bench.click("runs overlay 1");
    bench.wait([&] { return bench.session->overlays().size() == 2; });
    const PlotSpec two = bench.workbench.curves().plots().at(0);
    CHECK(two.series.back().color != one.series.back().color);
    bench.click("runs overlay 0");
    bench.wait([&] { return bench.session->overlays().size() == 1; });
    bench.click("runs overlay 1");
    CHECK(bench.session->overlays().empty());
    CHECK(bench.workbench.curves().plots().at(0).series.size() == lines);

    bench.click("runs row 0");
    bench.click("runs look");
    CHECK_FALSE(bench.panel().is_open());
    bench.wait([&] { return bench.snapshot().step == 40; });
    CHECK_FALSE(bench.session->wants_to_run());
    CHECK(bench.session->settings() == toy_settings({"learning_rate=0.02"}));
    bench.panel().open_beside({});
    bench.wait([&] { return bench.names().size() == 2; });
    bench.click("runs row 1");
    bench.click("runs go on");
    bench.wait([&] { return bench.session->settings() == toy_settings({"learning_rate=0.2"}); });
    CHECK(bench.session->wants_to_run());
    bench.wait([&] { return bench.snapshot().step > 40; });
}

TEST_CASE("a run is starred and named; its folder keeps its name and stays") {
    const Scratch scratch;
    for (const char* name : {"a", "b"}) write_toy(scratch / name, {}, 10);
    for (const char* name : {"a", "b"}) spit(scratch / name / kAutosavedFile, "");
    RunsBench bench(scratch.path());
    bench.key(GLFW_KEY_O, GLFW_MOD_CONTROL);
    bench.wait([&] { return bench.names().size() == 2; });
    const fs::path folder = bench.panel().listed()[0];
    bench.click("runs star 0");
    bench.wait([&] { return run_mark_in(folder) == RunMark{"", true} && !fs::exists(folder / kAutosavedFile); });
    bench.click("runs row 0");
    bench.click("runs name");
    bench.type("best \"one\"");
    bench.frames();
    bench.click("runs row 1");
    bench.wait([&] { return run_mark_in(folder) == RunMark{"best \"one\"", true}; });
    CHECK(bench.panel().listed()[0] == folder);
    // The search finds it by its name.
    bench.click("runs search");
    bench.type("best");
    bench.wait([&] { return bench.panel().listed() == std::vector<fs::path>{folder}; });
    write_run_mark(folder, {});
    CHECK_FALSE(fs::exists(folder / kRunMarkFile));
    spit(folder / kRunMarkFile, "name = 3");
    CHECK(run_mark_in(folder) == RunMark());
}

TEST_CASE("runs whose folders have the same name stay apart: in legends and in a comparison") {
    const Scratch scratch;
    write_toy(scratch / "a" / "td", {"learning_rate=0.02"}, 40);
    write_toy(scratch / "b" / "td", {"learning_rate=0.2"}, 30);
    write_toy(scratch / "run A", {}, 20);
    RunsBench bench(scratch.path());
    bench.session->step_once();
    Asks asks;
    for (const char* name : {"a/td", "b/td"}) bench.panel().overlay(scratch / name, *bench.session, asks);
    bench.wait([&] {
        for (const Ask& one : asks.take()) bench.workbench.answer(one, *bench.session);
        return bench.session->overlays().size() == 2;
    });
    CHECK(bench.session->overlays()[0]->name == "a/td");
    CHECK(bench.session->overlays()[1]->name == "b/td");
    const auto compare_with = [&](const fs::path& folder) {
        bench.workbench.answer(ask::Compare{overlaid_run(folder, find_toy)}, *bench.session);
    };
    for (const char* name : {"b/td", "a/td"}) {
        CAPTURE(name);
        compare_with(scratch / name);
        bench.wait(
            [&] { return bench.workbench.comparison().shown() && bench.workbench.comparison().shown()->b == name; });
    }
    bench.session->set_overlays({bench.session->overlays()[1]});
    CHECK(bench.session->overlays()[0]->name == "td");
    // Nor is a folder taken for the window's run.
    compare_with(scratch / "run A");
    const auto& comparison = bench.workbench.comparison();
    bench.wait([&] { return comparison.shown() && comparison.shown()->b == "run A"; });
    CHECK(comparison.shown()->differences.front().mean_a != comparison.shown()->differences.front().mean_b);
    CHECK(names_apart({"/x/a/td", "/y/a/td", "/x/b", "td"}) == Names{"x/a/td", "y/a/td", "b", "td"});
}

TEST_SUITE_END();
