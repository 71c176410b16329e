#include "app/gui/commands/palette.h"

#include <doctest/doctest.h>

#include "tests/app/gui/bench_of_panels.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

std::vector<std::string> found(const std::vector<PaletteEntry>& entries, const std::string& query) {
    std::vector<std::string> labels;
    for (const size_t i : ranked(entries, query)) labels.push_back(entries[i].label);
    return labels;
}

struct PaletteBench : BenchOfPanels {
    void type(const std::string& text) {
        key(GLFW_KEY_K, GLFW_MOD_CONTROL);
        frames(3);
        REQUIRE(workbench.palette().is_open());
        BenchOfPanels::type(text);
    }
};

}  // namespace

TEST_CASE("words are found at the beginning of words first, in labels before all else, each of them") {
    const std::vector<PaletteEntry> entries = {{"command", "Restart", "same seeds"},
                                               {"command", "New seeds", "restart"},
                                               {"setting", "first seed", "of the random numbers"},
                                               {"preset", "Unseeded", ""}};
    CHECK(found(entries, "").size() == 4);
    CHECK(found(entries, "seed") == std::vector<std::string>{"New seeds", "first seed", "Unseeded", "Restart"});
    CHECK(found(entries, "RESTART") == std::vector<std::string>{"Restart", "New seeds"});
    CHECK(found(entries, "seed setting") == std::vector<std::string>{"first seed"});
    CHECK(found(entries, "seed nothing").empty());
    CHECK(found(entries, "reset").empty());
    // A preset is found by its whole name before settings that begin with it, and by its experiment.
    const std::vector<PaletteEntry> named = {
        {"setting", "microscope: layer", ""},
        {"preset", "Inside one network", "", {}, "", "microscope", "In-context TD"},
        {"handbook", "Bandits", ""},
        {"preset", "Race", "one environment", {}, "", "nonstationary-race", "Bandit race"}};
    CHECK(found(named, "microscope").front() == "Inside one network");
    CHECK(found(named, "bandit") == std::vector<std::string>{"Race", "Bandits"});
    // Who names a kind wants to see it.
    CHECK(found({{"command", "Lesson from here", ""}, {"lesson", "The tour", ""}}, "lesson") ==
          std::vector<std::string>{"The tour", "Lesson from here"});
}

TEST_CASE("Ctrl + K finds a command by its words, Enter does it, Esc does nothing") {
    PaletteBench bench;
    bench.type("new seeds");
    CHECK(bench.drawn("palette New seeds"));
    bench.hit(ImGuiKey_Enter);
    CHECK_FALSE(bench.workbench.palette().is_open());
    CHECK(bench.session->settings().integer("seed") == 4);
    bench.type("restart");
    const size_t sent = bench.sent.size();
    bench.hit(ImGuiKey_Escape);
    CHECK_FALSE(bench.workbench.palette().is_open());
    CHECK(bench.sent.size() == sent);
}

TEST_CASE("the arrows choose, what is unavailable stays") {
    PaletteBench bench;
    bench.type("undo");
    bench.hit(ImGuiKey_Enter);
    CHECK(bench.workbench.palette().is_open());  // nothing to undo
    bench.hit(ImGuiKey_Escape);
    bench.type("theme");
    bench.hit(ImGuiKey_DownArrow);
    bench.hit(ImGuiKey_UpArrow);
    bench.hit(ImGuiKey_Enter);
    CHECK(bench.workbench.look().theme == Theme::light);
}

TEST_CASE("the palette goes to settings, pages and presets") {
    PaletteBench bench;
    bench.type("setting learning rate");
    bench.hit(ImGuiKey_Enter);
    const double before = bench.session->settings().number("learning_rate");
    bench.key(GLFW_KEY_UP);
    bench.frames(3);
    CHECK(bench.session->settings().number("learning_rate") > before);
    bench.type("handbook sweeps");
    bench.hit(ImGuiKey_Enter);
    CHECK(bench.workbench.help_open());
    CHECK(bench.workbench.handbook().place().page == "sweeps");
    bench.type("preset wang-2");
    CHECK_FALSE(bench.workbench.palette().query().empty());
    bench.hit(ImGuiKey_Escape);
}
