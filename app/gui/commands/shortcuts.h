#pragma once
// The keyboard: one table that handles the keys and that the help panel lists.

#include <optional>
#include <vector>

namespace emergence {

enum class Action {
    run_or_pause,
    step,
    reset,
    new_seed,
    faster,
    slower,
    next_view,
    next_spread,
    fit_all,
    toggle_theme,
    toggle_help,
    page_back,
    page_forward,
    toggle_timing,
    close_overlay,
    undo,
    redo,
    save_run,
    open_runs,
    phase_diagram,
    bookmarks,
    copy_state,
    paste_state,
    export_figures,
    screenshot,
    time_back,
    time_forward,
    time_first,
    time_live,
    time_play,
    pin_first,
    pin_second,
    minus_pin,
    compare,
    enlarge,
    present,
    larger,
    smaller,
    standard_size,
    next_field,
    previous_field,
    field_up,
    field_down,
    field_far_up,
    field_far_down,
    type_field,
    reset_field,
    search,
    toggle_preferences,
};

struct Shortcut {
    int key;        // GLFW's
    int modifiers;  // GLFW's: Shift and Ctrl, both exactly as held
    Action action;
    const char* keys;  // as people read it; "" for a second key of the line above
    const char* what;
};

const std::vector<Shortcut>& shortcuts();

/// The heading in the help under which an action stands.
const char* topic_of(Action action);

/// What a key means, Shift and Ctrl being the modifiers that count; nothing while Alt or Super is held.
/// `modifiers` are GLFW's.
std::optional<Action> action_for(int key, int modifiers);

/// Whether holding the key down does it again and again.
bool repeats(Action action);

/// The key on which this keyboard layout has the letter or sign, as GLFW's code for it; `key` itself for
/// others.
int key_by_layout(int key, const char* name);

}  // namespace emergence
