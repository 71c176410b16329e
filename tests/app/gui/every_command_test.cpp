// Every command of the table, by its keys, by the palette and by its button or row: each does something, and the same.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <functional>
#include <map>
#include <set>
#include <string>

#include "tests/app/gui/bench_of_panels.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

TEST_SUITE_BEGIN("release");

namespace {

struct CommandBench : BenchOfPanels {
    Scratch exports;
    CommandBench() {
        workbench.use_for_lessons(find_toy);
        workbench.files().export_panel().choices().folder = exports.path().string();
        step(4);
    }
    /// By its key; without one, as it is asked for.
    void press_first(Action action) {
        if (command(action).chords.empty()) return act(action);
        const KeyChord& chord = command(action).chords.front();
        key(chord.key, chord.modifiers);
    }
    void find_in_palette(Action action) {
        press_first(Action::palette);
        frames(2);
        for (const char* c = command(action).label; *c != '\0'; ++c)
            if (static_cast<unsigned char>(*c) < 0x80) ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(*c));
        for (const char c : std::string(" command")) ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
        frames(3);
        click(std::string("palette ") + command(action).label);
    }
    // Nothing is pointed at, and what follows from the command has been drawn.
    void settle() {
        gui.move({-1.0F, -1.0F});
        frames(10);
    }
    /// What is drawn and what the window knows of its state.
    std::string state() {
        // While it trains, the step is that of the frame.
        const int64_t step = session->advancing() ? -1 : snapshot().step;
        const char* clipboard = ImGui::GetClipboardText();
        std::string text = fmt::format(
            "sent {} settings {} pace {} undo '{}' redo '{}' step {} run {} typing {} clipboard '{}'", sent.size(),
            settings_to_toml("toy", session->settings()), session->pace(), session->undo_text(), session->redo_text(),
            step, snapshot().run_number, ImGui::GetIO().WantTextInput, clipboard != nullptr ? clipboard : "");
        const Look& look = workbench.look();
        text += fmt::format(" theme {} scale {} presenting {} full {}", static_cast<int>(look.theme), look.ui_scale,
                            look.presenting, workbench.full_screen());
        text +=
            fmt::format(" pin {} of {} live {} other {} toasts {}", session->pin() != nullptr,
                        session->baseline() != nullptr, session->time().live(),
                        session->other() != nullptr || session->time().playing(), workbench.toasts().texts().size());
        // Panels; what is in them may come by jobs, whenever they are done.
        for (const auto& [name, place] : gui.log().places())
            if (name.starts_with("panel ") && gui.log().drawn(name)) text += " | " + name;
        return text;
    }
};

using Preparation = std::function<void(CommandBench&)>;

// The state in which a command has something to do.
Preparation preparation_for(Action action) {
    const auto change = [](CommandBench& bench) {
        bench.session->set_field("learning_rate", 0.5);
        bench.session->end_gesture();
    };
    const auto focus = [](CommandBench& bench) { bench.press_first(Action::next_field); };
    switch (action) {
        case Action::undo:
            return change;
        case Action::redo:
            return [change](CommandBench& bench) {
                change(bench);
                bench.session->undo();
            };
        case Action::time_forward:
        case Action::phase_forward:
        case Action::time_live:
            return [](CommandBench& bench) { bench.session->show_step(0); };
        case Action::minus_pin:
            return [](CommandBench& bench) {
                bench.session->show_step(0);
                bench.session->toggle_pin();
                bench.session->show_live();
            };
        case Action::fit_all:
            return [](CommandBench& bench) {
                for (const auto& [name, place] : bench.gui.log().places())
                    if (name.starts_with("plot ") && bench.drawn(name)) {
                        bench.gui.move(bench.centre(name));
                        break;
                    }
                bench.frames(2);
                bench.gui.zoom(2.0F, [&] { bench.frames(); });
            };
        case Action::paste_state:
            return [](CommandBench&) { ImGui::SetClipboardText("hello"); };
        case Action::copy_state:
            return [](CommandBench&) { ImGui::SetClipboardText("before"); };
        case Action::field_up:
        case Action::field_down:
        case Action::type_field:
            return focus;
        case Action::reset_field:
            return [focus](CommandBench& bench) {
                focus(bench);
                bench.press_first(Action::field_down);
            };
        case Action::close_overlay:
            return [](CommandBench& bench) { bench.press_first(Action::open_runs); };
        case Action::reset_layout:
            return [](CommandBench& bench) {
                std::vector<std::string> plots;
                for (const auto& [name, place] : bench.gui.log().places())
                    if (name.starts_with("plot ") && bench.drawn(name)) plots.push_back(name);
                for (const std::string& name : plots) {
                    bench.gui.move(bench.centre(name));
                    bench.frames(2);
                    bench.press_first(Action::on_stage);
                    bench.frames(2);
                }
            };
        default:
            return [](CommandBench&) {};
    }
}

const std::map<Action, const char*> kButtons = {
    {Action::run_or_pause, "run"},
    {Action::step, "step"},
    {Action::compare, "compare"},
    {Action::toggle_help, "help"},
    {Action::toggle_settings, "settings open"},
};

// By its button; if it has none, by its row in the menu, which stays open for what may be repeated.
void press_button(CommandBench& bench, Action action) {
    if (const auto button = kButtons.find(action); button != kButtons.end()) return bench.click(button->second);
    bench.choose(action);
    if (command(action).repeats) bench.press_first(Action::close_overlay);
}

// It acts on what the pointer is over, on what has the ring, on an open lesson, or by a job that takes its time:
// stage_test.cpp, buttons_test.cpp, lesson_room_test.cpp and file_desk_test.cpp do it.
bool needs_more(Action action) {
    return action == Action::on_stage || action == Action::film || action == Action::lesson_next ||
           action == Action::lesson_back || action == Action::lesson_pages || action == Action::lesson_explore ||
           action == Action::lesson_leave || action == Action::press_control;
}

struct Outcome {
    std::string before, after;
    int vertices_before = 0, vertices_after = 0;
    bool did_something() const { return before != after || vertices_before != vertices_after; }
};

// `act` does the command in one of its ways.
Outcome outcome_of(Action action, Theme theme, const std::function<void(CommandBench&)>& act) {
    CommandBench bench;
    if (bench.workbench.look().theme != theme) bench.press_first(Action::toggle_theme);
    preparation_for(action)(bench);
    bench.settle();
    Outcome outcome;
    outcome.vertices_before = ImGui::GetDrawData()->TotalVtxCount;
    outcome.before = bench.state();
    act(bench);
    bench.settle();
    outcome.vertices_after = ImGui::GetDrawData()->TotalVtxCount;
    outcome.after = bench.state();
    return outcome;
}

void check_every_command(Theme theme) {
    std::set<Action> met, in_menu;
    {
        CommandBench bench;
        bench.click("menu");
        bench.frames(2);
        for (const WindowCommand& one : commands())
            if (bench.drawn(std::string("command ") + one.label)) in_menu.insert(one.action);
        CHECK(in_menu.size() == 19);
    }
    for (const WindowCommand& one : commands()) {
        CAPTURE(std::string(one.label));
        const Action action = one.action;
        met.insert(action);
        if (needs_more(action)) continue;
        const Outcome by_key = outcome_of(action, theme, [&](CommandBench& bench) { bench.press_first(action); });
        CHECK(by_key.did_something());
        if (one.in_palette) {
            const Outcome by_palette =
                outcome_of(action, theme, [&](CommandBench& bench) { bench.find_in_palette(action); });
            CHECK(by_palette.after == by_key.after);
        }
        if (theme == Theme::light || !(kButtons.contains(action) || in_menu.contains(action))) continue;
        const Outcome by_button = outcome_of(action, theme, [&](CommandBench& bench) { press_button(bench, action); });
        CHECK(by_button.after == by_key.after);
    }
    CHECK(met.size() == commands().size());
}

}  // namespace

TEST_CASE("every command does the same by key, by palette and by button: dark") { check_every_command(Theme::dark); }

TEST_CASE("every command does the same by key, by palette and by button: light") { check_every_command(Theme::light); }

TEST_SUITE_END();
