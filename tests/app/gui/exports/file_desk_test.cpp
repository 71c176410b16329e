#include "app/gui/exports/file_desk.h"

#include <imgui_internal.h>

#include <doctest/doctest.h>

#include <filesystem>

#include "app/gui/session/view_values.h"
#include "app/open/opening.h"
#include "core/files/atomic_write.h"
#include "core/settings/embedded_settings.h"
#include "core/settings/toml.h"
#include "tests/app/gui/bench_of_panels.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

namespace fs = std::filesystem;

// Frames until the export panel has a report.
void wait_for_report(BenchOfPanels& bench) {
    bench.wait([&] { return bench.workbench.files().export_panel().report().has_value(); });
    bench.frames(2);
}

// All that the window shows, into that folder.
void export_window(BenchOfPanels& bench, const fs::path& folder) {
    bench.workbench.files().export_panel().choices().folder = folder.string();
    bench.workbench.files().export_panel().open_with(FigureChoice::Kind::window);
    bench.frames(2);
    bench.click("export start");
    wait_for_report(bench);
}

}  // namespace

TEST_CASE("Ctrl + E exports what is ticked, says where it went, and Esc closes") {
    const Scratch scratch;
    BenchOfPanels bench({}, {1600, 1000}, true);
    bench.key(GLFW_KEY_E, GLFW_MOD_CONTROL);
    REQUIRE(bench.workbench.files().export_panel().is_open());
    ExportPanel& panel = bench.workbench.files().export_panel();
    panel.choices().folder = (scratch / "figures").string();
    bench.click("export SVG");
    bench.click("export PNG");
    bench.click("export run files");
    bench.click("export width 3.4 in");
    bench.click("export dots 600 dpi");
    bench.click("export caption");
    CHECK(panel.choices().page ==
          PageFormat{.width_inches = 3.4, .slide = false, .dots_per_inch = 600, .caption = false});
    bench.click("export start");
    wait_for_report(bench);
    const FileReport report = *panel.report();
    CHECK(report.failures.empty());
    CHECK(report.written.size() == 5);  // PDF and SVG of one picture, and the run's three files
    CHECK(count_entries(scratch / "figures") == 5);
    REQUIRE(bench.workbench.toasts().texts().size() == 1);
    CHECK(bench.workbench.toasts().texts()[0].find("Saved 5 files in") == 0);
    bench.click("export path 1");
    CHECK(std::string(ImGui::GetClipboardText()) == report.written[1].string());
    bench.click("panel toast 0");
    CHECK(std::string(ImGui::GetClipboardText()) == (scratch / "figures").string());

    // The same again: they are there, and stay until that is asked for.
    bench.click("export SVG");
    bench.click("export SVG");
    bench.click("export start");
    wait_for_report(bench);
    CHECK(panel.report()->in_the_way.size() == 5);
    bench.click("export start");
    wait_for_report(bench);
    CHECK(panel.report()->written.size() == 5);
    bench.key(GLFW_KEY_ESCAPE);
    CHECK_FALSE(bench.workbench.files().export_panel().is_open());
}

TEST_CASE("what cannot be written is said in the panel and in a banner") {
    const Scratch scratch;
    spit(scratch / "file", "");
    BenchOfPanels bench;
    bench.workbench.files().export_panel().open_with(FigureChoice::Kind::curves);
    bench.workbench.files().export_panel().choices().folder = (scratch / "file/in").string();
    bench.frames(2);
    bench.click("export start");
    wait_for_report(bench);
    CHECK(bench.workbench.files().export_panel().report()->failures.size() == 1);
    bench.check_banner("file/in: cannot be made");
}

TEST_CASE("an export reopens the run at its step with the view that it shows, and without a view as things are") {
    const Scratch scratch;
    ViewValues view;
    std::shared_ptr<const Snapshot> exported;
    {
        BenchOfPanels bench({"num_seeds=3"}, {1600, 1000}, true);
        bench.frames(4);
        bench.key(GLFW_KEY_SPACE);
        exported = bench.session->snapshot();
        REQUIRE(exported->step > 0);
        PlotSpec first = bench.workbench.curves().plots().at(0);
        ViewValues wanted = {{"spread", std::string("quartiles")},
                             {"smoothing", 0.5},
                             {"tiles", false},
                             {"seed_index", int64_t{2}},
                             {"matrix_mode", std::string("raw")},
                             {"limits", std::string("manual")},
                             {"limit", 2.5}};
        wanted["plot." + first.id + ".hidden." + first.series.at(0).name] = true;
        wanted["plot." + first.id + ".x_low"] = 1.0;
        wanted["plot." + first.id + ".x_high"] = 2.0;
        bench.workbench.door().show_next_as(wanted);
        bench.frames(3);
        view = bench.workbench.view_values();
        CHECK(view.size() == wanted.size() - 1);  // no tiles is how it begins
        CHECK(bench.workbench.curves().plots().at(0).series.at(0).hidden);
        export_window(bench, scratch.path());
    }
    BenchOfPanels other;
    other.workbench.door().open({scratch / "toy-window.pdf"}, *other.session);
    other.frames(4);
    CHECK(other.session->banners().empty());
    CHECK(other.session->settings() == toy_settings({"num_seeds=3"}));
    CHECK(other.snapshot().step == exported->step);
    CHECK(other.snapshot().matrices[0].seeds == exported->matrices[0].seeds);
    CHECK_FALSE(other.session->wants_to_run());
    CHECK(other.workbench.view_values() == view);
    CHECK(other.workbench.matrices().view().seed_index == 2);
    spit(scratch / "old.toml", "experiment = \"toy\"\n");
    other.workbench.door().open({scratch / "old.toml"}, *other.session);
    other.frames(4);
    CHECK(other.workbench.matrices().view().mode == MatrixView::Mode::raw);
    // What cannot be is as at the start.
    spit(scratch / "odd.toml",
         "experiment = \"toy\"\n[view]\nspread = 7\nsmoothing = 1e308\nseed_index = 99999\nlimits = "
         "\"no\"\nlimit = -1\nmatrix_mode = \"theory\"\n\"plot..x_low\" = 1\n\"plot.\" = "
         "3\n\"matrix.limits\" "
         "= 1\nunknown = [1]\n\"plot.loss.x_low\" = 5\n\"plot.loss.x_high\" = 5\n");
    other.workbench.door().open({scratch / "odd.toml"}, *other.session);
    other.frames(4);
    CHECK(other.session->banners().empty());
    CHECK(other.workbench.view_values() == ViewValues{});
}

TEST_CASE("a film of the run's moments becomes one GIF with its settings, unless it is stopped or there is no time") {
    const Scratch folder;
    BenchOfPanels bench({"probe=-1"});
    bench.workbench.files().export_panel().choices().folder = folder.path().string();
    bench.act(Action::film);
    REQUIRE(bench.session->banners().size() == 1);
    bench.session->dismiss_banner();
    for (int i = 0; i < 6; ++i) {
        bench.step();
    }
    const auto files = [&] {
        std::vector<fs::path> found;
        for (const auto& entry : fs::directory_iterator(folder.path())) found.push_back(entry.path());
        return found;
    };
    bench.act(Action::film);
    bench.act(Action::film);
    bench.frames(20);
    CHECK(files().empty());
    bench.act(Action::film);
    // A file that is being written has another name.
    const auto written = [&] { return !files().empty() && files().front().extension() == ".gif"; };
    bench.wait(written);
    REQUIRE(files().size() == 1);
    CHECK(bench.session->time().live());
    const std::vector<std::byte> bytes = read_file(files().front(), size_t{1} << 22);
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    CHECK(text.starts_with("GIF89a"));
    CHECK(holds(text, "experiment = \"toy\""));
    CHECK(text.back() == ';');
}
