#pragma once
// The colours of curves and matrices, shared by the window and the exporter so that a panel and its file look
// alike.

#include <cstdint>

namespace emergence {

/// What the colours are drawn on: the window's dark or light background, or paper (light).
enum class Theme { light, dark };

/// An sRGB colour.
struct Rgb {
    uint8_t r = 0, g = 0, b = 0;
    bool operator==(const Rgb&) const = default;
};

/// How many categorical colours differ; further indices start over.
inline constexpr int kNumCategorical = 8;

/// The colour of series number `index` (any integer; Series::color). Hues in the order blue, orange, green,
/// rose, amber, sky, violet, grey; lightness differs as well, so that any two stay apart for protanopes and
/// deuteranopes.
Rgb categorical(int index, Theme theme);

/// The colour of a signed value `t` in units of the limit: blue below zero, near the background at zero,
/// orange-red above. |t| > 1 is drawn as 1; NaN as missing().
Rgb diverging(double t, Theme theme);

/// The colour of a magnitude `t` in 0..1 (clamped): near the background at 0, through green and blue. NaN as
/// missing().
Rgb sequential(double t, Theme theme);

/// The grey of a cell without a value, which is in neither map; drawers hatch it as well.
Rgb missing(Theme theme);

}  // namespace emergence
