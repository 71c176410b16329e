#include "app/gui/commands/shortcuts.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <cctype>

namespace emergence {
namespace {

constexpr int kPlain = 0;
constexpr int kShift = GLFW_MOD_SHIFT;
constexpr int kControl = GLFW_MOD_CONTROL;
constexpr int kAlt = GLFW_MOD_ALT;

}  // namespace

const std::vector<Shortcut>& shortcuts() {
    static const std::vector<Shortcut> table = {
        {GLFW_KEY_SPACE, kPlain, Action::run_or_pause, "Space", "run, pause, or restart a finished run"},
        {GLFW_KEY_RIGHT, kPlain, Action::step, "→", "one step, then pause"},
        {GLFW_KEY_R, kPlain, Action::reset, "R", "restart with the same seeds"},
        {GLFW_KEY_N, kPlain, Action::new_seed, "N  or  Shift + R", "restart with new seeds"},
        {GLFW_KEY_R, kShift, Action::new_seed, "", ""},
        {GLFW_KEY_EQUAL, kPlain, Action::faster, "+", "faster"},
        {GLFW_KEY_EQUAL, kShift, Action::faster, "", ""},
        {GLFW_KEY_KP_ADD, kPlain, Action::faster, "", ""},
        {GLFW_KEY_MINUS, kPlain, Action::slower, "−", "slower"},
        {GLFW_KEY_KP_SUBTRACT, kPlain, Action::slower, "", ""},
        {GLFW_KEY_Z, kControl, Action::undo, "Ctrl + Z", "undo the last change of a setting"},
        {GLFW_KEY_Z, kControl | kShift, Action::redo, "Ctrl + Shift + Z", "redo it  (also Ctrl + Y)"},
        {GLFW_KEY_Y, kControl, Action::redo, "", ""},
        {GLFW_KEY_LEFT, kShift, Action::time_back, "Shift + ←", "back to an earlier moment of the run"},
        {GLFW_KEY_RIGHT, kShift, Action::time_forward, "Shift + →", "forward to a later one"},
        {GLFW_KEY_HOME, kPlain, Action::time_first, "Home", "the run's first moment"},
        {GLFW_KEY_END, kPlain, Action::time_live, "End", "back to live"},
        {GLFW_KEY_SPACE, kShift, Action::time_play, "Shift + Space", "play the past, or stop"},
        {GLFW_KEY_1, kPlain, Action::pin_first, "1", "pin the moment shown, or remove the pin"},
        {GLFW_KEY_2, kPlain, Action::pin_second, "2", "a second pin"},
        {GLFW_KEY_D, kPlain, Action::minus_pin, "D", "matrices minus those of pin 1"},
        {GLFW_KEY_B, kPlain, Action::compare, "B", "start run B with one setting different, or close it"},
        {GLFW_KEY_M, kPlain, Action::next_view, "M", "matrices: scaled, raw, difference from theory"},
        {GLFW_KEY_S, kPlain, Action::next_spread, "S",
         "curves: standard error, deviation, quartiles, every seed, histogram"},
        {GLFW_KEY_F, kPlain, Action::fit_all, "F", "curves: fit all plots to their data"},
        {GLFW_KEY_Z, kPlain, Action::enlarge, "Z", "enlarge the matrices, then the curves, then back"},
        {GLFW_KEY_P, kPlain, Action::present, "P  or  F5", "presentation: large type, no controls"},
        {GLFW_KEY_F5, kPlain, Action::present, "", ""},
        {GLFW_KEY_S, kControl, Action::save_run, "Ctrl + S", "save the run, to resume it later"},
        {GLFW_KEY_O, kControl, Action::open_runs, "Ctrl + O", "runs: resume one, compare them"},
        {GLFW_KEY_B, kControl, Action::bookmarks, "Ctrl + B", "bookmarks: restart a saved state"},
        {GLFW_KEY_C, kControl, Action::copy_state, "Ctrl + C", "copy the window's state as a short text"},
        {GLFW_KEY_V, kControl, Action::paste_state, "Ctrl + V", "open the copied state"},
        {GLFW_KEY_G, kControl, Action::phase_diagram, "Ctrl + G",
         "sweep: a score over a grid of one or two settings"},
        {GLFW_KEY_E, kControl, Action::export_figures, "Ctrl + E",
         "export figures, plots, matrices and data"},
        {GLFW_KEY_F12, kPlain, Action::screenshot, "F12", "picture of the window  (also Ctrl + Shift + S)"},
        {GLFW_KEY_S, kControl | kShift, Action::screenshot, "", ""},
        {GLFW_KEY_T, kPlain, Action::toggle_theme, "T", "dark or light"},
        {GLFW_KEY_TAB, kPlain, Action::next_field, "Tab", "focus the next setting"},
        {GLFW_KEY_TAB, kShift, Action::previous_field, "Shift + Tab", "focus the one before"},
        {GLFW_KEY_UP, kPlain, Action::field_up, "↑", "increase the focused setting; if none, the next layer"},
        {GLFW_KEY_DOWN, kPlain, Action::field_down, "↓", "decrease it; if none, the layer before"},
        {GLFW_KEY_UP, kShift, Action::field_far_up, "Shift + ↑", "increase it by ten steps"},
        {GLFW_KEY_DOWN, kShift, Action::field_far_down, "Shift + ↓", "decrease it by ten steps"},
        {GLFW_KEY_ENTER, kPlain, Action::type_field, "Enter", "type its value"},
        {GLFW_KEY_KP_ENTER, kPlain, Action::type_field, "", ""},
        {GLFW_KEY_DELETE, kPlain, Action::reset_field, "Delete", "back to its default"},
        {GLFW_KEY_BACKSPACE, kPlain, Action::reset_field, "", ""},
        {GLFW_KEY_F, kControl, Action::search, "Ctrl + F", "search the settings"},
        {GLFW_KEY_COMMA, kControl, Action::toggle_preferences, "Ctrl + ,", "preferences"},
        {GLFW_KEY_EQUAL, kControl, Action::larger, "Ctrl + +", "larger type and controls"},
        {GLFW_KEY_EQUAL, kControl | kShift, Action::larger, "", ""},
        {GLFW_KEY_KP_ADD, kControl, Action::larger, "", ""},
        {GLFW_KEY_MINUS, kControl, Action::smaller, "Ctrl + −", "smaller"},
        {GLFW_KEY_KP_SUBTRACT, kControl, Action::smaller, "", ""},
        {GLFW_KEY_0, kControl, Action::standard_size, "Ctrl + 0", "the size that fits the window"},
        {GLFW_KEY_KP_0, kControl, Action::standard_size, "", ""},
        {GLFW_KEY_F1, kPlain, Action::toggle_help, "F1", "handbook; over a term, the page about it"},
        {GLFW_KEY_LEFT, kAlt, Action::page_back, "Alt + ←", "handbook: the page before"},
        {GLFW_KEY_RIGHT, kAlt, Action::page_forward, "Alt + →", "handbook: the page after it"},
        {GLFW_KEY_F3, kPlain, Action::toggle_timing, "F3", "frame times"},
        {GLFW_KEY_ESCAPE, kPlain, Action::close_overlay, "Esc", "close the topmost panel"},
    };
    return table;
}

std::optional<Action> action_for(int key, int modifiers) {
    if ((modifiers & GLFW_MOD_SUPER) != 0) return std::nullopt;
    const int held = modifiers & (kShift | kControl | kAlt);
    for (const Shortcut& shortcut : shortcuts())
        if (shortcut.key == key && shortcut.modifiers == held) return shortcut.action;
    return std::nullopt;
}

const char* topic_of(Action action) {
    switch (action) {
        case Action::run_or_pause:
        case Action::step:
        case Action::reset:
        case Action::new_seed:
        case Action::save_run:
        case Action::open_runs:
        case Action::bookmarks:
        case Action::copy_state:
        case Action::paste_state:
        case Action::phase_diagram:
        case Action::faster:
        case Action::slower:
            return "Training";
        case Action::undo:
        case Action::redo:
        case Action::next_field:
        case Action::previous_field:
        case Action::field_up:
        case Action::field_down:
        case Action::field_far_up:
        case Action::field_far_down:
        case Action::type_field:
        case Action::reset_field:
        case Action::search:
            return "Settings";
        case Action::enlarge:
        case Action::present:
        case Action::toggle_theme:
        case Action::toggle_preferences:
        case Action::larger:
        case Action::smaller:
        case Action::standard_size:
        case Action::toggle_help:
        case Action::page_back:
        case Action::page_forward:
        case Action::toggle_timing:
        case Action::close_overlay:
            return "Window";
        default:
            return "Pictures";
    }
}

bool repeats(Action action) {
    switch (action) {
        case Action::step:
        case Action::faster:
        case Action::slower:
        case Action::larger:
        case Action::smaller:
        case Action::next_field:
        case Action::previous_field:
        case Action::field_up:
        case Action::field_down:
        case Action::field_far_up:
        case Action::field_far_down:
        case Action::undo:
        case Action::redo:
        case Action::time_back:
        case Action::time_forward:
            return true;
        default:
            return false;
    }
}

int key_by_layout(int key, const char* name) {
    const bool keypad = key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_EQUAL;
    if (name == nullptr || keypad || name[0] == '\0' || name[1] != '\0') return key;
    const auto sign = static_cast<unsigned char>(name[0]);
    if (sign == '+') return GLFW_KEY_EQUAL;
    if (sign == '-' || sign == '=') return sign == '-' ? GLFW_KEY_MINUS : GLFW_KEY_EQUAL;
    return std::isalpha(sign) != 0 ? std::toupper(sign) : key;
}

}  // namespace emergence
