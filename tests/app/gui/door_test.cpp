#include "app/gui/door.h"

#include <doctest/doctest.h>

#include "core/files/array_files.h"
#include "tests/app/gui/bench_of_panels.h"
#include "tests/app/gui/pictures/picture_bench.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

namespace fs = std::filesystem;

// A folder with a run of the toy.
fs::path saved_run(const fs::path& runs) {
    BenchOfPanels bench({"size=5"});
    bench.workbench.runs().use(runs, find_toy);
    bench.step();
    bench.key(GLFW_KEY_S, GLFW_MOD_CONTROL);
    bench.wait([&] { return !bench.workbench.toasts().texts().empty(); });
    const fs::path folder = bench.workbench.runs().folder();
    REQUIRE_FALSE(folder.empty());
    bench.workbench.runs().finish(*bench.session);
    return folder;
}

constexpr const char* kOther = "experiment = \"toy\"\n[settings]\nsize = 5\n";

}  // namespace

TEST_CASE("whatever is opened takes the run's place at once, and says how to get back") {
    BenchOfPanels bench;
    bench.trainer->set_elapsed(100.0);
    bench.step();
    bench.workbench.door().open_text(kOther, "mine", *bench.session);
    bench.frames(2);
    CHECK(bench.session->settings() == toy_settings({"size=5"}));
    CHECK(bench.workbench.toasts().texts() ==
          std::vector<std::string>{"Opened mine. Ctrl + Z returns to the previous run"});
    bench.key(GLFW_KEY_Z, GLFW_MOD_CONTROL);
    CHECK(bench.session->settings() == toy_settings());
}

TEST_CASE("of several files the first becomes the run, saved runs are drawn beside it, others are named") {
    const Scratch scratch;
    spit(scratch / "a.toml", kOther);
    spit(scratch / "b.toml", kOther);
    spit(scratch / "bad.toml", "nothing");
    const fs::path run = saved_run(scratch / "runs");
    BenchOfPanels bench;
    bench.workbench.runs_panel().use(scratch / "runs", find_toy);
    bench.workbench.door().open({scratch / "bad.toml", scratch / "a.toml", run, scratch / "b.toml"}, *bench.session);
    bench.wait([&] { return !bench.session->overlays().empty(); });
    CHECK(bench.session->settings() == toy_settings({"size=5"}));
    REQUIRE(bench.session->overlays().size() == 1);
    CHECK(bench.session->overlays()[0]->folder == run);
    REQUIRE(bench.session->banners().size() == 2);
    CHECK(holds(bench.session->banners()[0], "bad.toml"));
    CHECK(bench.session->banners()[1] ==
          "Not opened: b.toml. The window holds one run and one sweep; open the others one by one.");
    CHECK(bench.workbench.preferences().recent == std::vector<std::string>{(scratch / "a.toml").string()});
}

TEST_CASE("files that were opened are remembered, the last one first, each once and at most ten") {
    const Scratch scratch;
    BenchOfPanels bench;
    for (int i = 0; i < 12; ++i) {
        const fs::path file = scratch / (std::to_string(i) + ".toml");
        spit(file, kOther);
        bench.workbench.door().open({file}, *bench.session);
    }
    bench.workbench.door().open({scratch / "5.toml"}, *bench.session);
    const std::vector<std::string>& recent = bench.workbench.preferences().recent;
    REQUIRE(recent.size() == kMostRecent);
    CHECK(recent[0] == (scratch / "5.toml").string());
    CHECK(recent[1] == (scratch / "11.toml").string());
    CHECK(recent[9] == (scratch / "2.toml").string());
}

TEST_CASE("weights of fewer networks than there are seeds train as many seeds") {
    const Scratch scratch;
    const auto zeros = [](size_t networks) { return std::vector<double>(networks * 5 * 5, 0.1); };
    write_npz(scratch / "three.npz", {{"P", {{3, 1, 5, 5}, zeros(3)}}, {"Q", {{3, 1, 5, 5}, zeros(3)}}});
    Options options;
    options.preset = "td";
    options.seeds = 5;
    options.assignments = {"d=2", "n=8", "num_layers=1", "log_interval=10"};
    PictureBench bench(options);
    bench.answer(ask::Open{{scratch / "three.npz"}});
    bench.frames(2);
    CHECK(bench.session().banners().empty());
    CHECK(bench.session().settings().integer("seeds") == 3);
    REQUIRE_FALSE(bench.workbench().toasts().texts().empty());
    CHECK(holds(bench.workbench().toasts().texts().back(), "It holds 3 networks"));
}

TEST_CASE("weights without settings need an experiment that begins with them") {
    const Scratch scratch;
    write_npz(scratch / "bare.npz", {{"P", {{1}, std::vector<double>{1.0}}}, {"Q", {{1}, std::vector<double>{1.0}}}});
    BenchOfPanels bench;
    bench.workbench.door().open({scratch / "bare.npz"}, *bench.session);
    bench.check_banner("bare.npz: holds weights without settings, and ");
}
