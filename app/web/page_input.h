#pragma once
// Collects the page's events since the last frame.

#include <imgui.h>

#include <array>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/shell/key_press.h"

namespace emergence {

/// GLFW's code of the key that a KeyboardEvent's `code` names ("KeyA", "ArrowLeft"); -1 if unknown.
int key_of_code(std::string_view code);

/// The page fills it through functions that page_input.cpp exports, on the window's thread and between frames. Only the
/// window's object exists.
class PageInput {
  public:
    PageInput();
    ~PageInput();
    PageInput(const PageInput&) = delete;
    PageInput& operator=(const PageInput&) = delete;

    /// Copies this state to ImGui before a frame.
    void apply(ImGuiIO& io);
    /// After the frame has begun, releases buttons that went down and up before it.
    void release_taps();
    /// True if something has arrived since the last call.
    bool take_news();

    int width = 0;  // of the canvas, in pixels
    int height = 0;
    float content_scale = 1.0F;
    std::vector<KeyPress> keys;
    std::vector<std::filesystem::path> dropped;
    std::string clipboard;  // the text that was copied here or pasted last

    void point(float x, float y);
    void leave();
    void button(int which, bool down);
    void wheel(float right, float down, int modifiers);
    void key(std::string_view code, std::string_view name, bool down, bool repeated, int modifiers);
    void type(const char* text);
    void paste(const char* text);
    void lose_focus();
    void resize(int pixels_wide, int pixels_high, float scale);
    void drop(const char* path);

  private:
    static constexpr size_t kButtons = 3;

    std::array<bool, kButtons> down_{}, tapped_{};
    std::set<int> held_;
    KeyEvents events_;
    KeysDown as_;
    ImVec2 pointer_;
    ImVec2 wheel_{0.0F, 0.0F};
    int modifiers_ = 0;    // as of the last key or turn of the wheel
    bool leaves_ = false;  // the pointer leaves once its last touch has been seen
    bool news_ = true;
};

}  // namespace emergence
