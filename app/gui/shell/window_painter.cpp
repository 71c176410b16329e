#include "app/gui/shell/window_painter.h"

#include <backends/imgui_impl_opengl3.h>

#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h>
#else
#include <GL/gl.h>
#endif

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/base/error.h"

namespace emergence {
namespace {

ImTextureID texture_of(unsigned name) { return reinterpret_cast<ImTextureID>(static_cast<intptr_t>(name)); }

// Sets the bound texture to nearest-neighbour filtering, because cells have edges and text stands on whole pixels.
void filter_nearest() {
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

bool same_color(const ImVec4& a, const ImVec4& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

ImVec4 clip_of(const PixelBox& box) {
    if (box.empty()) return {};
    return {static_cast<float>(box.left), static_cast<float>(box.top), static_cast<float>(box.right),
            static_cast<float>(box.bottom)};
}

// Draws the part of the frame inside one box. `clips` holds the clip boxes of all commands in order.
void draw_in(const PixelBox& box, ImDrawData part, const std::vector<PixelBox>& clips) {
    std::vector<ImDrawList*> lists;
    auto clip = clips.begin();
    for (int n = 0; n < part.CmdListsCount; ++n) {
        bool shows = false;
        for (ImDrawCmd& command : part.CmdLists[n]->CmdBuffer) {
            command.ClipRect = clip_of(clip++->cut_to(box));
            shows = shows || command.ClipRect.z > 0.0F;
        }
        if (shows) lists.push_back(part.CmdLists[n]);
    }
    part.CmdLists = lists.data();
    part.CmdListsCount = static_cast<int>(lists.size());
    ImGui_ImplOpenGL3_RenderDrawData(&part);
}

}  // namespace

Painter::Painter() {
#ifdef __EMSCRIPTEN__
    ImGui_ImplOpenGL3_Init("#version 300 es");
#else
    ImGui_ImplOpenGL3_Init("#version 330 core");
#endif
}

Painter::~Painter() {
    if (!textures_.empty()) glDeleteTextures(static_cast<GLsizei>(textures_.size()), textures_.data());
    ImGui_ImplOpenGL3_Shutdown();
}

void Painter::take_glyphs() {
    ImGui_ImplOpenGL3_NewFrame();  // makes its shaders at the first call
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
    glBindTexture(GL_TEXTURE_2D, static_cast<unsigned>(reinterpret_cast<intptr_t>(ImGui::GetIO().Fonts->TexID)));
    filter_nearest();
    damage_.forget();
}

ImTextureID Painter::upload(ImTextureID existing, int width, int height, const std::vector<ImU32>& pixels) {
    check(pixels.size() == static_cast<size_t>(width) * static_cast<size_t>(height), "one pixel a cell");
    auto name = static_cast<unsigned>(reinterpret_cast<intptr_t>(existing));
    if (name == 0) {
        glGenTextures(1, &name);
        textures_.push_back(name);
    }
    glBindTexture(GL_TEXTURE_2D, name);
    filter_nearest();
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    damage_.note_upload(texture_of(name));
    return texture_of(name);
}

const std::vector<PixelBox>& Painter::paint(ImDrawData& data, int width, int height, const ImVec4& ground) {
    if (!same_color(std::exchange(ground_, ground), ground)) damage_.forget();
    const std::vector<PixelBox>& boxes = damage_.find(data, width, height);
    std::vector<PixelBox> clips;
    for (int n = 0; n < data.CmdListsCount; ++n)
        for (const ImDrawCmd& command : data.CmdLists[n]->CmdBuffer) clips.push_back(pixels_of(command.ClipRect));
    glEnable(GL_SCISSOR_TEST);
    glClearColor(ground.x, ground.y, ground.z, 1.0F);
    for (const PixelBox& box : boxes) {
        glScissor(box.left, height - box.bottom, box.right - box.left, box.bottom - box.top);  // GL counts from below
        glClear(GL_COLOR_BUFFER_BIT);
        draw_in(box, data, clips);
    }
    return boxes;
}

PixelImage Painter::read(int width, int height) {
    PixelImage image{width, height, {}};
    const auto row = static_cast<size_t>(width);
    image.pixels.resize(row * static_cast<size_t>(height));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, image.pixels.data());
    const auto at = [&](size_t y) { return image.pixels.begin() + static_cast<std::ptrdiff_t>(y * row); };
    for (size_t top = 0, bottom = static_cast<size_t>(height); top + 1 < bottom; ++top) {  // GL counts from below
        --bottom;
        std::swap_ranges(at(top), at(top + 1), at(bottom));
    }
    return image;
}

}  // namespace emergence
