#include "app/gui/shell/key_press.h"

#include <doctest/doctest.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace emergence;

TEST_CASE("letters and signs are taken from the keyboard's layout") {
    CHECK(key_by_layout(GLFW_KEY_Y, "z") == GLFW_KEY_Z);                  // German
    CHECK(key_by_layout(GLFW_KEY_RIGHT_BRACKET, "+") == GLFW_KEY_EQUAL);  // German
    CHECK(key_by_layout(GLFW_KEY_SLASH, "-") == GLFW_KEY_MINUS);          // German
    CHECK(key_by_layout(GLFW_KEY_EQUAL, "=") == GLFW_KEY_EQUAL);
    CHECK(key_by_layout(GLFW_KEY_KP_ADD, "+") == GLFW_KEY_KP_ADD);
    CHECK(key_by_layout(GLFW_KEY_F1, nullptr) == GLFW_KEY_F1);
}

// The keys of a US keyboard and what they type without Shift there, or on another layout.
TEST_CASE("on every layout a key is the letter that it types; letters that are not Latin go by their place") {
    struct Keyboard {
        const char* name;
        std::map<int, const char*> types;
        std::map<int, int> means;
    };
    const std::vector<Keyboard> layouts = {
        {"us",
         {{'A', "a"}, {'Q', "q"}, {'1', "1"}, {',', ","}, {'=', "="}},
         {{'A', 'A'}, {'Q', 'Q'}, {'1', '1'}, {',', ','}, {'=', '='}}},
        {"fr",
         {{'Q', "a"},
          {'A', "q"},
          {'W', "z"},
          {'Z', "w"},
          {';', "m"},
          {'M', ","},
          {',', ";"},
          {'1', "&"},
          {'2', "\u00e9"},
          {'4', "'"},
          {'6', "-"},
          {'-', ")"}},
         {{'Q', 'A'},
          {'A', 'Q'},
          {'W', 'Z'},
          {'Z', 'W'},
          {';', 'M'},
          {'M', ','},
          {',', ';'},
          {'1', '1'},
          {'2', '2'},
          {'4', '4'},
          {'6', '-'},
          {'-', '-'}}},
        {"de",
         {{'Y', "z"}, {'Z', "y"}, {'/', "-"}, {']', "+"}, {';', "\u00f6"}, {',', ","}},
         {{'Y', 'Z'}, {'Z', 'Y'}, {'/', '-'}, {']', '='}, {';', ';'}, {',', ','}}},
        {"ru",
         {{'Q', "\u0439"}, {'A', "\u0444"}, {'Z', "\u044f"}, {'V', "\u043c"}, {',', "\u0431"}, {'1', "1"}, {'/', "."}},
         {{'Q', 'Q'}, {'A', 'A'}, {'Z', 'Z'}, {'V', 'V'}, {',', ','}, {'1', '1'}, {'/', '.'}}},
        {"dvorak", {{'Q', "'"}, {'W', ","}, {'S', "o"}, {'Z', ";"}}, {{'Q', '\''}, {'W', ','}, {'S', 'O'}, {'Z', ';'}}},
        // Turkish F and Bepo have Latin letters of their own where others have A to Z.
        {"tr", {{'R', "\u0131"}, {'E', "\u011f"}}, {{'R', GLFW_KEY_UNKNOWN}, {'E', GLFW_KEY_UNKNOWN}}},
    };
    for (const Keyboard& layout : layouts)
        for (const auto& [place, typed] : layout.types) {
            INFO(layout.name, ", ", place);
            CHECK(key_by_layout(place, typed) == layout.means.at(place));
        }
}

TEST_CASE("a release is that of the key that was pressed, though the layout has changed meanwhile") {
    KeysDown down;
    CHECK(down.follow(GLFW_KEY_Q, "a", true) == GLFW_KEY_A);
    CHECK(down.follow(GLFW_KEY_Q, "q", false) == GLFW_KEY_A);
    CHECK(down.follow(GLFW_KEY_Q, "q", true) == GLFW_KEY_Q);
    CHECK(down.follow(GLFW_KEY_LEFT_CONTROL, nullptr, false) == GLFW_KEY_LEFT_CONTROL);
}

TEST_CASE("the keypad means what stands beside it") {
    CHECK(without_keypad(GLFW_KEY_KP_7) == GLFW_KEY_7);
    CHECK(without_keypad(GLFW_KEY_KP_ENTER) == GLFW_KEY_ENTER);
    CHECK(without_keypad(GLFW_KEY_KP_ADD) == GLFW_KEY_EQUAL);
    CHECK(without_keypad(GLFW_KEY_KP_SUBTRACT) == GLFW_KEY_MINUS);
    CHECK(without_keypad(GLFW_KEY_7) == GLFW_KEY_7);
}

TEST_CASE("keys have a name with their modifiers") {
    CHECK(name_of_key(GLFW_KEY_G, 0) == "G");
    CHECK(name_of_key(GLFW_KEY_B, GLFW_MOD_SHIFT | GLFW_MOD_CONTROL | GLFW_MOD_NUM_LOCK) == "Ctrl + Shift + B");
    CHECK(name_of_key(GLFW_KEY_KP_1, GLFW_MOD_ALT) == "Alt + 1");
    CHECK(name_of_key(GLFW_KEY_B, GLFW_MOD_SUPER) == "");
    CHECK(name_of_key(GLFW_KEY_KP_ADD, GLFW_MOD_CONTROL) == "Ctrl + +");
    CHECK(name_of_key(GLFW_KEY_F12, GLFW_MOD_SHIFT) == "Shift + F12");
    CHECK(name_of_key(GLFW_KEY_F9, 0) == "");
    CHECK(name_of_key(GLFW_KEY_UNKNOWN, 0) == "");
}

namespace {

// The keys that go down in each frame, as text: "ctrl V", "abc".
std::vector<std::string> frames_of(const std::vector<KeyEvent>& events) {
    KeyEvents waiting;
    for (const KeyEvent& event : events) waiting.add(event);
    std::vector<std::string> frames;
    std::set<int> down;
    while (!waiting.empty()) {
        std::string seen, typed;
        for (const KeyEvent& event : waiting.take()) {
            if (event.character != 0) typed += static_cast<char>(event.character);
            if (event.character == 0 && !event.down) down.erase(event.key);
            if (event.down && down.insert(event.key).second && event.key != GLFW_KEY_LEFT_CONTROL)
                seen += static_cast<char>(event.key);
        }
        // What a text field sees: the modifiers are those at the end of the frame.
        frames.push_back(typed + (down.contains(GLFW_KEY_LEFT_CONTROL) && !seen.empty() ? "^" : "") + seen);
    }
    return frames;
}

KeyEvent goes(int key, bool down, int modifiers = 0) { return {key, down, modifiers}; }

}  // namespace

TEST_CASE("chords that come within one frame are all seen, each with its modifier") {
    std::vector<KeyEvent> events;
    for (int i = 0; i < 20; ++i)
        for (const KeyEvent& one : {goes(GLFW_KEY_LEFT_CONTROL, true), goes('V', true, GLFW_MOD_CONTROL),
                                    goes('V', false, GLFW_MOD_CONTROL), goes(GLFW_KEY_LEFT_CONTROL, false)})
            events.push_back(one);
    std::vector<std::string> frames = frames_of(events);
    CHECK(std::count(frames.begin(), frames.end(), "^V") == 20);
    // The modifier goes up before the key does, or was down before.
    frames = frames_of({goes(GLFW_KEY_LEFT_CONTROL, true), goes('V', true, GLFW_MOD_CONTROL),
                        goes(GLFW_KEY_LEFT_CONTROL, false), goes('V', false)});
    CHECK(frames.front() == "^V");
}

TEST_CASE("what is typed keeps its order with the keys that edit, and plain typing waits for no frame") {
    const std::vector<KeyEvent> plain = {goes('A', true), {.character = 'a'}, goes('A', false),
                                         goes('B', true), {.character = 'b'}, goes('B', false)};
    KeyEvents waiting;
    for (const KeyEvent& event : plain) waiting.add(event);
    const auto characters = [](const std::vector<KeyEvent>& events) {
        return std::count_if(events.begin(), events.end(), [](const KeyEvent& one) { return one.character != 0; });
    };
    CHECK(characters(waiting.take()) == 2);
    CHECK(waiting.empty());
    for (const KeyEvent& event : {KeyEvent{.character = 'a'}, goes(GLFW_KEY_HOME, true), goes(GLFW_KEY_HOME, false),
                                  KeyEvent{.character = 'b'}})
        waiting.add(event);
    while (!waiting.empty() && characters(waiting.take()) == 0) {
    }
    CHECK_FALSE(waiting.empty());  // b comes after Home
}
