// The table of commands, with what each does to the workbench and its session.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <fmt/format.h>

#include <utility>

#include "app/gui/commands/command.h"
#include "app/gui/panels/timeline.h"
#include "app/gui/session/view_values.h"
#include "app/gui/workbench.h"

namespace emergence {

// The workbench's friend.
class CommandTable {
  public:
    CommandTable() {
        training();
        settings();
        time();
        pictures();
        lessons();
        window();
    }
    std::vector<WindowCommand> take() { return std::move(commands_); }

  private:
    using W = Workbench;
    using S = Session;
    static constexpr int kShift = GLFW_MOD_SHIFT, kControl = GLFW_MOD_CONTROL;

    WindowCommand& add(Action action, const char* label, const char* keys, const char* help,
                       std::vector<KeyChord> chords, void (*act)(Workbench&, Session&)) {
        return commands_.emplace_back(WindowCommand{action, topic_, label, keys, help, std::move(chords), act});
    }
    // A command without a key, reached by the palette, the menu or a button.
    WindowCommand& add(Action action, const char* label, const char* help, void (*act)(Workbench&, Session&)) {
        return add(action, label, "", help, {}, act);
    }

    // Opens or closes a sheet.
    template <auto kSheet>
    static void toggle(W& w, S& s) {
        (w.*kSheet).toggle(s);
    }
    static std::string held_by_lesson(const W& w, const S& s) { return w.held_by_lesson(s); }
    static std::string no_lesson(const W& w, const S&) { return w.lesson_.is_open() ? "" : "No lesson is open"; }

    void training() {
        topic_ = "Training";
        add(Action::run_or_pause, "Run or pause", "Space", "run, pause, or restart a finished run", {{GLFW_KEY_SPACE}},
            [](W&, S& s) { s.toggle_running(); })
            .unless([](const W& w, const S& s) {
                return s.advancing() && !s.at_end() ? std::string() : w.held_by_lesson(s);
            });
        add(Action::step, "Step", "→", "one step, then pause", {{GLFW_KEY_RIGHT}}, [](W&, S& s) { s.step_once(); })
            .repeating()
            .unless(held_by_lesson);
        add(Action::reset, "Restart", "R", "restart with the same seeds", {{GLFW_KEY_R}}, [](W&, S& s) {
            s.reset();
        }).unless(held_by_lesson);
        add(Action::new_seed, "New seeds", "N", "restart with new seeds", {{GLFW_KEY_N}}, [](W&, S& s) {
            s.new_seed();
        }).unless(held_by_lesson);
        add(Action::faster, "Faster", "+", "faster", {{GLFW_KEY_EQUAL}, {GLFW_KEY_EQUAL, kShift}}, [](W&, S& s) {
            s.change_pace(1);
        }).repeating();
        add(Action::slower, "Slower", "−", "slower", {{GLFW_KEY_MINUS}}, [](W&, S& s) {
            s.change_pace(-1);
        }).repeating();
        add(Action::save_run, "Save run", "Ctrl + S", "save the run, to resume it later", {{GLFW_KEY_S, kControl}},
            [](W& w, S& s) { w.runs_.save(s); })
            .everywhere();
        add(Action::open_file, "Open…", "open files and folders", toggle<&W::open_dialog_>);
        add(Action::open_runs, "Runs", "Ctrl + O", "runs: resume one, compare them", {{GLFW_KEY_O, kControl}},
            toggle<&W::runs_panel_>)
            .everywhere();
        add(Action::copy_state, "Copy state", "Ctrl + C",
            "copy the window's state as a short text; in a page, as a link to share", {{GLFW_KEY_C, kControl}},
            [](W& w, S& s) {
                ImGui::SetClipboardText(state_text(s, w.view_values()).c_str());
                w.toasts_.add("The clipboard holds the window's state as text");
            })
            .everywhere();
        add(Action::paste_state, "Paste state", "Ctrl + V",
            "open the copied state; in a lesson, the answers of a class", {{GLFW_KEY_V, kControl}},
            [](W& w, S& s) {
                // Null if the program that owns the clipboard does not answer; the window says so.
                const char* text = ImGui::GetClipboardText();
                if (text != nullptr && *text != '\0')
                    w.answer(ask::Paste{text}, s);
                else if (text != nullptr)  // a page sees what is copied elsewhere only when it is pasted
                    w.toasts_.add("Copy the text first, then press Ctrl + V");
            })
            .everywhere();
        add(Action::phase_diagram, "Sweeps", "sweep: scores over a grid of settings", toggle<&W::phase_diagram_>);
    }

    void settings() {
        topic_ = "Settings";
        add(Action::undo, "Undo", "Ctrl + Z", "undo the last change of a setting", {{GLFW_KEY_Z, kControl}},
            [](W&, S& s) { s.undo(); })
            .repeating()
            .unless(
                [](const W& w, const S& s) { return s.undo_text().empty() ? "Nothing to undo" : w.held_by_lesson(s); });
        add(Action::redo, "Redo", "Ctrl + Shift + Z", "redo it", {{GLFW_KEY_Z, kControl | kShift}},
            [](W&, S& s) { s.redo(); })
            .repeating()
            .unless(
                [](const W& w, const S& s) { return s.redo_text().empty() ? "Nothing to redo" : w.held_by_lesson(s); });
        add(Action::next_control, "Next control", "F6", "go to the next control of the window, of any kind",
            {{GLFW_KEY_F6}}, [](W& w, S&) { w.walk_.move(1); })
            .repeating()
            .while_typing()
            .by_keys_only();
        add(Action::previous_control, "Previous control", "Shift + F6", "go to the one before", {{GLFW_KEY_F6, kShift}},
            [](W& w, S&) { w.walk_.move(-1); })
            .repeating()
            .while_typing()
            .by_keys_only();
        add(Action::press_control, "Press", "Ctrl + Enter", "press the control that has the ring",
            {{GLFW_KEY_ENTER, kControl}}, [](W& w, S& s) { w.press_control(s); })
            .everywhere()
            .by_keys_only();
        add(Action::next_field, "Next setting", "Tab", "focus the next setting", {{GLFW_KEY_TAB}},
            [](W& w, S&) { w.next_setting(1); })
            .repeating()
            .by_keys_only();
        add(Action::previous_field, "Previous setting", "Shift + Tab", "focus the one before", {{GLFW_KEY_TAB, kShift}},
            [](W& w, S&) { w.next_setting(-1); })
            .repeating()
            .by_keys_only();
        add(Action::field_up, "Increase", "↑", "increase the focused setting; if none, the next layer", {{GLFW_KEY_UP}},
            [](W& w, S& s) { w.adjust(1, s); })
            .repeating()
            .by_keys_only();
        add(Action::field_down, "Decrease", "↓", "decrease it; if none, the layer before", {{GLFW_KEY_DOWN}},
            [](W& w, S& s) { w.adjust(-1, s); })
            .repeating()
            .by_keys_only();
        add(Action::type_field, "Type a value", "Enter", "type its value", {{GLFW_KEY_ENTER}}, [](W& w, S&) {
            w.editing_.type();
        }).by_keys_only();
        add(Action::reset_field, "Default", "Delete", "back to its default", {{GLFW_KEY_DELETE}, {GLFW_KEY_BACKSPACE}},
            [](W& w, S&) { w.editing_.reset(); })
            .by_keys_only();
        add(Action::search, "Search settings", "search the settings", [](W& w, S&) { w.show_settings().search(); });
        add(Action::toggle_settings, "Settings", "settings: show or hide their column",
            [](W& w, S&) { w.settings_open() = !w.settings_open(); });
    }

    void time() {
        topic_ = "Time";
        add(Action::time_back, "Back in time", "Shift + ←", "back to an earlier moment of the run",
            {{GLFW_KEY_LEFT, kShift}}, [](W&, S& s) { s.move_in_time(-1); })
            .repeating();
        add(Action::time_forward, "Forward in time", "Shift + →", "forward to a later one", {{GLFW_KEY_RIGHT, kShift}},
            [](W&, S& s) { s.move_in_time(1); })
            .repeating();
        add(Action::phase_back, "Phase before", "Ctrl + ←", "back to the start of a phase of the run",
            {{GLFW_KEY_LEFT, kControl}}, [](W&, S& s) { step_through_phases(s, -1); })
            .repeating();
        add(Action::phase_forward, "Next phase", "Ctrl + →", "to the start of the next one",
            {{GLFW_KEY_RIGHT, kControl}}, [](W&, S& s) { step_through_phases(s, 1); })
            .repeating();
        add(Action::time_first, "First moment", "Home", "the run's first moment", {{GLFW_KEY_HOME}},
            [](W&, S& s) { s.show_step(0); });
        add(Action::time_live, "Live", "End", "back to live", {{GLFW_KEY_END}}, [](W&, S& s) { s.show_live(); });
        add(Action::time_play, "Play the past", "Shift + Space", "play the past, or stop", {{GLFW_KEY_SPACE, kShift}},
            [](W&, S& s) { s.toggle_playing(); });
        add(Action::pin, "Pin", "pin the moment shown, or remove the pin", [](W&, S& s) { s.toggle_pin(); });
        add(Action::minus_pin, "Minus pin", "matrices minus those of the pin", [](W&, S& s) {
            s.toggle_minus_pin();
        }).unless([](const W&, const S& s) { return s.pin() ? std::string() : "Pin a moment first"; });
    }

    void pictures() {
        topic_ = "Pictures";
        add(Action::compare, "Compare", "B", "start run B with one setting different, or close it", {{GLFW_KEY_B}},
            [](W&, S& s) { s.toggle_compare(); })
            .unless(held_by_lesson);
        add(Action::differences, "Differences", "differences between runs: every score, with intervals and tests",
            toggle<&W::comparison_>);
        add(Action::next_view, "Matrices: next view", "M", "matrices: scaled, raw, difference from theory",
            {{GLFW_KEY_M}}, [](W& w, S&) { w.matrices_.next_mode(); });
        add(Action::colors, "Matrices: colours", "colours of the matrices: where they end, common limits, magnitudes",
            [](W& w, S&) { w.matrices_.open_look(); })
            .unless([](const W& w, const S&) {
                using Kind = PictureCell::Kind;
                const bool any = w.stage_.shows(Kind::matrices) || w.stage_.shows(Kind::tiles);
                return any ? std::string() : std::string("No matrix is on the stage");
            });
        add(Action::next_spread, "Curves: next spread", "S",
            "curves: standard error, deviation, quartiles, all lines, histogram", {{GLFW_KEY_S}},
            [](W& w, S&) { w.curves_.next_spread(); });
        add(Action::curves_look, "Curves: how drawn", "how all curves are drawn: seeds, smoothing, axes", [](W& w, S&) {
            w.stage_.open_curves_look();
        }).unless([](const W& w, const S&) {
            return w.stage_.has_curves() ? std::string() : std::string("This experiment has no curves");
        });
        add(Action::fit_all, "Curves: fit all", "F", "curves: fit all plots to their data", {{GLFW_KEY_F}},
            [](W& w, S&) { w.curves_.fit_all(); });
        add(Action::export_figures, "Export…", "Ctrl + E", "export figures, plots, matrices and data",
            {{GLFW_KEY_E, kControl}}, [](W& w, S& s) { w.toggle_export(s); })
            .everywhere();
        add(Action::describe, "Describe", "Ctrl + D", "say in sentences what the pictures show, and copy it",
            {{GLFW_KEY_D, kControl}}, [](W& w, S& s) { w.describe_pictures(s); })
            .everywhere();
        add(Action::film, "Film (GIF)", "film of the stage over the run's time, as GIF; stops it",
            [](W& w, S& s) { w.film_or_stop(s); });
    }

    void lessons() {
        topic_ = "Lesson";
        add(Action::open_lessons, "Lessons", "L", "lessons: take one, or resume it", {{GLFW_KEY_L}},
            toggle<&W::lesson_list_>)
            .everywhere();
        add(Action::lesson_next, "Next step", "Page down",
            "does what the step asks for; then the next step; at its end, the next lesson", {{GLFW_KEY_PAGE_DOWN}},
            [](W& w, S& s) { w.next_in_lesson(s); })
            .unless(no_lesson);
        add(Action::lesson_back, "Step before", "Page up", "the step before it", {{GLFW_KEY_PAGE_UP}}, [](W& w, S& s) {
            w.lesson_.back(s);
        }).unless(no_lesson);
        add(Action::lesson_leave, "Leave the lesson", "back to the run that was there before it", [](W& w, S& s) {
            w.end_lesson(s);
        }).unless(no_lesson);
        add(Action::lesson_explore, "Explore", "at the end of a lesson: all settings are free, and it stays open",
            [](W& w, S& s) {
                w.lesson_.explore(s);
                w.lesson_settings_ = true;
            })
            .unless([](const W& w, const S&) {
                return w.lesson_.at_end() ? std::string() : std::string("No lesson is at its end");
            });
        add(Action::lesson_from_here, "Lesson from here", "Ctrl + L",
            "append a step that shows what the window shows to your lesson, a file beside your exports",
            {{GLFW_KEY_L, kControl}}, [](W& w, S& s) { w.append_lesson_step(s); });
        add(Action::lesson_pages, "Print the lesson",
            "writes the lesson as two pages to print, for the class and with answers",
            [](W& w, S&) { w.print_lesson(); })
            .unless(no_lesson);
    }

    void window() {
        topic_ = "Window";
        add(Action::palette, "Palette", "Ctrl + K", "find a command, preset, setting or page by its words",
            {{GLFW_KEY_K, kControl}}, toggle<&W::palette_>)
            .while_typing()
            .by_keys_only();
        add(Action::on_stage, "On stage", "Z", "bring the picture under the pointer on stage, or back", {{GLFW_KEY_Z}},
            [](W& w, S&) { w.stage_.bring_pointed(); })
            .by_keys_only();
        add(Action::reset_layout, "Reset layout", "pictures and borders where the preset has them", [](W& w, S&) {
            w.stage_.reset();
            w.preferences_.splits = {};
        });
        add(Action::present, "Present", "P  or  F5",
            "presentation: large type, no controls; its bar is dragged through time", {{GLFW_KEY_P}, {GLFW_KEY_F5}},
            [](W& w, S&) {
                w.preferences_.look.presenting = !w.preferences_.look.presenting;
                w.toasts_.clear();  // earlier messages are not for the class
            });
        add(Action::full_screen, "Full screen", "F11", "the window takes the whole screen, or leaves it",
            {{GLFW_KEY_F11}}, [](W& w, S&) { w.full_screen_ = !w.full_screen_; })
            .everywhere();
        add(Action::toggle_theme, "Theme", "dark or light",
            [](W& w, S&) { w.preferences_.look.theme = w.look().theme == Theme::dark ? Theme::light : Theme::dark; });
        add(Action::toggle_preferences, "Preferences", "theme, size of type, threads, saving",
            toggle<&W::preferences_dialog_>);
        add(Action::toggle_help, "Handbook", "F1", "handbook; over a term, the page about it", {{GLFW_KEY_F1}},
            [](W& w, S&) { w.toggle_handbook(); })
            .while_typing();
        add(Action::close_overlay, "Close", "Esc", "close the topmost panel", {{GLFW_KEY_ESCAPE}},
            [](W& w, S&) { w.close_top(); })
            .everywhere()
            .by_keys_only();
    }

    const char* topic_ = "";
    std::vector<WindowCommand> commands_;
};

const std::vector<WindowCommand>& commands() {
    static const std::vector<WindowCommand> table = CommandTable().take();
    return table;
}

}  // namespace emergence
