#include "app/gui/shell/key_press.h"

#include <doctest/doctest.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

using namespace emergence;

TEST_CASE("letters and signs are taken from the keyboard's layout") {
    CHECK(key_by_layout(GLFW_KEY_Y, "z") == GLFW_KEY_Z);                  // German
    CHECK(key_by_layout(GLFW_KEY_RIGHT_BRACKET, "+") == GLFW_KEY_EQUAL);  // German
    CHECK(key_by_layout(GLFW_KEY_SLASH, "-") == GLFW_KEY_MINUS);          // German
    CHECK(key_by_layout(GLFW_KEY_EQUAL, "=") == GLFW_KEY_EQUAL);
    CHECK(key_by_layout(GLFW_KEY_KP_ADD, "+") == GLFW_KEY_KP_ADD);
    CHECK(key_by_layout(GLFW_KEY_F1, nullptr) == GLFW_KEY_F1);
}
