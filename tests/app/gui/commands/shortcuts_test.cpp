#include "app/gui/commands/shortcuts.h"

#include <doctest/doctest.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <set>
#include <utility>

using namespace emergence;

TEST_CASE("every key means one thing, and every action has a line in the help") {
    std::set<std::pair<int, int>> keys;
    std::set<Action> listed;
    for (const Shortcut& shortcut : shortcuts()) {
        CHECK(keys.insert({shortcut.key, shortcut.modifiers}).second);
        if (*shortcut.keys != '\0') listed.insert(shortcut.action);
    }
    for (const Shortcut& shortcut : shortcuts()) CHECK(listed.count(shortcut.action) == 1);
}

TEST_CASE("Ctrl counts as Shift does; with other keys Alt and Super mean nothing") {
    CHECK(action_for(GLFW_KEY_SPACE, 0) == Action::run_or_pause);
    CHECK(action_for(GLFW_KEY_SPACE, GLFW_MOD_CONTROL) == std::nullopt);
    CHECK(action_for(GLFW_KEY_Z, GLFW_MOD_CONTROL) == Action::undo);
    CHECK(action_for(GLFW_KEY_Z, GLFW_MOD_CONTROL | GLFW_MOD_SHIFT) == Action::redo);
    CHECK(action_for(GLFW_KEY_Y, GLFW_MOD_CONTROL | GLFW_MOD_NUM_LOCK) == Action::redo);
    CHECK(action_for(GLFW_KEY_R, GLFW_MOD_CONTROL) == std::nullopt);
    CHECK(action_for(GLFW_KEY_R, GLFW_MOD_ALT) == std::nullopt);
    CHECK(action_for(GLFW_KEY_R, GLFW_MOD_SHIFT) == Action::new_seed);
    CHECK(action_for(GLFW_KEY_R, GLFW_MOD_CAPS_LOCK) == Action::reset);
    CHECK(action_for(GLFW_KEY_F9, 0) == std::nullopt);
}

TEST_CASE("letters and signs are taken from the keyboard's layout") {
    CHECK(key_by_layout(GLFW_KEY_Y, "z") == GLFW_KEY_Z);                  // German
    CHECK(key_by_layout(GLFW_KEY_RIGHT_BRACKET, "+") == GLFW_KEY_EQUAL);  // German
    CHECK(key_by_layout(GLFW_KEY_SLASH, "-") == GLFW_KEY_MINUS);          // German
    CHECK(key_by_layout(GLFW_KEY_EQUAL, "=") == GLFW_KEY_EQUAL);
    CHECK(key_by_layout(GLFW_KEY_KP_ADD, "+") == GLFW_KEY_KP_ADD);
    CHECK(key_by_layout(GLFW_KEY_F1, nullptr) == GLFW_KEY_F1);
}
