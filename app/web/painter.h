#pragma once
// Draws what ImGui has laid out, with WebGL 2. Software rendering pays for every texture it samples, every pixel it
// blends and every call: triangles without a texture have a shader without one, large opaque ones are not blended, text
// samples one byte per pixel, and what does not overlap is drawn by one call.

#include <imgui.h>

#include <array>
#include <vector>

namespace emergence {

/// Needs a current context of WebGL 2 for as long as it lives, and is the only one that sets its state.
class Painter {
  public:
    Painter();
    ~Painter();
    Painter(const Painter&) = delete;
    Painter& operator=(const Painter&) = delete;

    /// Uploads ImGui's atlas of glyphs: before the first frame, and after each change of fonts.
    void take_glyphs();
    /// Fills the canvas with `ground` and draws `data` upon it.
    void paint(const ImDrawData& data, int width, int height, const ImVec4& ground);

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
        ImVec4 clip;
        size_t first = 0;
        size_t count = 0;
    };
    // A square of the canvas: the layer that has drawn there last, and its last kind.
    struct Tile {
        unsigned layer = 0;
        Kind kind = opaque;
    };

    void collect(const ImDrawData& data, int width, int height);
    void collect(const ImDrawList& list, const ImDrawCmd& command, unsigned base);
    Kind kind_of(const Corners& corners, bool of_atlas) const;
    bool take_tiles(const Corners& corners, Kind kind, const ImVec4& clip);
    void end_layer();

    std::array<Shader, kKinds> shaders_;
    unsigned layout_ = 0;
    unsigned vertex_buffer_ = 0;
    unsigned index_buffer_ = 0;
    unsigned atlas_ = 0;
    std::vector<ImDrawVert> vertices_;
    std::vector<unsigned> indices_;
    std::vector<Batch> batches_;

    // The layer that is being collected: triangles of one clip rectangle, and no triangle lies under one of an earlier
    // kind that comes later.
    std::array<std::vector<unsigned>, kKinds> layer_;
    ImVec4 layer_clip_;
    ImTextureID layer_picture_ = nullptr;
    unsigned layer_number_ = 0;
    std::vector<Tile> tiles_;
    int tiles_wide_ = 0;
    int tiles_high_ = 0;
};

}  // namespace emergence
