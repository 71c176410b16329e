#include "tests/app/gui/pictures/painter.h"

#include <algorithm>
#include <cmath>

namespace emergence::testing {
namespace {

// product / 255, rounded, for products of two bytes.
uint32_t over_255(uint32_t product) {
    const uint32_t rounded = product + 128;
    return (rounded + (rounded >> 8U)) >> 8U;
}

uint32_t channel(ImU32 color, uint32_t shift) { return (color >> shift) & 0xFFU; }

// `color` over an opaque ground.
ImU32 blended(ImU32 ground, ImU32 color) {
    const uint32_t alpha = color >> IM_COL32_A_SHIFT;
    ImU32 result = IM_COL32_A_MASK;
    for (const uint32_t shift : {0U, 8U, 16U})
        result |= over_255(channel(color, shift) * alpha + channel(ground, shift) * (255 - alpha)) << shift;
    return result;
}

ImU32 multiplied(ImU32 a, ImU32 b) {
    ImU32 result = 0;
    for (const uint32_t shift : {0U, 8U, 16U, 24U}) result |= over_255(channel(a, shift) * channel(b, shift)) << shift;
    return result;
}

// The first pixel whose centre is at or right of x.
int first_pixel(float x) { return static_cast<int>(std::ceil(std::clamp(x, -1e6F, 1e6F) - 0.5F)); }

// One side of a triangle in 1/256 pixels: value >= 0 inside, by the top-left rule.
struct Edge {
    int64_t right = 0;  // change of `value` per pixel
    int64_t down = 0;
    int64_t value = 0;  // at the centre of pixel (0, 0)

    Edge(const std::array<int64_t, 2>& from, const std::array<int64_t, 2>& to) {
        const int64_t dx = to[0] - from[0];
        const int64_t dy = to[1] - from[1];
        const bool top_left = dy < 0 || (dy == 0 && dx > 0);
        right = -dy * 256;
        down = dx * 256;
        value = dx * (128 - from[1]) - dy * (128 - from[0]) - (top_left ? 0 : 1);
    }
    /// Narrows [x0, x1) of row y to the pixels inside.
    void narrow(int y, int& x0, int& x1) const {
        if (x0 >= x1) return;
        const int64_t at = value + down * y;  // at x = 0
        if (right == 0) {
            if (at < 0) x1 = x0;
        } else if (right > 0) {  // x >= -at / right
            const int64_t from = at >= 0 ? -(at / right) : (-at + right - 1) / right;
            x0 = static_cast<int>(std::clamp<int64_t>(from, x0, x1));
        } else {  // x <= at / -right
            const int64_t last = at >= 0 ? at / -right : -((-at - right - 1) / -right);
            x1 = static_cast<int>(std::clamp<int64_t>(last + 1, x0, x1));
        }
    }
};

std::array<int64_t, 2> snapped(const ImVec2& place) {
    return {std::lround(place.x * 256.0F), std::lround(place.y * 256.0F)};
}

bool same_uv(const ImDrawVert& a, const ImDrawVert& b) { return a.uv.x == b.uv.x && a.uv.y == b.uv.y; }

}  // namespace

// A texture coordinate runs from 0 to 1 across the texture; texel centres are at 0.5.
ImU32 Painter::sample(float u, float v) const {
    const float x = u * static_cast<float>(texels_.width);
    const float y = v * static_cast<float>(texels_.height);
    const auto texel = [](float at, int size) { return std::clamp(static_cast<int>(std::floor(at)), 0, size - 1); };
    const auto width = static_cast<size_t>(texels_.width);
    if (texels_.alpha == nullptr)
        return texels_.colors[static_cast<size_t>(texel(y, texels_.height)) * width +
                              static_cast<size_t>(texel(x, texels_.width))];
    const float left = std::floor(x - 0.5F);
    const float top = std::floor(y - 0.5F);
    const float across = x - 0.5F - left;
    const float along = y - 0.5F - top;
    const unsigned char* upper = texels_.alpha + static_cast<size_t>(texel(top, texels_.height)) * width;
    const unsigned char* lower = texels_.alpha + static_cast<size_t>(texel(top + 1, texels_.height)) * width;
    const int x0 = texel(left, texels_.width);
    const int x1 = texel(left + 1, texels_.width);
    const auto mixed = [](float a, float b, float share) { return a + (b - a) * share; };
    const float alpha = mixed(mixed(upper[x0], upper[x1], across), mixed(lower[x0], lower[x1], across), along);
    return (static_cast<ImU32>(alpha + 0.5F) << IM_COL32_A_SHIFT) | ~IM_COL32_A_MASK;
}

void Painter::fill_span(int x0, int x1, int y, ImU32 color) {
    const uint32_t alpha = color >> IM_COL32_A_SHIFT;
    if (alpha == 0 || x0 >= x1) return;
    ImU32* const pixels = row(y);
    if (alpha == 255) {
        std::fill(pixels + x0, pixels + x1, color);
        return;
    }
    for (int x = x0; x < x1; ++x) pixels[x] = blended(pixels[x], color);
}

void Painter::rectangle(const ImDrawVert& min, const ImDrawVert& max) {
    const int x0 = std::max(clip_.x0, first_pixel(min.pos.x));
    const int x1 = std::min(clip_.x1, first_pixel(max.pos.x));
    const int y0 = std::max(clip_.y0, first_pixel(min.pos.y));
    const int y1 = std::min(clip_.y1, first_pixel(max.pos.y));
    if (x0 >= x1 || y0 >= y1) return;
    if (same_uv(min, max)) {
        const ImU32 color = multiplied(min.col, sample(min.uv.x, min.uv.y));
        for (int y = y0; y < y1; ++y) fill_span(x0, x1, y, color);
        return;
    }
    const float u_step = (max.uv.x - min.uv.x) / (max.pos.x - min.pos.x);
    const float v_step = (max.uv.y - min.uv.y) / (max.pos.y - min.pos.y);
    for (int y = y0; y < y1; ++y) {
        const float v = min.uv.y + v_step * (static_cast<float>(y) + 0.5F - min.pos.y);
        ImU32* const pixels = row(y);
        for (int x = x0; x < x1; ++x) {
            const float u = min.uv.x + u_step * (static_cast<float>(x) + 0.5F - min.pos.x);
            const ImU32 texel = sample(u, v);
            if (texel >> IM_COL32_A_SHIFT != 0) pixels[x] = blended(pixels[x], multiplied(min.col, texel));
        }
    }
}

void Painter::shade_span(int x0, int x1, int y, const Shade& shade) {
    std::array<float, 6> value{};
    for (size_t i = 0; i < value.size(); ++i)
        value[i] = shade[i].at + shade[i].right * static_cast<float>(x0) + shade[i].down * static_cast<float>(y);
    const bool one_texel = shade[4].right == 0 && shade[5].right == 0;
    const ImU32 first = sample(value[4], value[5]);
    ImU32* const pixels = row(y);
    for (int x = x0; x < x1; ++x) {
        ImU32 color = 0;
        for (uint32_t i = 0; i < 4; ++i)
            color |= static_cast<ImU32>(std::clamp(value[i], 0.0F, 255.0F) + 0.5F) << (8 * i);
        pixels[x] = blended(pixels[x], multiplied(color, one_texel ? first : sample(value[4], value[5])));
        for (size_t i = 0; i < value.size(); ++i) value[i] += shade[i].right;
    }
}

Painter::Shade Painter::shade_of(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c) {
    const double bx = b.pos.x - a.pos.x, by = b.pos.y - a.pos.y;
    const double cx = c.pos.x - a.pos.x, cy = c.pos.y - a.pos.y;
    const double twice_area = bx * cy - by * cx;
    const auto linear = [&](float at_a, float at_b, float at_c) {
        const double to_b = at_b - at_a, to_c = at_c - at_a;
        Linear f;
        f.right = static_cast<float>((to_b * cy - to_c * by) / twice_area);
        f.down = static_cast<float>((to_c * bx - to_b * cx) / twice_area);
        f.at = at_a + f.right * (0.5F - a.pos.x) + f.down * (0.5F - a.pos.y);
        return f;
    };
    const auto byte = [](ImU32 color, uint32_t shift) { return static_cast<float>(channel(color, shift)); };
    Shade shade;
    for (uint32_t i = 0; i < 4; ++i) shade[i] = linear(byte(a.col, 8 * i), byte(b.col, 8 * i), byte(c.col, 8 * i));
    shade[4] = linear(a.uv.x, b.uv.x, c.uv.x);
    shade[5] = linear(a.uv.y, b.uv.y, c.uv.y);
    return shade;
}

void Painter::triangle(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c) {
    const auto pa = snapped(a.pos);
    auto pb = snapped(b.pos);
    auto pc = snapped(c.pos);
    const int64_t area = (pb[0] - pa[0]) * (pc[1] - pa[1]) - (pb[1] - pa[1]) * (pc[0] - pa[0]);
    if (area == 0) return;
    if (area < 0) std::swap(pb, pc);
    const std::array<Edge, 3> edges = {Edge(pa, pb), Edge(pb, pc), Edge(pc, pa)};
    const auto [left, right] = std::minmax({a.pos.x, b.pos.x, c.pos.x});
    const auto [top, bottom] = std::minmax({a.pos.y, b.pos.y, c.pos.y});
    // One more on each side: snapping may have moved a corner across a pixel's centre.
    const int left_end = std::max(clip_.x0, first_pixel(left) - 1);
    const int right_end = std::min(clip_.x1, first_pixel(right) + 1);
    const int top_end = std::max(clip_.y0, first_pixel(top) - 1);
    const int bottom_end = std::min(clip_.y1, first_pixel(bottom) + 1);

    const bool plain = a.col == b.col && a.col == c.col && same_uv(a, b) && same_uv(a, c);
    const ImU32 color = plain ? multiplied(a.col, sample(a.uv.x, a.uv.y)) : 0;
    const Shade shade = plain ? Shade{} : shade_of(a, b, c);
    for (int y = top_end; y < bottom_end; ++y) {
        int x0 = left_end;
        int x1 = right_end;
        for (const Edge& edge : edges) edge.narrow(y, x0, x1);
        if (x0 >= x1) continue;
        plain ? fill_span(x0, x1, y, color) : shade_span(x0, x1, y, shade);
    }
}

}  // namespace emergence::testing
