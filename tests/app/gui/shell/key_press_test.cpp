#include "app/gui/shell/key_press.h"

#include <doctest/doctest.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <map>
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
            CAPTURE(layout.name);
            CAPTURE(place);
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

TEST_CASE("letters and digits have a name with their modifiers") {
    CHECK(name_of_key(GLFW_KEY_G, 0) == "G");
    CHECK(name_of_key(GLFW_KEY_B, GLFW_MOD_SHIFT | GLFW_MOD_CONTROL | GLFW_MOD_NUM_LOCK) == "Ctrl + Shift + B");
    CHECK(name_of_key(GLFW_KEY_KP_1, GLFW_MOD_ALT) == "Alt + 1");
    CHECK(name_of_key(GLFW_KEY_B, GLFW_MOD_SUPER) == "");
    CHECK(name_of_key(GLFW_KEY_F5, 0) == "");
    CHECK(name_of_key(GLFW_KEY_UNKNOWN, 0) == "");
}
