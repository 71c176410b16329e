#include "app/gui/exports/film.h"

#include <doctest/doctest.h>
#include <imgui_internal.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <chrono>
#include <filesystem>
#include <set>
#include <thread>
#include <utility>

#include "core/files/atomic_write.h"
#include "tests/app/gui/bench_of_panels.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

// The window as the program turns it: frames that are wanted are photographed.
struct FilmBench : BenchOfPanels {
    FilmBench() : BenchOfPanels({"probe=-1"}) {
        workbench.files().export_panel().choices().folder = folder.path().string();
        for (int i = 0; i < 6; ++i) {
            session->step_once();
            frames();
        }
    }
    /// Of a plot whose range changes from moment to moment.
    std::pair<AxisRange, AxisRange> axes() const {
        for (const PlotSpec& plot : workbench.curves().plots())
            if (plot.id == "entries") return {{*plot.x.minimum, *plot.x.maximum}, {*plot.y.minimum, *plot.y.maximum}};
        return {};
    }
    void turn() {
        frames();
        if (workbench.wants_picture()) {
            pictures += 1;
            limits.insert(axes());
            const auto shade = static_cast<uint32_t>(0xFF000000U | static_cast<uint32_t>(snapshot().step * 40));
            workbench.take_picture({320, 200, std::vector<uint32_t>(size_t{320} * 200, shade)}, *session);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::vector<std::filesystem::path> files() {
        std::vector<std::filesystem::path> found;
        for (const auto& entry : std::filesystem::directory_iterator(folder.path())) found.push_back(entry.path());
        return found;
    }

    Scratch folder;
    int pictures = 0;
    std::set<std::pair<AxisRange, AxisRange>> limits;  // in them
};

}  // namespace

TEST_CASE("one key films the run's moments as they stand on the stage, and leaves the window as it was") {
    FilmBench bench;
    const size_t moments = bench.session->moments().moments().size();
    REQUIRE(moments > 2);
    bench.key(GLFW_KEY_F12, GLFW_MOD_SHIFT);
    REQUIRE(bench.workbench.files().film().active());
    for (int i = 0; i < 2000 && bench.workbench.toasts().texts().empty(); ++i) bench.turn();
    CHECK(bench.pictures == static_cast<int>(moments));
    CHECK_FALSE(bench.workbench.files().film().active());
    CHECK(bench.session->time().live());
    REQUIRE(bench.files().size() == 1);
    CHECK(bench.files().front().extension() == ".gif");
    const std::vector<std::byte> bytes = read_file(bench.files().front(), size_t{1} << 20);
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    CHECK(text.starts_with("GIF89a"));
    CHECK(text.find("experiment = \"toy\"") != std::string::npos);
    CHECK(text.back() == ';');
}

TEST_CASE("axes stand still in a film, and fit their moment again after it") {
    FilmBench bench;
    bench.workbench.stage().open({{"entries"}, {}, {}}, {});
    bench.frames(3);
    const auto before = bench.axes();
    bench.session->show_step(bench.session->moments().moments().front()->step);
    bench.frames(3);
    const auto first = bench.axes();
    REQUIRE(first != before);
    bench.key(GLFW_KEY_F12, GLFW_MOD_SHIFT);
    for (int i = 0; i < 2000 && bench.workbench.files().film().active(); ++i) bench.turn();
    REQUIRE(bench.pictures > 2);
    CHECK(bench.limits.size() == 1);
    bench.frames(3);
    CHECK(bench.axes() == first);
    CHECK_FALSE(bench.session->holds_axes());
}

TEST_CASE("a pointer that rests on the stage is not in the film") {
    FilmBench bench;
    bench.workbench.stage().open({{"loss"}, {}, {}}, {});
    bench.frames(3);
    bench.gui.move(bench.gui.log().centre("plot loss"));
    bench.frames(3);
    const auto tooltip = [] {
        const ImGuiWindow* window = ImGui::FindWindowByName("##Tooltip_00");
        return window != nullptr && window->Active;
    };
    REQUIRE(tooltip());
    bench.key(GLFW_KEY_F12, GLFW_MOD_SHIFT);
    for (int i = 0; i < 100 && bench.pictures == 0; ++i) bench.turn();
    REQUIRE(bench.pictures == 1);
    CHECK_FALSE(tooltip());
    bench.key(GLFW_KEY_ESCAPE);
    bench.frames(3);
    CHECK(tooltip());
}

TEST_CASE("a film that is stopped writes nothing, and a run without a past is not filmed") {
    FilmBench bench;
    bench.key(GLFW_KEY_F12, GLFW_MOD_SHIFT);
    for (int i = 0; i < 8; ++i) bench.turn();
    bench.key(GLFW_KEY_ESCAPE);
    CHECK_FALSE(bench.workbench.files().film().active());
    for (int i = 0; i < 20; ++i) bench.turn();
    CHECK(bench.session->time().live());
    CHECK(bench.files().empty());
    bench.session->reset();
    bench.frames(3);
    REQUIRE(bench.session->moments().moments().size() < 2);
    bench.key(GLFW_KEY_F12, GLFW_MOD_SHIFT);
    CHECK_FALSE(bench.workbench.files().film().active());
    CHECK(bench.session->banners().size() == 1);
}
