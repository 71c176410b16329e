#pragma once
// Draws ImGui's frame with OpenGL 3.3 or WebGL 2. Only pixels that differ from the previous frame are drawn, because
// software rendering pays for every pixel.

#include <imgui.h>

#include <cstdint>
#include <map>
#include <vector>

#include "app/export/export.h"
#include "app/gui/shell/theme.h"

namespace emergence {

/// A box of pixels from the upper left corner. Right and bottom are not included.
struct PixelBox {
    int left = 0, top = 0;
    int right = 0;
    int bottom = 0;

    bool empty() const { return right <= left || bottom <= top; }
    PixelBox cut_to(const PixelBox& other) const;
    bool operator==(const PixelBox&) const = default;
};

/// The pixels that an ImGui clip rectangle shows.
PixelBox pixels_of(const ImVec4& clip);

/// Finds the difference between two frames. Each tile of the canvas has a 64-bit sum over the triangles that touch it,
/// in order, which changes with any of them.
class Damage {
  public:
    /// Disjoint boxes with all pixels in which `data` differs from the previous frame; the whole canvas if its size has
    /// changed.
    const std::vector<PixelBox>& find(const ImDrawData& data, int width, int height);
    /// Notes that a texture has new pixels.
    void note_upload(ImTextureID texture) { ++uploads_[texture]; }
    /// Forgets the previous frame, because it is lost.
    void forget() { wide_ = 0; }

  private:
    void sum_up(const ImDrawList& list, const ImDrawCmd& command);
    void gather_boxes();
    PixelBox island_of(int tile);
    void join_overlapping();

    int wide_ = 0;  // number of tiles across
    int high_ = 0;
    PixelBox canvas_;
    std::vector<uint64_t> sums_;
    std::vector<uint64_t> before_;
    std::vector<uint64_t> vertex_sums_;  // for the list that is being summed
    std::vector<char> differs_;
    std::vector<int> reached_;
    std::vector<PixelBox> boxes_;
    std::map<ImTextureID, uint64_t> uploads_;
};

/// Draws with Dear ImGui's OpenGL3 backend and stores textures in OpenGL. A context must be current during its life,
/// and nothing else may draw in it.
class Painter : public TextureStore {
  public:
    Painter();
    ~Painter() override;
    Painter(const Painter&) = delete;
    Painter& operator=(const Painter&) = delete;

    /// Uploads ImGui's atlas of glyphs. Call it before the first frame and after each change of fonts.
    void take_glyphs();
    ImTextureID upload(ImTextureID existing, int width, int height, const std::vector<ImU32>& pixels) override;
    /// Makes the next frame be drawn whole, because the previous pixels are lost.
    void forget() { damage_.forget(); }
    /// Draws `data` on the ground `ground`. It cuts the clip rectangles of `data`. Returns the boxes that were drawn;
    /// elsewhere the previous frame's pixels must still be there.
    const std::vector<PixelBox>& paint(ImDrawData& data, int width, int height, const ImVec4& ground);
    /// Returns the drawn pixels.
    static PixelImage read(int width, int height);

  private:
    Damage damage_;
    ImVec4 ground_;
    std::vector<unsigned> textures_;
};

}  // namespace emergence
