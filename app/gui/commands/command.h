#pragma once
// Everything that the window does on request, in one table. Keys, buttons, the palette and the page of keys read it.

#include <imgui.h>

#include <functional>
#include <string>
#include <vector>

#include "app/gui/session/session.h"

namespace emergence::handbook {
struct Document;
}

namespace emergence {

class Workbench;
struct Context;

enum class Action {
    run_or_pause,
    step,
    reset,
    new_seed,
    faster,
    slower,
    next_view,
    colors,
    next_spread,
    curves_look,
    fit_all,
    toggle_theme,
    toggle_help,
    full_screen,
    close_overlay,
    undo,
    redo,
    save_run,
    open_runs,
    open_file,
    phase_diagram,
    copy_state,
    paste_state,
    export_figures,
    film,
    time_back,
    time_forward,
    phase_back,
    phase_forward,
    time_first,
    time_live,
    time_play,
    pin,
    minus_pin,
    compare,
    differences,
    on_stage,
    reset_layout,
    present,
    next_field,
    previous_field,
    field_up,
    field_down,
    type_field,
    reset_field,
    search,
    toggle_settings,
    toggle_preferences,
    lesson_next,
    lesson_back,
    lesson_leave,
    lesson_explore,
    open_lessons,
    lesson_from_here,
    lesson_pages,
    palette,
    describe,
    next_control,
    previous_control,
    press_control,
};

/// A key with its modifiers, as GLFW numbers them. Exactly these modifiers must be held; the locks do not count. A key
/// of the keypad counts as the same key of the main keyboard.
struct KeyChord {
    int key = 0;
    int modifiers = 0;
};

/// Where a command's keys work.
enum class Reach {
    panels,      // only while nothing lies on top of the panels
    everywhere,  // also over dialogs
    typing,      // also in text fields, which do not use these keys
};

struct WindowCommand {
    Action action;
    const char* topic;  // its heading in the page of keys
    const char* label;  // one to three words
    const char* keys;   // for readers; "" for none
    const char* help;   // what it does
    std::vector<KeyChord> chords;
    void (*act)(Workbench&, Session&) = nullptr;
    Reach reach = Reach::panels;
    bool repeats = false;    // a held key repeats it
    bool in_palette = true;  // false: it needs a focused setting, or is the palette itself
    /// Returns why the command is unavailable now, or "". nullptr: it is always available.
    std::string (*why_not)(const Workbench&, const Session&) = nullptr;

    // Setters for the table's rows that differ from the defaults above.
    WindowCommand& everywhere() { return reach = Reach::everywhere, *this; }
    WindowCommand& while_typing() { return reach = Reach::typing, *this; }
    WindowCommand& repeating() { return repeats = true, *this; }
    WindowCommand& by_keys_only() { return in_palette = false, *this; }
    WindowCommand& unless(std::string (*reason)(const Workbench&, const Session&)) { return why_not = reason, *this; }
};

/// The table, in the order in which the page of keys and the menu list it.
const std::vector<WindowCommand>& commands();
const WindowCommand& command(Action action);
/// The command of a key; nullptr if no command has this key or Super is held.
const WindowCommand* command_for(const KeyChord& chord);
/// A tooltip: "Restart with the same seeds  (R)".
std::string tooltip_of(Action action);

/// Returns why a command is unavailable now, or "".
using WhyNot = std::function<std::string(Action)>;

/// Opens the menu; draws it while it is open, with its upper right corner at `corner`. A command that can be repeated
/// leaves it open. Rows are logged as "command LABEL".
void open_command_menu();
void draw_command_menu(const Context& context, ImVec2 corner, const WhyNot& why_not);

/// The handbook's last page: which key does what, topic by topic.
const handbook::Document& keys_document();

}  // namespace emergence
