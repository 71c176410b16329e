#pragma once
// The colours of curves and matrices, shared by the window and the exporter so that a panel and its file look
// alike.

#include <cstdint>
#include <string_view>
#include <vector>

namespace emergence {

/// What the colours are drawn on: the window's dark or light background, or paper (light).
enum class Theme { light, dark };

/// An sRGB colour.
struct Rgb {
    uint8_t r = 0, g = 0, b = 0;
    bool operator==(const Rgb&) const = default;
};

/// A colour in OKLCh, the cylindrical form of the perceptual space OKLab (Ottosson 2020): lightness 0..1,
/// chroma, hue in degrees. Equal steps look about equally large.
struct Lch {
    double lightness = 0.0, chroma = 0.0, hue = 0.0;
};

/// How many categorical colours differ; further indices start over.
inline constexpr int kNumCategorical = 12;

/// The colour of series number `index` (any integer; Series::color). Hues in the order blue, orange, green,
/// rose, amber, sky, violet, grey, brown, indigo, plum, lime; lightness differs as well, so that any two stay
/// apart for protanopes and deuteranopes. The last four stand far back: eight are easier to tell apart.
Rgb categorical(int index, Theme theme);

/// A way to colour a matrix: equidistant control points, joined by straight lines in OKLab. A diverging map
/// shows signed values, -1 at the first point and +1 at the last, equally light on both sides; a sequential
/// one magnitudes, 0 at the first. By default zero lies near the theme's ground.
struct ColorMap {
    const char* name;    // in settings and files
    const char* label;   // to be read
    const char* source;  // whose course of hues it follows; the control points are our own
    bool diverging;
    std::vector<Lch> light, dark;
};

/// The maps to choose from; the first of each is the default. Safe for protanopes and deuteranopes.
const std::vector<ColorMap>& diverging_maps();
const std::vector<ColorMap>& sequential_maps();
/// The map of that name, of either kind; null where there is none.
const ColorMap* find_color_map(std::string_view name);

/// The chosen maps, one for each kind of values. Never null.
struct ColorMaps {
    const ColorMap* diverging = &diverging_maps().front();
    const ColorMap* sequential = &sequential_maps().front();
    bool operator==(const ColorMaps&) const = default;
};

/// The colour of `t` in units of the limit: -1..1 for a diverging map, 0..1 for a sequential one. Values
/// outside are drawn as the nearest end, NaN as missing().
Rgb color_of(const ColorMap& map, double t, Theme theme);

/// color_of for many cells: the same colours in steps of 1/256, looked up.
class ColorRamp {
  public:
    ColorRamp(const ColorMap& map, Theme theme);
    Rgb operator()(double t) const;

  private:
    bool diverging_;
    Rgb missing_;
    std::vector<Rgb> colors_;
};

/// Whether black or white is easier to read on `ground`.
bool is_bright(Rgb ground);

/// The grey of a cell without a value, which is in no map; drawers hatch it as well.
Rgb missing(Theme theme);

}  // namespace emergence
