#pragma once
// The colours of curves and matrices, shared by the window and the exporter, so that a panel and its file look alike.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace emergence {

/// Series::color holds colour + kDashedColors * pattern.
inline constexpr int kDashedColors = 100'000;

/// How many patterns differ; larger numbers start over.
inline constexpr int kDashPatterns = 32;

/// The number (Series::color) of dashed lines in a colour and a dash pattern; 0 is the usual pattern, which a plain
/// colour has too. categorical() gives the colour.
int in_dashes(int color, int dashes);
/// The pattern in such a number. Colours that start over have one of their own, so that the 13th line is not the first.
int dashes_of(int color);
/// How often the categorical colours have started over before this one.
int repeats_of(int color);

/// The lengths that a dashed line draws and skips in turn: an even number, in the unit of the drawing code.
std::span<const double> dash_pattern(int dashes);

/// A course of hues: from light blue to deep blue, or from orange to deep red.
enum class Course { blues, reds };

/// The number (Series::color) of the `i`-th of `count` ordered things, clamped to 0 <= i < count <= 64. categorical()
/// turns it into a colour.
int ordinal_color(Course course, int i, int count);

/// The number of the same thing along the other course; any other colour stays.
int other_course(int color);

/// The background of the colours: the window's light or dark one, or paper (light).
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

/// The number of different categorical colours; larger indices start over.
inline constexpr int kNumCategorical = 12;

/// The colour of series number `index` (any integer; Series::color). The hues are blue, orange, green, rose, amber,
/// sky, violet, grey, brown, indigo, plum, lime. Lightness differs as well, so that protanopes and deuteranopes can
/// distinguish any two. Prefer the first eight, which are easier to distinguish than all twelve.
Rgb categorical(int index, Theme theme);

/// The colours of a matrix: equidistant control points, joined by straight lines in OKLab. A diverging map shows signed
/// values, -1 at the first point and +1 at the last, with equal lightness on both sides. A sequential map shows
/// magnitudes, 0 at the first point and 1 at the last. In the default maps zero is close to the theme's background.
struct ColorMap {
    /// In settings and files.
    const char* name;
    /// For the user.
    const char* label;
    /// The map whose course of hues it follows; the control points are our own.
    const char* source;
    bool diverging;
    std::vector<Lch> light, dark;
};

/// The available maps; the first of each kind is the default. All are safe for protanopes and deuteranopes.
const std::vector<ColorMap>& diverging_maps();
const std::vector<ColorMap>& sequential_maps();
/// The map of that name, of either kind; null if none.
const ColorMap* find_color_map(std::string_view name);

/// The chosen maps, one for each kind of values; never null.
struct ColorMaps {
    const ColorMap* diverging = &diverging_maps().front();
    const ColorMap* sequential = &sequential_maps().front();
    bool operator==(const ColorMaps&) const = default;
};

/// The colour of `t`, in units of the limit: -1..1 for a diverging map, 0..1 for a sequential one. Clamps values
/// outside; NaN gives missing().
Rgb color_of(const ColorMap& map, double t, Theme theme);

/// color_of for many cells: looks the colours up in steps of 1/256.
class ColorRamp {
  public:
    ColorRamp(const ColorMap& map, Theme theme);
    Rgb operator()(double t) const;

  private:
    bool diverging_;
    Rgb missing_;
    std::vector<Rgb> colors_;
};

/// True if black is easier to read on `ground` than white.
bool is_bright(Rgb ground);

/// The grey of a cell without a value, which no map contains. Drawing code hatches such cells as well.
Rgb missing(Theme theme);

}  // namespace emergence
