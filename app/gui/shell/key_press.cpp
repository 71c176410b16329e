#include "app/gui/shell/key_press.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <cctype>

namespace emergence {

int counted_modifiers(int modifiers) {
    if ((modifiers & GLFW_MOD_SUPER) != 0) return -1;
    return modifiers & (GLFW_MOD_SHIFT | GLFW_MOD_CONTROL | GLFW_MOD_ALT);
}

int key_by_layout(int key, const char* name) {
    const bool keypad = key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_EQUAL;
    if (name == nullptr || keypad || name[0] == '\0' || name[1] != '\0') return key;
    const auto sign = static_cast<unsigned char>(name[0]);
    if (sign == '+') return GLFW_KEY_EQUAL;
    if (sign == '-' || sign == '=') return sign == '-' ? GLFW_KEY_MINUS : GLFW_KEY_EQUAL;
    return std::isalpha(sign) != 0 ? std::toupper(sign) : key;
}

}  // namespace emergence
