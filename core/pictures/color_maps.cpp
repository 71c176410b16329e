// The colour maps of matrices, declared in palette.h; palette_test.cpp tests what palette.h says of them.

#include <array>

#include "core/pictures/palette.h"

namespace emergence {
namespace {

/// Lightness and chroma at |t| = 0, 1/4, 1/2, 3/4, 1.
using Flank = std::array<Lch, 5>;

// Lightness is linear in |t|; chroma rises fast and falls where sRGB's gamut narrows.
constexpr Flank kOnLight = {
    {{0.965, 0.0, 0}, {0.83, 0.075, 0}, {0.695, 0.150, 0}, {0.56, 0.165, 0}, {0.425, 0.133, 0}}};
constexpr Flank kOnDark = {
    {{0.245, 0.0, 0}, {0.385, 0.085, 0}, {0.525, 0.150, 0}, {0.665, 0.155, 0}, {0.805, 0.098, 0}}};
// For hues with a narrower gamut.
constexpr Flank kOnLightPale = {
    {{0.965, 0.0, 0}, {0.83, 0.065, 0}, {0.695, 0.110, 0}, {0.56, 0.105, 0}, {0.425, 0.085, 0}}};
constexpr Flank kOnDarkPale = {
    {{0.245, 0.0, 0}, {0.385, 0.070, 0}, {0.525, 0.100, 0}, {0.665, 0.120, 0}, {0.805, 0.090, 0}}};

/// A diverging map whose sides differ only in hue.
std::vector<Lch> mirrored(const Flank& flank, double negative_hue, double positive_hue) {
    std::vector<Lch> points;
    for (size_t i = flank.size(); i-- > 1;)
        points.push_back({flank[i].lightness, flank[i].chroma, negative_hue});
    for (const Lch& point : flank) points.push_back({point.lightness, point.chroma, positive_hue});
    return points;
}

ColorMap sequential_map(const char* name, const char* label, const char* source, std::vector<Lch> from_dark) {
    std::vector<Lch> from_light(from_dark.rbegin(), from_dark.rend());
    return {name, label, source, false, std::move(from_light), std::move(from_dark)};
}

}  // namespace

const std::vector<ColorMap>& diverging_maps() {
    static const std::vector<ColorMap> maps = {
        {"blue-red", "blue – red", "after Moreland's cool-warm (2009) and ColorBrewer's RdBu", true,
         mirrored(kOnLight, 258, 38), mirrored(kOnDark, 258, 38)},
        {"purple-orange", "purple – orange", "after ColorBrewer's PuOr", true,
         mirrored(kOnLightPale, 300, 62), mirrored(kOnDarkPale, 300, 62)},
        {"blue-amber", "blue – amber", "after Crameri's vik and berlin (2018)", true,
         mirrored(kOnLightPale, 245, 78), mirrored(kOnDarkPale, 245, 78)},
        {"blue-white-red", "blue – white – red, in both themes", "after ColorBrewer's RdBu", true,
         mirrored(kOnLight, 258, 38), mirrored(kOnLight, 258, 38)},
    };
    return maps;
}

const std::vector<ColorMap>& sequential_maps() {
    static const std::vector<ColorMap> maps = {
        sequential_map("blue-green", "blue – green", "after ColorBrewer's YlGnBu",
                       {{0.225, 0.030, 285},
                        {0.40, 0.120, 268},
                        {0.575, 0.100, 225},
                        {0.75, 0.110, 170},
                        {0.935, 0.110, 112}}),
        sequential_map("purple-yellow", "purple – yellow", "after matplotlib's viridis (2015)",
                       {{0.235, 0.085, 318},
                        {0.41, 0.105, 275},
                        {0.585, 0.095, 200},
                        {0.755, 0.155, 148},
                        {0.925, 0.175, 106}}),
        sequential_map("blue-yellow", "blue – yellow", "after cividis (Nunez, Anderton and Renslow 2018)",
                       {{0.235, 0.080, 258},
                        {0.405, 0.060, 262},
                        {0.575, 0.010, 110},
                        {0.745, 0.085, 96},
                        {0.925, 0.160, 97}}),
        sequential_map("black-rose", "black – rose – cream", "after matplotlib's magma (2015)",
                       {{0.16, 0.020, 285},
                        {0.36, 0.150, 305},
                        {0.56, 0.180, 358},
                        {0.76, 0.150, 44},
                        {0.97, 0.070, 103}}),
    };
    return maps;
}

const ColorMap* find_color_map(std::string_view name) {
    for (const std::vector<ColorMap>* maps : {&diverging_maps(), &sequential_maps()})
        for (const ColorMap& map : *maps)
            if (name == map.name) return &map;
    return nullptr;
}

}  // namespace emergence
