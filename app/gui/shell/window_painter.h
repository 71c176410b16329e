#pragma once
// Draws what ImGui has laid out, with OpenGL 3.3 or WebGL 2. Software rendering pays for every pixel: only what differs
// from the frame before is drawn.

#include <imgui.h>

#include <cstdint>
#include <map>
#include <vector>

#include "app/export/export.h"
#include "app/gui/shell/theme.h"

namespace emergence {

/// Pixels of the canvas, from the left and the top; high ends are not included.
struct PixelBox {
    int left = 0, top = 0;
    int right = 0;
    int bottom = 0;

    bool empty() const { return right <= left || bottom <= top; }
    PixelBox cut_to(const PixelBox& other) const;
    bool operator==(const PixelBox&) const = default;
};

/// What an ImGui clip rectangle shows.
PixelBox pixels_of(const ImVec4& clip);

/// Finds what differs between two frames. Divides the canvas into tiles and sums up, for each, all triangles that touch
/// it, in their order: 64 bits that change with any of them.
class Damage {
  public:
    /// Disjoint boxes that hold all pixels in which `data` differs from the frame before. All of the canvas if its size
    /// is new.
    const std::vector<PixelBox>& find(const ImDrawData& data, int width, int height);
    /// The pixels of this texture are new.
    void note_upload(ImTextureID texture) { ++uploads_[texture]; }
    /// Nothing of the frame before is there any more.
    void forget() { wide_ = 0; }

  private:
    void sum_up(const ImDrawList& list, const ImDrawCmd& command);
    void gather_boxes();
    PixelBox island_of(int tile);
    void join_overlapping();

    int wide_ = 0;  // in tiles
    int high_ = 0;
    PixelBox canvas_;
    std::vector<uint64_t> sums_;
    std::vector<uint64_t> before_;
    std::vector<uint64_t> vertex_sums_;  // of the list that is summed up
    std::vector<char> differs_;
    std::vector<int> reached_;
    std::vector<PixelBox> boxes_;
    std::map<ImTextureID, uint64_t> uploads_;
};

/// Draws with Dear ImGui's own OpenGL3 backend, and keeps textures in OpenGL. Needs a current context for as long as it
/// lives, and is the only one that draws in it.
class Painter : public TextureStore {
  public:
    Painter();
    ~Painter() override;
    Painter(const Painter&) = delete;
    Painter& operator=(const Painter&) = delete;

    /// Uploads ImGui's atlas of glyphs: before the first frame, and after each change of fonts.
    void take_glyphs();
    ImTextureID upload(ImTextureID existing, int width, int height, const std::vector<ImU32>& pixels) override;
    /// What was drawn is lost: the next frame is drawn whole.
    void forget() { damage_.forget(); }
    /// The canvas shows `ground` with `data` upon it, whose clip rectangles are cut to what is drawn. Returns the boxes
    /// in which it has been drawn; elsewhere the pixels of the frame before must still be there.
    const std::vector<PixelBox>& paint(ImDrawData& data, int width, int height, const ImVec4& ground);
    /// What has been drawn.
    static PixelImage read(int width, int height);

  private:
    Damage damage_;
    ImVec4 ground_;
    std::vector<unsigned> textures_;
};

}  // namespace emergence
