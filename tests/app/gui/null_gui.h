#pragma once
// ImGui without a window: frames are laid out and thrown away; mouse and keys are injected.

#include <imgui.h>
#include <imgui_internal.h>

#include <functional>
#include <string>

#include "app/gui/shell/theme.h"
#include "app/gui/widgets/setting_control.h"
#include "core/base/error.h"

namespace emergence::testing {

/// Hands out names and draws nothing.
class NullTextureStore : public TextureStore {
  public:
    ImTextureID upload(ImTextureID existing, int width, int height, const std::vector<ImU32>& pixels) override {
        check(pixels.size() == static_cast<size_t>(width) * static_cast<size_t>(height), "one pixel a cell");
        ++uploads_;
        return existing != nullptr ? existing : reinterpret_cast<ImTextureID>(++last_name_);
    }
    int uploads() const { return uploads_; }

  private:
    intptr_t last_name_ = 0;
    int uploads_ = 0;
};

class NullGui {
  public:
    /// `textures`: keeps what is uploaded, if somebody reads it; must outlive the gui.
    explicit NullGui(ImVec2 size = {1600, 1000}, Theme theme = Theme::dark, TextureStore* textures = nullptr) {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.LogFilename = nullptr;
        io.DisplaySize = size;
        io.DeltaTime = 1.0F / 60.0F;
        io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
        for (int key = 0; key < ImGuiKey_COUNT; ++key) io.KeyMap[key] = kFirstKey + key;
        ui_.textures = textures != nullptr ? textures : &textures_;
        ui_.log = &log_;
        ui_.editing = &editing_;
        adopt({.theme = theme});
    }
    ~NullGui() { ImGui::DestroyContext(); }
    NullGui(const NullGui&) = delete;
    NullGui& operator=(const NullGui&) = delete;

    /// What the window does before each frame.
    void adopt(const Look& look) {
        if (!apply_look(ui_, look, ImGui::GetIO().DisplaySize, 1.0F)) return;
        // Any texture but none, so that ImGui notices where another one is current.
        ImGui::GetIO().Fonts->SetTexID(reinterpret_cast<ImTextureID>(this));
    }

    /// One frame. Returns how many vertices it has drawn.
    int frame(const std::function<void()>& draw) {
        ImGui::NewFrame();
        draw();
        ImGui::Render();
        return ImGui::GetDrawData()->TotalVtxCount;
    }
    /// One frame of widgets inside a window that fills the display.
    int frame_in_window(const std::function<void()>& draw) {
        return frame([&] {
            ImGui::SetNextWindowPos({0, 0});
            ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
            ImGui::Begin("whole", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings);
            draw();
            ImGui::End();
        });
    }

    void move(ImVec2 to) { ImGui::GetIO().MousePos = to; }
    void button(bool down) { ImGui::GetIO().MouseDown[0] = down; }
    /// A press and a release with the frames between that ImGui needs.
    void click(ImVec2 at, const std::function<void()>& one_frame) {
        move(at);
        one_frame();
        button(true);
        one_frame();
        button(false);
        one_frame();
        one_frame();
    }
    /// The wheel with Ctrl, as it zooms.
    void zoom(float notches, const std::function<void()>& one_frame) {
        ImGui::GetIO().KeyCtrl = true;
        ImGui::GetIO().MouseWheel = notches;
        one_frame();
        ImGui::GetIO().MouseWheel = 0.0F;
        ImGui::GetIO().KeyCtrl = false;
    }
    void type(const std::string& text, const std::function<void()>& one_frame) {
        for (const char letter : text) {
            ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(letter));
            one_frame();
        }
    }
    /// A key as ImGui sees it.
    void hit(ImGuiKey key, const std::function<void()>& one_frame) {
        press_key(key, true);
        one_frame();
        press_key(key, false);
        one_frame();
    }
    /// The tooltip that is shown, if any.
    static const ImGuiWindow* tooltip() {
        const ImGuiWindow* window = ImGui::FindWindowByName("##Tooltip_00");
        return window != nullptr && window->WasActive ? window : nullptr;
    }
    void press_key(ImGuiKey key, bool down) { ImGui::GetIO().KeysDown[kFirstKey + key] = down; }

    const Ui& ui() const { return ui_; }
    FieldEditing& editing() { return editing_; }
    const WidgetLog& log() const { return log_; }
    const NullTextureStore& textures() const { return textures_; }

  private:
    static constexpr int kFirstKey = 300;

    Ui ui_;
    NullTextureStore textures_;
    WidgetLog log_;
    FieldEditing editing_;
};

}  // namespace emergence::testing
