#pragma once
// A key as the window receives it.

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace emergence {

struct KeyPress {
    int key = 0;            // GLFW's, on the keyboard's layout
    int modifiers = 0;      // GLFW's
    bool repeated = false;  // it is held
    bool typing = false;    // a text field has the keyboard
};

/// Shift, Ctrl and Alt of GLFW's modifiers; -1, which no command has, while Super is held.
int counted_modifiers(int modifiers);

/// The key on which a US keyboard has what this layout has on `key`, as GLFW's code: "a" on the key of Q is A. `name`:
/// what the key types without Shift, null if nothing. Letters that are not Latin and digits go by their place, as shown
/// on most keyboards; -1 if the place is a letter's and this layout has another sign there.
int key_by_layout(int key, const char* name);

/// The key beside the keypad that means the same; `key` itself for all others.
int without_keypad(int key);

/// "Ctrl + Shift + B", of a letter, a digit, an arrow, and what was a key once; "" of any other.
std::string name_of_key(int key, int modifiers);

/// The keys that are down, so that a release is that of what was pressed, though the layout or Shift has changed.
class KeysDown {
  public:
    /// key_by_layout() for a press, and the same again for its release.
    int follow(int key, const char* name, bool down);

  private:
    std::map<int, int> as_;
};

/// A key that went down or up, or a character that was typed.
struct KeyEvent {
    int key = 0;
    bool down = false;
    int modifiers = 0;  // GLFW's
    unsigned character = 0;
};

/// Dear ImGui reads once a frame which keys are down. What comes faster waits for further frames: each press is seen,
/// with its modifiers, and in order with what is typed.
class KeyEvents {
  public:
    void add(const KeyEvent& event) { waiting_.push_back(event); }
    /// Those of the next frame.
    std::vector<KeyEvent> take();
    bool empty() const { return waiting_.empty(); }

  private:
    std::deque<KeyEvent> waiting_;
    std::set<int> typing_;  // keys that went down for their character alone
};

}  // namespace emergence
