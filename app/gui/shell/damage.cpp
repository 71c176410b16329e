#include "app/gui/shell/window_painter.h"

#include <algorithm>
#include <cstring>

namespace emergence {
namespace {

constexpr int kTile = 16;  // pixels

// Each step is a bijection of `sum` and of `more`, so a changed vertex always changes the sum.
uint64_t mixed(uint64_t sum, uint64_t more) {
    sum = (sum ^ more) * 0x9E3779B97F4A7C15ULL;
    return sum ^ (sum >> 29);
}

uint64_t sum_of(const void* data, size_t bytes) {
    uint64_t sum = 0;
    for (size_t at = 0; at < bytes; at += sizeof(uint64_t)) {
        uint64_t part = 0;
        std::memcpy(&part, static_cast<const char*>(data) + at, std::min(sizeof(uint64_t), bytes - at));
        sum = mixed(sum, part);
    }
    return sum;
}

PixelBox union_of(const PixelBox& a, const PixelBox& b) {
    return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right), std::max(a.bottom, b.bottom)};
}

}  // namespace

PixelBox PixelBox::cut_to(const PixelBox& other) const {
    return {std::max(left, other.left), std::max(top, other.top), std::min(right, other.right),
            std::min(bottom, other.bottom)};
}

PixelBox pixels_of(const ImVec4& clip) {
    return {static_cast<int>(clip.x), static_cast<int>(clip.y), static_cast<int>(clip.z), static_cast<int>(clip.w)};
}

const std::vector<PixelBox>& Damage::find(const ImDrawData& data, int width, int height) {
    const PixelBox canvas{0, 0, width, height};
    const bool all = wide_ == 0 || canvas != canvas_;
    if (all) {
        canvas_ = canvas;
        wide_ = (width + kTile - 1) / kTile;
        high_ = (height + kTile - 1) / kTile;
    }
    std::swap(sums_, before_);
    sums_.assign(wide_ * high_, 0);
    for (int n = 0; n < data.CmdListsCount; ++n) {
        const ImDrawList& list = *data.CmdLists[n];
        vertex_sums_.clear();
        for (const ImDrawVert& vertex : list.VtxBuffer) vertex_sums_.push_back(sum_of(&vertex, sizeof vertex));
        for (const ImDrawCmd& command : list.CmdBuffer) sum_up(list, command);
    }
    if (all)
        boxes_ = {canvas_};
    else
        gather_boxes();
    return boxes_;
}

void Damage::sum_up(const ImDrawList& list, const ImDrawCmd& command) {
    const PixelBox clip = pixels_of(command.ClipRect).cut_to(canvas_);
    if (clip.empty()) return;
    const ImTextureID texture = command.GetTexID();
    const auto uploads = uploads_.find(texture);
    const uint64_t surrounds = mixed(mixed(sum_of(&clip, sizeof clip), reinterpret_cast<uintptr_t>(texture)),
                                     uploads == uploads_.end() ? 0 : uploads->second);
    const ImDrawIdx* corner = list.IdxBuffer.Data + command.IdxOffset;
    for (unsigned i = 0; i < command.ElemCount; i += 3, corner += 3) {
        ImVec2 low(static_cast<float>(clip.right), static_cast<float>(clip.bottom));
        ImVec2 high(static_cast<float>(clip.left), static_cast<float>(clip.top));
        uint64_t sum = surrounds;
        for (int k = 0; k < 3; ++k) {
            const auto vertex = static_cast<int>(command.VtxOffset + corner[k]);
            const ImVec2& at = list.VtxBuffer.Data[vertex].pos;
            low = {std::min(low.x, at.x), std::min(low.y, at.y)};
            high = {std::max(high.x, at.x), std::max(high.y, at.y)};
            sum = mixed(sum, vertex_sums_[vertex]);
        }
        const int left = std::max(clip.left, static_cast<int>(low.x)) / kTile;
        const int top = std::max(clip.top, static_cast<int>(low.y)) / kTile;
        const int right = static_cast<int>(std::min(high.x, static_cast<float>(clip.right - 1)));
        const int bottom = static_cast<int>(std::min(high.y, static_cast<float>(clip.bottom - 1)));
        for (int y = top; y * kTile <= bottom; ++y)
            for (int x = left; x * kTile <= right; ++x) {
                uint64_t& tile = sums_[y * wide_ + x];
                tile = mixed(tile, sum);
            }
    }
}

void Damage::gather_boxes() {
    boxes_.clear();
    differs_.resize(sums_.size());
    for (size_t i = 0; i < sums_.size(); ++i) differs_[i] = sums_[i] != before_[i] ? 1 : 0;
    for (int tile = 0; tile < wide_ * high_; ++tile)
        if (differs_[tile] != 0) boxes_.push_back(island_of(tile));
    join_overlapping();
}

// The box around this tile and all changed tiles connected with it, also over corners. Clears their marks.
PixelBox Damage::island_of(int tile) {
    PixelBox box{canvas_.right, canvas_.bottom, 0, 0};
    reached_ = {tile};
    differs_[tile] = 0;
    while (!reached_.empty()) {
        const int x = reached_.back() % wide_, y = reached_.back() / wide_;
        reached_.pop_back();
        box = union_of(box, {x * kTile, y * kTile, (x + 1) * kTile, (y + 1) * kTile});
        for (int v = std::max(0, y - 1); v <= std::min(high_ - 1, y + 1); ++v)
            for (int u = std::max(0, x - 1); u <= std::min(wide_ - 1, x + 1); ++u)
                if (char& beside = differs_[v * wide_ + u]; beside != 0) {
                    beside = 0;
                    reached_.push_back(v * wide_ + u);
                }
    }
    return box.cut_to(canvas_);
}

void Damage::join_overlapping() {
    for (size_t i = 0; i < boxes_.size();) {
        const auto other = std::find_if(boxes_.begin() + static_cast<std::ptrdiff_t>(i) + 1, boxes_.end(),
                                        [&](const PixelBox& box) { return !box.cut_to(boxes_[i]).empty(); });
        if (other == boxes_.end()) {
            ++i;
            continue;
        }
        boxes_[i] = union_of(boxes_[i], *other);
        boxes_.erase(other);
        i = 0;  // the larger box may reach earlier boxes
    }
}

}  // namespace emergence
