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

// The places of a US keyboard's keys, what they type without Shift on a layout, and which key that is.
TEST_CASE("on every layout a key is the letter that it types; letters that are not Latin go by their place") {
    struct Key {
        int place;
        const char* types;
        int means;
    };
    const std::map<std::string, std::vector<Key>> layouts = {
        {"us", {{'A', "a", 'A'}, {'Q', "q", 'Q'}, {'1', "1", '1'}, {',', ",", ','}, {'=', "=", '='}}},
        {"fr",
         {{'Q', "a", 'A'},
          {'A', "q", 'Q'},
          {'W', "z", 'Z'},
          {'Z', "w", 'W'},
          {';', "m", 'M'},
          {'M', ",", ','},
          {',', ";", ';'},
          {'1', "&", '1'},
          {'2', "\u00e9", '2'},
          {'4', "'", '4'},
          {'6', "-", '-'},
          {'-', ")", '-'}}},
        {"de",
         {{'Y', "z", 'Z'}, {'Z', "y", 'Y'}, {'/', "-", '-'}, {']', "+", '='}, {';', "\u00f6", ';'}, {',', ",", ','}}},
        {"ru",
         {{'Q', "\u0439", 'Q'},
          {'A', "\u0444", 'A'},
          {'Z', "\u044f", 'Z'},
          {'V', "\u043c", 'V'},
          {',', "\u0431", ','},
          {'1', "1", '1'},
          {'/', ".", '.'}}},
        {"dvorak", {{'Q', "'", '\''}, {'W', ",", ','}, {'S', "o", 'O'}, {'Z', ";", ';'}}},
        // Turkish F and Bepo have Latin letters of their own where others have A to Z.
        {"tr", {{'R', "\u0131", GLFW_KEY_UNKNOWN}, {'E', "\u011f", GLFW_KEY_UNKNOWN}}},
        {"any", {{GLFW_KEY_KP_ADD, "+", GLFW_KEY_KP_ADD}, {GLFW_KEY_F1, nullptr, GLFW_KEY_F1}}},
    };
    for (const auto& [layout, keys] : layouts)
        for (const Key& key : keys) {
            INFO(layout, ", ", key.place);
            CHECK(key_by_layout(key.place, key.types) == key.means);
        }
}

TEST_CASE("a release is that of the key that was pressed, though the layout has changed meanwhile") {
    KeysDown down;
    CHECK(down.follow(GLFW_KEY_Q, "a", true) == GLFW_KEY_A);
    CHECK(down.follow(GLFW_KEY_Q, "q", false) == GLFW_KEY_A);
    CHECK(down.follow(GLFW_KEY_Q, "q", true) == GLFW_KEY_Q);
    CHECK(down.follow(GLFW_KEY_LEFT_CONTROL, nullptr, false) == GLFW_KEY_LEFT_CONTROL);
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
