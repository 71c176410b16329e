#pragma once
// A key as the window receives it.

namespace emergence {

struct KeyPress {
    int key = 0;            // GLFW's, on the keyboard's layout
    int modifiers = 0;      // GLFW's
    bool repeated = false;  // it is held
    bool typing = false;    // a text field has the keyboard
};

/// Shift, Ctrl and Alt of GLFW's modifiers; -1, which no command has, while Super is held.
int counted_modifiers(int modifiers);

/// The key on which this keyboard layout has the letter or sign, as GLFW's code for it; `key` itself for
/// others.
int key_by_layout(int key, const char* name);

}  // namespace emergence
