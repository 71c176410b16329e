#include "core/runtime/palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

namespace emergence {
namespace {

/// A colour in OKLCh, the cylindrical form of the perceptual space OKLab (Ottosson 2020): lightness 0..1,
/// chroma, hue in degrees. Equal steps look about equally large, so the maps are straight lines in it.
struct Lch {
    double lightness = 0.0, chroma = 0.0, hue = 0.0;
};

uint8_t encode(double linear) {
    const double c = std::clamp(linear, 0.0, 1.0);
    const double srgb = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1.0 / 2.4) - 0.055;
    return static_cast<uint8_t>(std::lround(255.0 * srgb));
}

Rgb to_rgb(const Lch& color) {
    const double angle = color.hue * std::numbers::pi / 180.0;
    const double a = color.chroma * std::cos(angle);
    const double b = color.chroma * std::sin(angle);
    const auto cube = [](double x) { return x * x * x; };
    const double l = cube(color.lightness + 0.3963377774 * a + 0.2158037573 * b);
    const double m = cube(color.lightness - 0.1055613458 * a - 0.0638541728 * b);
    const double s = cube(color.lightness - 0.0894841775 * a - 1.2914855480 * b);
    return {encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
            encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
            encode(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

/// Piecewise linear through equidistant `anchors`; `t` in 0..1.
Lch interpolate(std::span<const Lch> anchors, double t) {
    const double position = t * static_cast<double>(anchors.size() - 1);
    const auto left = std::min(static_cast<size_t>(position), anchors.size() - 2);
    const double w = position - static_cast<double>(left);
    const Lch& a = anchors[left];
    const Lch& b = anchors[left + 1];
    return {std::lerp(a.lightness, b.lightness, w), std::lerp(a.chroma, b.chroma, w),
            std::lerp(a.hue, b.hue, w)};
}

// Found by a search that maximised the smallest OKLab distance between any two, as seen with normal vision,
// protanopia and deuteranopia, while each hue stayed near its name. palette_test.cpp holds them to it.
constexpr std::array<Lch, kNumCategorical> kCategoricalLight = {{{0.52, 0.154, 262},
                                                                 {0.61, 0.142, 55},
                                                                 {0.40, 0.080, 156},
                                                                 {0.68, 0.100, 342},
                                                                 {0.77, 0.150, 77},
                                                                 {0.75, 0.120, 235},
                                                                 {0.38, 0.175, 294},
                                                                 {0.52, 0.000, 0}}};
constexpr std::array<Lch, kNumCategorical> kCategoricalDark = {{{0.70, 0.149, 260},
                                                                {0.66, 0.152, 58},
                                                                {0.90, 0.125, 167},
                                                                {0.59, 0.110, 346},
                                                                {0.85, 0.170, 93},
                                                                {0.83, 0.120, 222},
                                                                {0.57, 0.175, 290},
                                                                {0.72, 0.000, 0}}};

// Lightness is linear in |t| and the same on both sides; chroma rises fast and yields where sRGB's gamut
// narrows.
constexpr double kBlueHue = 258, kRedHue = 38;
constexpr std::array<Lch, 5> kDivergingLight = {
    {{0.965, 0.0, 0}, {0.83, 0.075, 0}, {0.695, 0.150, 0}, {0.56, 0.165, 0}, {0.425, 0.133, 0}}};
constexpr std::array<Lch, 5> kDivergingDark = {
    {{0.245, 0.0, 0}, {0.385, 0.085, 0}, {0.525, 0.150, 0}, {0.665, 0.155, 0}, {0.805, 0.098, 0}}};
constexpr std::array<Lch, 5> kSequentialLight = {
    {{0.975, 0.020, 105}, {0.82, 0.095, 155}, {0.63, 0.090, 212}, {0.45, 0.125, 258}, {0.27, 0.115, 285}}};
constexpr std::array<Lch, 5> kSequentialDark = {
    {{0.225, 0.030, 285}, {0.38, 0.120, 265}, {0.56, 0.085, 215}, {0.74, 0.125, 162}, {0.93, 0.130, 112}}};

}  // namespace

Rgb categorical(int index, Theme theme) {
    const int wrapped = ((index % kNumCategorical) + kNumCategorical) % kNumCategorical;
    const auto& table = theme == Theme::light ? kCategoricalLight : kCategoricalDark;
    return to_rgb(table[static_cast<size_t>(wrapped)]);
}

Rgb diverging(double t, Theme theme) {
    if (std::isnan(t)) return missing(theme);
    const auto& anchors = theme == Theme::light ? kDivergingLight : kDivergingDark;
    Lch color = interpolate(anchors, std::min(std::abs(t), 1.0));
    color.hue = t < 0.0 ? kBlueHue : kRedHue;
    return to_rgb(color);
}

Rgb sequential(double t, Theme theme) {
    if (std::isnan(t)) return missing(theme);
    const auto& anchors = theme == Theme::light ? kSequentialLight : kSequentialDark;
    return to_rgb(interpolate(anchors, std::clamp(t, 0.0, 1.0)));
}

Rgb missing(Theme theme) { return to_rgb({theme == Theme::light ? 0.80 : 0.42, 0.0, 0.0}); }

}  // namespace emergence
