#pragma once
// Draws what ImGui has laid out, with OpenGL 3.3 or WebGL 2. Software rendering pays for every texture it samples, every pixel it
// blends and every call: only what differs from the frame before is drawn, triangles without a texture have a shader
// without one, large opaque ones are not blended, text samples one byte per pixel, and what does not overlap is drawn by
// one call.

#include <imgui.h>

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "app/export/export.h"
#include "app/gui/shell/theme.h"

namespace emergence {

// Finds what differs between two frames, so that only this is drawn again.

/// Pixels of the canvas, from the left and the top; high ends are not included.
struct PixelBox {
    int left = 0;
    int top = 0;
    int right = 0;
    int bottom = 0;

    bool empty() const { return right <= left || bottom <= top; }
    PixelBox cut_to(const PixelBox& other) const;
    bool operator==(const PixelBox&) const = default;
};

/// What an ImGui clip rectangle shows.
PixelBox pixels_of(const ImVec4& clip);

/// Divides the canvas into tiles and sums up, for each, all triangles that touch it, in their order: 64 bits that change
/// with any of them.
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

// Textures in OpenGL.

class Painter;

/// Needs a current GL context for as long as it lives.
class GlTextureStore : public TextureStore {
  public:
    /// The painter draws what is new: it is told what has been uploaded.
    explicit GlTextureStore(Painter& painter) : painter_(&painter) {}
    ~GlTextureStore() override;
    GlTextureStore(const GlTextureStore&) = delete;
    GlTextureStore& operator=(const GlTextureStore&) = delete;

    ImTextureID upload(ImTextureID existing, int width, int height, const std::vector<ImU32>& pixels) override;

  private:
    Painter* painter_;
    std::vector<unsigned> names_;
};

/// Needs a current context for as long as it lives, and is the only one that sets its state and draws.
class Painter {
  public:
    Painter();
    ~Painter();
    Painter(const Painter&) = delete;
    Painter& operator=(const Painter&) = delete;

    /// Uploads ImGui's atlas of glyphs: before the first frame, and after each change of fonts.
    void take_glyphs();
    /// The pixels of this texture are new.
    void note_upload(ImTextureID texture) { damage_.note_upload(texture); }
    /// What was drawn is lost: the next frame is drawn whole.
    void forget() { damage_.forget(); }
    /// The canvas shows `ground` with `data` upon it. Returns the boxes in which it has been drawn; elsewhere the pixels of
    /// the frame before must still be there.
    const std::vector<PixelBox>& paint(const ImDrawData& data, int width, int height, const ImVec4& ground);
    /// What has been drawn.
    static PixelImage read(int width, int height);

  private:
    // Of a layer, in the order of drawing.
    enum Kind { opaque, plain, glyphs, picture };
    static constexpr size_t kKinds = 4;

    struct Shader {
        unsigned program = 0;
        int scale = -1;
    };
    using Corners = std::array<unsigned, 3>;
    // Triangles that one call draws.
    struct Batch {
        Kind kind = plain;
        ImTextureID texture = nullptr;
        PixelBox clip;
        size_t first = 0;
        size_t count = 0;
    };
    // A square of the canvas: the layer that has drawn there last, and its last kind.
    struct Tile {
        unsigned layer = 0;
        Kind kind = opaque;
    };

    void start_tiles(int width, int height);
    void collect(const ImDrawData& data, const PixelBox& box);
    void collect(const ImDrawList& list, const ImDrawCmd& command, unsigned base, const PixelBox& clip);
    PixelBox box_of(const Corners& corners) const;
    Kind kind_of(const Corners& corners, bool of_atlas) const;
    bool take_tiles(const PixelBox& box, Kind kind);
    void end_layer();
    void upload(const ImDrawData& data);
    void draw(int width, int height);

    std::array<Shader, kKinds> shaders_;
    unsigned layout_ = 0;
    unsigned vertex_buffer_ = 0;
    unsigned index_buffer_ = 0;
    unsigned atlas_ = 0;
    Damage damage_;
    ImVec4 ground_;
    std::vector<ImDrawVert> vertices_;
    std::vector<unsigned> indices_;
    std::vector<Batch> batches_;

    // The layer that is being collected: triangles of one clip rectangle, and no triangle lies under one of an earlier
    // kind that comes later.
    std::array<std::vector<unsigned>, kKinds> layer_;
    PixelBox layer_clip_;
    ImTextureID layer_picture_ = nullptr;
    unsigned layer_number_ = 0;
    std::vector<Tile> tiles_;
    int tiles_wide_ = 0;
    int tiles_high_ = 0;
};

}  // namespace emergence
