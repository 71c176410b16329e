#pragma once
// Rectangles and triangles of one draw command into an image.

#include <imgui.h>

#include <array>
#include <vector>

#include "app/export/export.h"

namespace emergence::testing {

/// A texture whose pixels stay readable. Colours are ImU32.
struct Texels {
    int width = 0;
    int height = 0;
    std::vector<ImU32> colors;             // the window's own textures, sampled at the nearest texel
    const unsigned char* alpha = nullptr;  // the font atlas: white with this alpha, sampled bilinearly
};

/// Pixels from x0 up to, but not including, x1; likewise y.
struct Clip {
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

/// `image` and `texels` must outlive it; `clip` lies inside the image.
class Painter {
  public:
    Painter(PixelImage& image, const Clip& clip, const Texels& texels) : image_(image), clip_(clip), texels_(texels) {}

    /// The upright rectangle between two opposite corners, of the first one's colour.
    void rectangle(const ImDrawVert& min, const ImDrawVert& max);
    /// Colours and texture coordinates are interpolated linearly.
    void triangle(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c);

  private:
    /// Colour and texture coordinates as linear functions of the pixel: value, change per column, per row.
    struct Linear {
        float at = 0.0F, right = 0.0F, down = 0.0F;
    };
    using Shade = std::array<Linear, 6>;  // red, green, blue, alpha, u, v
    static Shade shade_of(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c);

    ImU32* row(int y) { return image_.pixels.data() + static_cast<size_t>(y) * static_cast<size_t>(image_.width); }
    void fill_span(int x0, int x1, int y, ImU32 color);
    void shade_span(int x0, int x1, int y, const Shade& shade);
    ImU32 sample(float u, float v) const;

    PixelImage& image_;
    Clip clip_;
    const Texels& texels_;
};

}  // namespace emergence::testing
