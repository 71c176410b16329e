#include "app/gui/commands/command.h"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <utility>

#include "core/files/text.h"
#include "tests/app/gui/bench_of_panels.h"

using namespace emergence;
using namespace emergence::testing;

TEST_CASE("every key means one thing, and every command has a label, a sentence and something to do") {
    std::set<std::pair<int, int>> keys;
    std::set<Action> actions;
    std::set<std::string> labels;
    for (const WindowCommand& one : commands()) {
        CAPTURE(one.label);
        CHECK(actions.insert(one.action).second);
        CHECK(labels.insert(one.label).second);
        CHECK((*one.keys == '\0') == one.chords.empty());
        CHECK((!one.chords.empty() || one.in_palette));
        CHECK(*one.help != '\0');
        CHECK((one.act != nullptr));
        for (const KeyChord& chord : one.chords) CHECK(keys.insert({chord.key, chord.modifiers}).second);
    }
}

TEST_CASE("Ctrl counts as Shift does; with other keys Alt and Super mean nothing") {
    const auto means = [](int key, int modifiers, Action action) {
        const WindowCommand* found = command_for({key, modifiers});
        return found != nullptr && found->action == action;
    };
    CHECK(means(GLFW_KEY_SPACE, 0, Action::run_or_pause));

    CHECK(means(GLFW_KEY_Z, GLFW_MOD_CONTROL, Action::undo));
    CHECK(means(GLFW_KEY_Z, GLFW_MOD_CONTROL | GLFW_MOD_SHIFT, Action::redo));
    for (const int modifier : {GLFW_MOD_CONTROL, GLFW_MOD_ALT, GLFW_MOD_SUPER})
        CHECK(command_for({GLFW_KEY_R, modifier}) == nullptr);
    CHECK(means(GLFW_KEY_N, GLFW_MOD_NUM_LOCK, Action::new_seed));
    CHECK(means(GLFW_KEY_R, GLFW_MOD_CAPS_LOCK, Action::reset));
    CHECK(command_for({GLFW_KEY_F9, 0}) == nullptr);
}

TEST_CASE("keys go to the top only: R restarts nothing while something lies over the panels") {
    for (const Action action : {Action::toggle_help, Action::toggle_preferences, Action::export_figures,
                                Action::open_runs, Action::phase_diagram, Action::open_file}) {
        CAPTURE(command(action).label);
        BenchOfPanels bench;
        bench.act(action);
        bench.sent.clear();
        // A text field that has the keyboard would hide what this is about.
        bench.workbench.press({GLFW_KEY_R, 0}, *bench.session);
        bench.workbench.press({GLFW_KEY_SPACE, 0}, *bench.session);
        bench.frames(2);
        CHECK(bench.sent.empty());
        bench.workbench.press({GLFW_KEY_ESCAPE, 0}, *bench.session);
        bench.frames(2);
        bench.workbench.press({GLFW_KEY_R, 0}, *bench.session);
        CHECK(bench.count_sent<Restart>() == 1);
    }
}

TEST_CASE("held keys repeat only what may be repeated, typed ones do nothing else") {
    BenchOfPanels bench;
    bench.workbench.press({GLFW_KEY_R, 0, true}, *bench.session);
    CHECK(bench.count_sent<Restart>() == 0);
    bench.workbench.press({GLFW_KEY_RIGHT, 0, true}, *bench.session);
    CHECK(bench.count_sent<StepOnce>() == 1);
    bench.workbench.press({GLFW_KEY_R, 0, false, true}, *bench.session);
    CHECK(bench.count_sent<Restart>() == 0);
    bench.workbench.press({GLFW_KEY_F1, 0, false, true}, *bench.session);
    CHECK(bench.workbench.help_open());
}

TEST_CASE("a key that went says what does its work now, unless it is typed") {
    BenchOfPanels bench;
    bench.workbench.press({GLFW_KEY_G, 0, false, true}, *bench.session);
    bench.workbench.press({GLFW_KEY_G, 0, true}, *bench.session);
    CHECK(bench.workbench.toasts().texts().empty());
    bench.workbench.press({GLFW_KEY_G, 0}, *bench.session);
    CHECK(bench.workbench.toasts().texts() == std::vector<std::string>{said_of_retired("pressed", "G")});
}

TEST_CASE("every key of the keypad does what the key beside it does") {
    for (const auto& [keypad, beside] :
         {std::pair(GLFW_KEY_KP_ADD, GLFW_KEY_EQUAL), std::pair(GLFW_KEY_KP_SUBTRACT, GLFW_KEY_MINUS),
          std::pair(GLFW_KEY_KP_ENTER, GLFW_KEY_ENTER)})
        for (const int modifiers : {0, GLFW_MOD_CONTROL, GLFW_MOD_SHIFT}) {
            INFO(keypad, ", ", modifiers);
            CHECK(command_for({keypad, modifiers}) == command_for({beside, modifiers}));
        }
    CHECK(command_for({GLFW_KEY_KP_ADD, 0}) != nullptr);
}
