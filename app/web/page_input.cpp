#include "app/web/page_input.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <emscripten.h>

#include <cfloat>
#include <iterator>
#include <type_traits>
#include <utility>

#include "core/base/text.h"

namespace emergence {
namespace {

PageInput* receiver = nullptr;

struct KnownKey {
    std::string_view code;
    int key;                     // GLFW's
    int imgui = ImGuiKey_COUNT;  // none
};

// All keys except letters, digits and function keys.
constexpr KnownKey kKnownKeys[] = {{"Space", GLFW_KEY_SPACE, ImGuiKey_Space},
                                   {"Enter", GLFW_KEY_ENTER, ImGuiKey_Enter},
                                   {"Tab", GLFW_KEY_TAB, ImGuiKey_Tab},
                                   {"Escape", GLFW_KEY_ESCAPE, ImGuiKey_Escape},
                                   {"Backspace", GLFW_KEY_BACKSPACE, ImGuiKey_Backspace},
                                   {"Delete", GLFW_KEY_DELETE, ImGuiKey_Delete},
                                   {"Insert", GLFW_KEY_INSERT, ImGuiKey_Insert},
                                   {"ArrowLeft", GLFW_KEY_LEFT, ImGuiKey_LeftArrow},
                                   {"ArrowRight", GLFW_KEY_RIGHT, ImGuiKey_RightArrow},
                                   {"ArrowUp", GLFW_KEY_UP, ImGuiKey_UpArrow},
                                   {"ArrowDown", GLFW_KEY_DOWN, ImGuiKey_DownArrow},
                                   {"Home", GLFW_KEY_HOME, ImGuiKey_Home},
                                   {"End", GLFW_KEY_END, ImGuiKey_End},
                                   {"PageUp", GLFW_KEY_PAGE_UP, ImGuiKey_PageUp},
                                   {"PageDown", GLFW_KEY_PAGE_DOWN, ImGuiKey_PageDown},
                                   {"Minus", GLFW_KEY_MINUS},
                                   {"Equal", GLFW_KEY_EQUAL},
                                   {"Comma", GLFW_KEY_COMMA},
                                   {"Period", GLFW_KEY_PERIOD},
                                   {"Slash", GLFW_KEY_SLASH},
                                   {"Semicolon", GLFW_KEY_SEMICOLON},
                                   {"Quote", GLFW_KEY_APOSTROPHE},
                                   {"BracketLeft", GLFW_KEY_LEFT_BRACKET},
                                   {"BracketRight", GLFW_KEY_RIGHT_BRACKET},
                                   {"Backslash", GLFW_KEY_BACKSLASH},
                                   {"Backquote", GLFW_KEY_GRAVE_ACCENT},
                                   {"NumpadAdd", GLFW_KEY_KP_ADD},
                                   {"NumpadSubtract", GLFW_KEY_KP_SUBTRACT},
                                   {"NumpadEnter", GLFW_KEY_KP_ENTER, ImGuiKey_KeyPadEnter},
                                   {"NumpadDecimal", GLFW_KEY_KP_DECIMAL},
                                   {"ShiftLeft", GLFW_KEY_LEFT_SHIFT},
                                   {"ShiftRight", GLFW_KEY_RIGHT_SHIFT},
                                   {"ControlLeft", GLFW_KEY_LEFT_CONTROL},
                                   {"ControlRight", GLFW_KEY_RIGHT_CONTROL},
                                   {"AltLeft", GLFW_KEY_LEFT_ALT},
                                   {"AltRight", GLFW_KEY_RIGHT_ALT}};

const ImVec2 kNowhere(-FLT_MAX, -FLT_MAX);

const char* copied_text(void* input) { return static_cast<PageInput*>(input)->clipboard.c_str(); }

void copy_text(void* input, const char* text) {
    static_cast<PageInput*>(input)->clipboard = text;
    // Without the user's permission the browser keeps the text inside the page, and the page does not learn it.
    EM_ASM({ Module.copyText(UTF8ToString($0)); }, text);
}

}  // namespace

int key_of_code(std::string_view code) {
    if (code.size() == 4 && code.starts_with("Key")) return code[3];
    if (code.size() == 6 && code.starts_with("Digit")) return code[5];
    if (code.size() == 7 && code.starts_with("Numpad") && code[6] >= '0' && code[6] <= '9')
        return GLFW_KEY_KP_0 + (code[6] - '0');
    if (code.size() == 2 && code[0] == 'F' && code[1] >= '1' && code[1] <= '9') return GLFW_KEY_F1 + (code[1] - '1');
    if (code.size() == 3 && code.starts_with("F1") && code[2] >= '0' && code[2] <= '2')
        return GLFW_KEY_F10 + (code[2] - '0');
    for (const KnownKey& known : kKnownKeys)
        if (known.code == code) return known.key;
    return -1;
}

PageInput::PageInput() : pointer_(kNowhere) {
    receiver = this;
    ImGuiIO& io = ImGui::GetIO();
    io.BackendPlatformName = "browser";
    io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
    for (const KnownKey& known : kKnownKeys)
        if (known.imgui != ImGuiKey_COUNT) io.KeyMap[known.imgui] = known.key;
    constexpr int kLetters[] = {ImGuiKey_A, ImGuiKey_C, ImGuiKey_V, ImGuiKey_X, ImGuiKey_Y, ImGuiKey_Z};
    for (size_t i = 0; i < std::size(kLetters); ++i) io.KeyMap[kLetters[i]] = "ACVXYZ"[i];
    io.ClipboardUserData = this;
    io.GetClipboardTextFn = copied_text;
    io.SetClipboardTextFn = copy_text;
}

PageInput::~PageInput() { receiver = nullptr; }

void PageInput::apply(ImGuiIO& io) {
    io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
    io.DisplayFramebufferScale = {1.0F, 1.0F};
    io.MousePos = pointer_;
    io.MouseWheel += wheel_.y;
    io.MouseWheelH += wheel_.x;
    wheel_ = {0.0F, 0.0F};
    for (size_t i = 0; i < kButtons; ++i) io.MouseDown[i] = down_[i] || tapped_[i];
    for (const KeyEvent& event : events_.take()) {
        if (event.character != 0) {
            io.AddInputCharacter(event.character);
            continue;
        }
        io.KeysDown[event.key] = event.down;
        modifiers_ = event.modifiers;
    }
    news_ = news_ || !events_.empty();
    io.KeyShift = (modifiers_ & GLFW_MOD_SHIFT) != 0;
    io.KeyCtrl = (modifiers_ & GLFW_MOD_CONTROL) != 0;
    io.KeyAlt = (modifiers_ & GLFW_MOD_ALT) != 0;
    io.KeySuper = (modifiers_ & GLFW_MOD_SUPER) != 0;
}

void PageInput::release_taps() {
    tapped_.fill(false);
    if (std::exchange(leaves_, false)) {
        pointer_ = kNowhere;
        news_ = true;
    }
}

bool PageInput::take_news() { return std::exchange(news_, false); }

void PageInput::point(float x, float y) {
    pointer_ = {x, y};
    leaves_ = false;
    news_ = true;
}

void PageInput::leave() { leaves_ = news_ = true; }

void PageInput::button(int which, bool down) {
    if (which < 0 || which >= static_cast<int>(kButtons)) return;
    down_[which] = down;
    if (down) tapped_[which] = true;
    news_ = true;
}

void PageInput::wheel(float right, float down, int modifiers) {
    wheel_.x -= right;
    wheel_.y -= down;
    modifiers_ = modifiers;
    news_ = true;
}

void PageInput::key(std::string_view code, std::string_view name, bool down, bool repeated, int modifiers) {
    news_ = true;
    const std::string typed(name);
    const int key = as_.follow(key_of_code(code), typed.c_str(), down);
    if (key < 0) return;
    if (!repeated) events_.add({key, down, modifiers});
    if (down)
        held_.insert(key);
    else
        held_.erase(key);
    if (!down) return;
    // If the layout needs Shift for a digit, the key counts as the digit without Shift.
    const bool digit = !typed.empty() && typed[0] >= '0' && typed[0] <= '9';
    keys.push_back({key, digit ? modifiers & ~GLFW_MOD_SHIFT : modifiers, repeated, ImGui::GetIO().WantTextInput});
}

void PageInput::type(const char* text) {
    const std::string_view signs(text);
    for (size_t at = 0; at < signs.size();)
        if (const auto sign = next_character(signs, at)) events_.add({0, false, 0, static_cast<unsigned>(*sign)});
    news_ = true;
}

// The browser passes the pasted text instead of the key.
void PageInput::paste(const char* text) {
    clipboard = text;
    key("KeyV", "v", true, false, GLFW_MOD_CONTROL);
    key("KeyV", "v", false, false, GLFW_MOD_CONTROL);
}

void PageInput::lose_focus() {
    for (const int key : std::exchange(held_, {})) events_.add({key, false, 0});
    down_.fill(false);
    modifiers_ = 0;
    news_ = true;
}

void PageInput::resize(int pixels_wide, int pixels_high, float scale) {
    width = pixels_wide;
    height = pixels_high;
    content_scale = scale;
    news_ = true;
}

void PageInput::drop(const char* path) {
    dropped.emplace_back(path);
    news_ = true;
}

namespace {

template <class... Values>
void tell(void (PageInput::*what)(Values...), std::type_identity_t<Values>... values) {
    if (receiver != nullptr) (receiver->*what)(values...);
}

}  // namespace

// Functions that the page calls. Coordinates are pixels of the canvas; modifiers are GLFW's.
extern "C" {

EMSCRIPTEN_KEEPALIVE void page_point(float x, float y) { tell(&PageInput::point, x, y); }
EMSCRIPTEN_KEEPALIVE void page_leave() { tell(&PageInput::leave); }
EMSCRIPTEN_KEEPALIVE void page_button(int which, int down) { tell(&PageInput::button, which, down != 0); }
EMSCRIPTEN_KEEPALIVE void page_wheel(float right, float down, int held) { tell(&PageInput::wheel, right, down, held); }
EMSCRIPTEN_KEEPALIVE void page_key(const char* code, const char* name, int down, int repeated, int modifiers) {
    tell(&PageInput::key, code, name, down != 0, repeated != 0, modifiers);
}
EMSCRIPTEN_KEEPALIVE void page_type(const char* text) { tell(&PageInput::type, text); }
EMSCRIPTEN_KEEPALIVE void page_paste(const char* text) { tell(&PageInput::paste, text); }
EMSCRIPTEN_KEEPALIVE void page_blur() { tell(&PageInput::lose_focus); }
EMSCRIPTEN_KEEPALIVE void page_resize(int width, int height, float scale) {
    tell(&PageInput::resize, width, height, scale);
}
EMSCRIPTEN_KEEPALIVE void page_drop(const char* path) { tell(&PageInput::drop, path); }
}

}  // namespace emergence
