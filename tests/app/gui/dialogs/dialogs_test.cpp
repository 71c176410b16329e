#include "app/gui/dialogs/dialogs.h"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "tests/app/gui/bench_of_panels.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

namespace fs = std::filesystem;

// A program in place of the desktop's.
void install(const fs::path& file, const std::string& script) {
    spit(file, "#!/bin/sh\n" + script + "\n");
    fs::permissions(file, fs::perms::owner_all);
}

void wait_until_closed(Jobs& jobs, const DesktopFileDialog& dialog) {
    for (int i = 0; i < 5000 && dialog.is_open(); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        CHECK(jobs.drain().empty());
    }
    REQUIRE_FALSE(dialog.is_open());
}

}  // namespace

TEST_CASE("the desktop's dialog gives what was chosen, a path a line; Cancel nothing") {
    const Scratch scratch;
    Jobs jobs;
    CHECK_FALSE(DesktopFileDialog(jobs, scratch.path().string()).available());
    install(scratch / "zenity", "case \"$*\" in *--directory*) exit 1 ;; esac\nprintf '/a b\\n/c\\n'");
    DesktopFileDialog dialog(jobs, "/nowhere:" + scratch.path().string());
    REQUIRE(dialog.available());
    std::vector<std::vector<fs::path>> chosen;
    const auto note = [&](std::vector<fs::path> paths) { chosen.push_back(std::move(paths)); };
    dialog.open(false, note);
    wait_until_closed(jobs, dialog);
    REQUIRE(chosen.size() == 1);
    CHECK(chosen[0] == std::vector<fs::path>{"/a b", "/c"});
    dialog.open(true, note);
    wait_until_closed(jobs, dialog);
    CHECK(chosen.size() == 1);
}

TEST_CASE("closing the window ends the desktop's dialog") {
    const Scratch scratch;
    install(scratch / "kdialog", "exec sleep 60");
    const auto start = std::chrono::steady_clock::now();
    {
        Jobs jobs;
        DesktopFileDialog dialog(jobs, scratch.path().string());
        dialog.open(false, [](std::vector<fs::path>) {});
        CHECK(dialog.is_open());
    }
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("Ctrl + Shift + O opens a typed path, or one of the last files") {
    const Scratch scratch;
    spit(scratch / "a.toml", "experiment = \"toy\"\n[settings]\nsize = 5\n");
    BenchOfPanels bench;
    bench.act(Action::open_file);
    bench.frames(3);
    REQUIRE(bench.workbench.open_dialog().is_open());
    CHECK(bench.drawn("panel open"));
    ImGui::GetIO().AddInputCharactersUTF8((scratch / "a.toml").c_str());
    bench.frames(2);
    bench.click("open go");
    CHECK_FALSE(bench.workbench.open_dialog().is_open());
    CHECK(bench.session->settings().integer("size") == 5);
    bench.key(GLFW_KEY_Z, GLFW_MOD_CONTROL);
    CHECK(bench.session->settings() == toy_settings());
    bench.act(Action::open_file);
    bench.frames(3);
    bench.click("recent 0");
    CHECK(bench.session->settings().integer("size") == 5);
}
