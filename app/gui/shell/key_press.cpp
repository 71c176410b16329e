#include "app/gui/shell/key_press.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <cctype>
#include <string_view>

namespace emergence {

int counted_modifiers(int modifiers) {
    if ((modifiers & GLFW_MOD_SUPER) != 0) return -1;
    return modifiers & (GLFW_MOD_SHIFT | GLFW_MOD_CONTROL | GLFW_MOD_ALT);
}

int key_by_layout(int key, const char* name) {
    constexpr std::string_view kSigns = "',-./;=[\\]`";  // GLFW's codes of these keys are their characters
    const std::string_view typed = name != nullptr ? name : "";
    if (typed.empty() || without_keypad(key) != key) return key;
    const auto first = static_cast<unsigned char>(typed[0]);
    const bool digit = key >= GLFW_KEY_0 && key <= GLFW_KEY_9, letter = key >= GLFW_KEY_A && key <= GLFW_KEY_Z;
    if (typed.size() == 1) {
        if (first == '+') return GLFW_KEY_EQUAL;
        if (std::isalnum(first) != 0) return std::toupper(first);
        // Some layouts type digits with Shift. Of the signs on their digit keys, commands use "-" and "=".
        if (digit ? first == '-' || first == '=' : kSigns.find(typed[0]) != kSigns.npos) return first;
        return letter ? GLFW_KEY_UNKNOWN : key;
    }
    constexpr unsigned char kFirstLatin = 0xC3, kLastLatin = 0xC9;  // the first bytes of é, ğ, ı in UTF-8
    return letter && first >= kFirstLatin && first <= kLastLatin ? GLFW_KEY_UNKNOWN : key;
}

int without_keypad(int key) {
    if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9) return GLFW_KEY_0 + (key - GLFW_KEY_KP_0);
    constexpr std::pair<int, int> kBeside[] = {
        {GLFW_KEY_KP_DECIMAL, GLFW_KEY_PERIOD}, {GLFW_KEY_KP_DIVIDE, GLFW_KEY_SLASH},
        {GLFW_KEY_KP_SUBTRACT, GLFW_KEY_MINUS}, {GLFW_KEY_KP_ADD, GLFW_KEY_EQUAL},
        {GLFW_KEY_KP_EQUAL, GLFW_KEY_EQUAL},    {GLFW_KEY_KP_ENTER, GLFW_KEY_ENTER}};
    for (const auto& [pad, beside] : kBeside)
        if (key == pad) return beside;
    return key;
}

std::string name_of_key(int key, int modifiers) {
    constexpr int kLastAscii = 127;  // GLFW's codes of letters and digits are their characters
    static const std::map<int, const char*> others = {
        {GLFW_KEY_COMMA, ","}, {GLFW_KEY_EQUAL, "+"}, {GLFW_KEY_MINUS, "−"},
        {GLFW_KEY_LEFT, "←"},  {GLFW_KEY_RIGHT, "→"}, {GLFW_KEY_UP, "↑"},
        {GLFW_KEY_DOWN, "↓"},  {GLFW_KEY_F3, "F3"},   {GLFW_KEY_F12, "F12"}};
    const int held = counted_modifiers(modifiers), code = without_keypad(key);
    const auto other = others.find(code);
    const bool plain = code >= 0 && code <= kLastAscii && std::isalnum(code) != 0;
    if (held < 0 || (!plain && other == others.end())) return "";
    std::string name;
    if ((held & GLFW_MOD_CONTROL) != 0) name += "Ctrl + ";
    if ((held & GLFW_MOD_ALT) != 0) name += "Alt + ";
    if ((held & GLFW_MOD_SHIFT) != 0) name += "Shift + ";
    return name + (plain ? std::string(1, static_cast<char>(code)) : other->second);
}

int KeysDown::follow(int key, const char* name, bool down) {
    if (down) return as_[key] = key_by_layout(key, name);
    const auto pressed = as_.find(key);
    return pressed == as_.end() ? key : pressed->second;
}

// In one frame, text fields read all characters before all keys. Keys that only type count as their characters.
std::vector<KeyEvent> KeyEvents::take() {
    std::vector<KeyEvent> taken;
    std::set<int> changed;
    bool pressed = false;
    for (; !waiting_.empty(); waiting_.pop_front()) {
        const KeyEvent& next = waiting_.front();
        const bool modifier = next.key >= GLFW_KEY_LEFT_SHIFT && next.key <= GLFW_KEY_RIGHT_SUPER;
        const bool too_fast = changed.contains(next.key) || ((modifier || next.character != 0) && pressed);
        if (too_fast) break;
        taken.push_back(next);
        if (next.character != 0) continue;
        const bool commands = (next.modifiers & (GLFW_MOD_CONTROL | GLFW_MOD_ALT)) != 0;
        if (next.down && next.key > GLFW_KEY_SPACE && next.key < GLFW_KEY_ESCAPE && !commands)
            typing_.insert(next.key);
        else if (next.down)
            typing_.erase(next.key);
        if (typing_.contains(next.key)) continue;
        changed.insert(next.key);
        pressed = pressed || (next.down && !modifier);
    }
    return taken;
}

}  // namespace emergence
