#include "app/gui/commands/palette.h"

#include <doctest/doctest.h>

#include "core/lab/figures/claims.h"
#include "core/lab/quantity/quantity.h"
#include "tests/app/gui/bench_of_panels.h"
#include "tests/support/quantity_run.h"

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

TEST_CASE("a quantity that is typed shows its number in this run, Tab completes its words") {
    PaletteBench bench;
    bench.type("median(metric lo");
    bench.hit(ImGuiKey_Tab);
    bench.frames(2);
    CHECK(bench.workbench.palette().query() == "median(metric loss");
    ImGui::GetIO().AddInputCharacter(')');
    bench.frames(2);
    const std::string typed = "median(metric loss)";
    CHECK(bench.workbench.palette().query() == typed);
    CHECK(bench.drawn("palette " + typed));
    bench.hit(ImGuiKey_Enter);
    CHECK_FALSE(bench.workbench.palette().is_open());
    const double median = number_of(parse_quantity(typed), {{*bench.session->snapshot(), bench.session->history()}});
    CHECK(std::string(ImGui::GetClipboardText()).starts_with(measured_text({median})));
    // A completion that is chosen is typed.
    bench.type("deviation(metr");
    bench.hit(ImGuiKey_Enter);
    bench.frames(3);
    CHECK(bench.workbench.palette().is_open());
    CHECK(bench.workbench.palette().query().starts_with("deviation(metric "));
}

TEST_CASE("what is typed is a quantity with a number, or one that may go on") {
    const FinishedRun finished = testing::quantity_run({0, 1, 2}, {{1}, {2}, {6}});
    const RunView run(finished);
    CHECK(quantity_lines("median(metric loss)", run).answer.starts_with("2 ("));
    CHECK(quantity_lines("metric loss / 2", run).answer == "0.5, 1, 3 (of 3 seeds)");
    CHECK(quantity_lines("new seeds", run).endings.empty());
    CHECK(quantity_lines("step", run).answer.empty());  // a command is meant
    const auto ends = [&](const std::string& typed) {
        std::vector<std::string> texts;
        for (const auto& one : quantity_lines(typed, run).endings) texts.push_back(one.text);
        return texts;
    };
    CHECK(ends("lo") == std::vector<std::string>{});
    CHECK(ends("Loss") == std::vector<std::string>{"metric loss"});
    CHECK(ends("median(metric l") == std::vector<std::string>{"median(metric loss"});
    CHECK(ends("mean(metric loss) / dev") == std::vector<std::string>{"mean(metric loss) / deviation("});
    CHECK(ends("median(").size() > 3);
    const QuantityLines wrong = quantity_lines("median(metric lss)", run);
    CHECK(wrong.answer.empty());
    CHECK(wrong.why_not.starts_with("column 8: unknown metric 'lss'"));
    CHECK(quantity_lines("mean(step)", RunView()).answer.empty());
}
