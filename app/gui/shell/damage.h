#pragma once
// Finds what differs between two frames, so that only this is drawn again.

#include <imgui.h>

#include <cstdint>
#include <map>
#include <vector>

namespace emergence {

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

}  // namespace emergence
