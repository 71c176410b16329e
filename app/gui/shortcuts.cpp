#include "app/gui/shortcuts.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <cctype>

namespace emergence {

const std::vector<Shortcut>& shortcuts() {
    static const std::vector<Shortcut> table = {
        {GLFW_KEY_SPACE, false, Action::run_or_pause, "Space", "run, pause, or run again from the start"},
        {GLFW_KEY_RIGHT, false, Action::step, "→", "one step, then pause"},
        {GLFW_KEY_R, false, Action::reset, "R", "reset: the same seeds from the start"},
        {GLFW_KEY_N, false, Action::new_seed, "N  or  Shift + R", "new seeds"},
        {GLFW_KEY_R, true, Action::new_seed, "", ""},
        {GLFW_KEY_EQUAL, false, Action::faster, "+", "faster"},
        {GLFW_KEY_EQUAL, true, Action::faster, "", ""},
        {GLFW_KEY_KP_ADD, false, Action::faster, "", ""},
        {GLFW_KEY_MINUS, false, Action::slower, "−", "slower"},
        {GLFW_KEY_KP_SUBTRACT, false, Action::slower, "", ""},
        {GLFW_KEY_M, false, Action::next_view, "M", "matrices: scaled, raw, difference from theory"},
        {GLFW_KEY_S, false, Action::next_spread, "S",
         "curves: standard error, deviation, quartiles, every seed"},
        {GLFW_KEY_T, false, Action::toggle_theme, "T", "dark or light"},
        {GLFW_KEY_F1, false, Action::toggle_help, "F1", "this help"},
        {GLFW_KEY_F3, false, Action::toggle_timing, "F3", "frame times"},
        {GLFW_KEY_ESCAPE, false, Action::close_overlay, "Esc", "close what lies on top"},
    };
    return table;
}

std::optional<Action> action_for(int key, int modifiers) {
    if ((modifiers & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER)) != 0) return std::nullopt;
    const bool shift = (modifiers & GLFW_MOD_SHIFT) != 0;
    for (const Shortcut& shortcut : shortcuts())
        if (shortcut.key == key && shortcut.shift == shift) return shortcut.action;
    return std::nullopt;
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
