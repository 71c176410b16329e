#pragma once
// Keys as the window receives them.

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace emergence {

struct KeyPress {
    int key = 0;            // GLFW's, on the keyboard's layout
    int modifiers = 0;      // GLFW's
    bool repeated = false;  // the user holds it
    bool typing = false;    // a text field has the keyboard
};

/// Shift, Ctrl and Alt of GLFW's modifiers, or -1 while Super is held, which no command has.
int counted_modifiers(int modifiers);

/// GLFW's code of the key on which a US keyboard has what this layout has on `key`: on a French keyboard the key of Q
/// gives A. `name` is what the key types without Shift, null if nothing. Digits and letters that are not Latin go by
/// their place, as most keyboards show. -1 if the place is a letter's and this layout has another sign there.
int key_by_layout(int key, const char* name);

/// The main keyboard's key with the same meaning as this key of the keypad; other keys are returned unchanged.
int without_keypad(int key);

/// "Ctrl + Shift + B" for a letter, a digit, an arrow or a retired key; "" for any other key.
std::string name_of_key(int key, int modifiers);

/// Remembers pressed keys, so a release matches its press even if the layout or Shift has changed in between.
class KeysDown {
  public:
    /// Returns key_by_layout() for a press, and the same code again for its release.
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

/// Dear ImGui samples the keys once per frame. Faster events wait for the next frames, so every press is seen with its
/// modifiers and in order with typed characters.
class KeyEvents {
  public:
    void add(const KeyEvent& event) { waiting_.push_back(event); }
    /// The events of the next frame.
    std::vector<KeyEvent> take();
    bool empty() const { return waiting_.empty(); }

  private:
    std::deque<KeyEvent> waiting_;
    std::set<int> typing_;  // keys that went down only to type their character
};

}  // namespace emergence
