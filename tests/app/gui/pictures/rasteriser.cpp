#include "tests/app/gui/pictures/rasteriser.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "tests/app/gui/pictures/painter.h"

namespace emergence::testing {
namespace {

Texels font_texels() {
    Texels texels;
    unsigned char* alpha = nullptr;
    ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&alpha, &texels.width, &texels.height);
    texels.alpha = alpha;
    return texels;
}

// The scissor as the window's painter rounds it: GL counts rows from below.
Clip clip_of(const ImVec4& box, const ImDrawData& data, const PixelImage& image) {
    const float left = box.x - data.DisplayPos.x;
    const float top = box.y - data.DisplayPos.y;
    const float right = box.z - data.DisplayPos.x;
    const float bottom = box.w - data.DisplayPos.y;
    const int x = static_cast<int>(left);
    const int below = static_cast<int>(static_cast<float>(image.height) - bottom);
    const int y_end = image.height - below;
    Clip clip{x, y_end - static_cast<int>(bottom - top), x + static_cast<int>(right - left), y_end};
    clip.x0 = std::max(clip.x0, 0);
    clip.y0 = std::max(clip.y0, 0);
    clip.x1 = std::min(clip.x1, image.width);
    clip.y1 = std::min(clip.y1, image.height);
    return clip;
}

bool same_place(const ImVec2& a, float x, float y) { return a.x == x && a.y == y; }

// Whether two triangles (a, b, c) and (a, c, d) are an upright rectangle of one colour whose texture is not
// turned: glyphs, fills, heatmaps. They are most of a picture.
bool is_rectangle(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, const ImDrawVert& d) {
    return a.col == b.col && a.col == c.col && a.col == d.col && a.pos.x <= c.pos.x && a.pos.y <= c.pos.y &&
           same_place(b.pos, c.pos.x, a.pos.y) && same_place(d.pos, a.pos.x, c.pos.y) &&
           same_place(b.uv, c.uv.x, a.uv.y) && same_place(d.uv, a.uv.x, c.uv.y);
}

void draw_command(Painter& painter, const ImDrawList& list, const ImDrawCmd& command) {
    const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
    const ImDrawIdx* indices = list.IdxBuffer.Data + command.IdxOffset;
    for (unsigned i = 0; i + 2 < command.ElemCount; i += 3) {
        const ImDrawVert& a = vertices[indices[i]];
        const ImDrawVert& b = vertices[indices[i + 1]];
        const ImDrawVert& c = vertices[indices[i + 2]];
        if (i + 5 < command.ElemCount && indices[i + 3] == indices[i] && indices[i + 4] == indices[i + 2]) {
            const ImDrawVert& d = vertices[indices[i + 5]];
            if (is_rectangle(a, b, c, d)) {
                painter.rectangle(a, c);
                i += 3;
                continue;
            }
        }
        painter.triangle(a, b, c);
    }
}

}  // namespace

ImTextureID PixelTextureStore::upload(ImTextureID existing, int width, int height, const std::vector<ImU32>& pixels) {
    check(pixels.size() == static_cast<size_t>(width) * static_cast<size_t>(height), "one pixel per cell");
    if (existing == nullptr) existing = &textures_.emplace_back();
    *static_cast<Texels*>(existing) = {width, height, pixels, nullptr};
    return existing;
}

PixelImage rasterise(const ImDrawData& data, ImU32 ground) {
    const Texels font = font_texels();
    const ImTextureID font_name = ImGui::GetIO().Fonts->TexID;
    PixelImage image{static_cast<int>(data.DisplaySize.x), static_cast<int>(data.DisplaySize.y), {}};
    image.pixels.assign(static_cast<size_t>(image.width) * static_cast<size_t>(image.height), ground);
    for (int i = 0; i < data.CmdListsCount; ++i) {
        const ImDrawList& list = *data.CmdLists[i];
        for (const ImDrawCmd& command : list.CmdBuffer) {
            check(command.UserCallback == nullptr, "the window uses no draw callbacks");
            const ImTextureID name = command.GetTexID();
            const Clip clip = clip_of(command.ClipRect, data, image);
            if (clip.x0 >= clip.x1 || clip.y0 >= clip.y1) continue;
            check(name != nullptr, "every draw command has a texture");
            Painter painter(image, clip, name == font_name ? font : *static_cast<const Texels*>(name));
            draw_command(painter, list, command);
        }
    }
    return image;
}

}  // namespace emergence::testing
