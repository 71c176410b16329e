#include "core/pictures/pen.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/pictures/axis.h"

namespace emergence {
namespace {

using Vector = std::array<double, 3>;
using ColorMatrix = std::array<Vector, 3>;

Vector operator*(const ColorMatrix& m, const Vector& v) {
    Vector out{};
    for (size_t i = 0; i < 3; ++i)
        for (size_t j = 0; j < 3; ++j) out[i] += m[i][j] * v[j];
    return out;
}

Vector to_linear(Rgb color) {
    const auto decode = [](uint8_t byte) {
        const double c = byte / 255.0;
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return {decode(color.r), decode(color.g), decode(color.b)};
}

Vector to_oklab(const Vector& linear) {
    static constexpr ColorMatrix kToCones = {{{0.4122214708, 0.5363325363, 0.0514459929},
                                              {0.2119034982, 0.6806995451, 0.1073969566},
                                              {0.0883024619, 0.2817188376, 0.6299787005}}};
    static constexpr ColorMatrix kToLab = {{{0.2104542553, 0.7936177850, -0.0040720468},
                                            {1.9779984951, -2.4285922050, 0.4505937099},
                                            {0.0259040371, 0.7827717662, -0.8086757660}}};
    Vector cones = kToCones * linear;
    for (double& c : cones) c = std::cbrt(std::clamp(c, 0.0, 1.0));
    return kToLab * cones;
}

/// What a protanope (0) or deuteranope (1) sees (Vienot, Brettel and Mollon 1999), in linear RGB.
Vector dichromat(const Vector& linear, int kind) {
    static constexpr ColorMatrix kToLms = {
        {{17.8824, 43.5161, 4.11935}, {3.45565, 27.1554, 3.86714}, {0.0299566, 0.184309, 1.46709}}};
    static constexpr ColorMatrix kFromLms = {
        {{0.080944, -0.130504, 0.116721}, {-0.0102485, 0.0540194, -0.113615}, {-0.000365294, -0.00412163, 0.693513}}};
    Vector lms = kToLms * linear;
    if (kind == 0) lms[0] = 2.02344 * lms[1] - 2.52581 * lms[2];
    if (kind == 1) lms[1] = 0.494207 * lms[0] + 1.24827 * lms[2];
    Vector rgb = kFromLms * lms;
    for (double& c : rgb) c = std::clamp(c, 0.0, 1.0);
    return rgb;
}

double color_distance(const Vector& a, const Vector& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

/// The smallest OKLab distance under normal vision and both simulations.
double worst_distance(Rgb a, Rgb b) {
    double worst = color_distance(to_oklab(to_linear(a)), to_oklab(to_linear(b)));
    for (const int kind : {0, 1})
        worst = std::min(
            worst, color_distance(to_oklab(dichromat(to_linear(a), kind)), to_oklab(dichromat(to_linear(b), kind))));
    return worst;
}

double lightness(Rgb color) { return to_oklab(to_linear(color))[0]; }

constexpr Rgb kPaper{255, 255, 255}, kNight{30, 30, 34};

}  // namespace

TEST_CASE("categorical colours stay apart for colour-blind people and from the background") {
    for (const Theme theme : {Theme::light, Theme::dark}) {
        for (int i = 0; i < kNumCategorical; ++i) {
            CHECK(worst_distance(categorical(i, theme), theme == Theme::light ? kPaper : kNight) > 0.2);
            for (int j = 0; j < i; ++j) {
                INFO(i, ", ", j);
                CHECK(worst_distance(categorical(i, theme), categorical(j, theme)) > 0.10);
            }
        }
    }
}

TEST_CASE("categorical indices start over, negative ones too") {
    CHECK(categorical(kNumCategorical + 2, Theme::dark) == categorical(2, Theme::dark));
    CHECK(categorical(-1, Theme::light) == categorical(kNumCategorical - 1, Theme::light));
}

TEST_CASE("ordered colours differ from step to step, however many, and from the ground") {
    for (const Theme theme : {Theme::light, Theme::dark})
        for (const Course course : {Course::blues, Course::reds})
            for (const int count : {1, 2, 3, 4, 6}) {
                CAPTURE(count);
                for (int i = 0; i < count; ++i) {
                    const Rgb color = categorical(ordinal_color(course, i, count), theme);
                    CHECK(worst_distance(color, theme == Theme::light ? kPaper : kNight) > 0.2);
                    if (i == 0) continue;
                    const Rgb before = categorical(ordinal_color(course, i - 1, count), theme);
                    CHECK(worst_distance(color, before) > 0.3 / count / 1.5);
                    CHECK(lightness(color) < lightness(before));
                }
            }
    CHECK(ordinal_color(Course::reds, 9, 3) == ordinal_color(Course::reds, 2, 3));
    CHECK(ordinal_color(Course::blues, -1, 3) == ordinal_color(Course::blues, 0, 3));
    // The first blue and the first red of a plot are told apart.
    for (const Theme theme : {Theme::light, Theme::dark})
        CHECK(worst_distance(categorical(ordinal_color(Course::blues, 1, 3), theme),
                             categorical(ordinal_color(Course::reds, 1, 3), theme)) > 0.10);
}

TEST_CASE("the diverging map is neutral at zero and equally strong on both sides, for everybody") {
    for (const Theme theme : {Theme::light, Theme::dark}) {
        const auto at = [&](double t) { return color_of(diverging_map(), t, theme); };
        const Rgb zero = at(0.0);
        CHECK(std::max({zero.r, zero.g, zero.b}) - std::min({zero.r, zero.g, zero.b}) <= 1);
        CHECK(at(-0.0) == zero);
        const Rgb ground = theme == Theme::light ? kPaper : kNight;
        CHECK(color_distance(to_oklab(to_linear(zero)), to_oklab(to_linear(ground))) < 0.06);
        double previous = 0.0;
        for (int i = 1; i <= 10; ++i) {
            const double t = i / 10.0;
            CAPTURE(t);
            CHECK(lightness(at(t)) == doctest::Approx(lightness(at(-t))).epsilon(0.02));
            const double strength = std::abs(lightness(at(t)) - lightness(zero));
            CHECK(strength > previous);
            previous = strength;
        }
        for (const double t : {0.25, 0.5, 0.75, 1.0}) {
            CAPTURE(t);
            CHECK(worst_distance(at(t), at(-t)) > 0.10);
        }
    }
}

TEST_CASE("the sequential map's lightness is monotone, in steps that everybody sees") {
    const ColorMap& map = sequential_map();
    for (const Theme theme : {Theme::light, Theme::dark}) {
        const double sign = theme == Theme::light ? -1.0 : 1.0;
        for (int i = 1; i <= 20; ++i) {
            CAPTURE(i);
            CHECK(sign * (lightness(color_of(map, i / 20.0, theme)) - lightness(color_of(map, (i - 1) / 20.0, theme))) >
                  0.01);
        }
        for (int i = 2; i <= 10; ++i)
            CHECK(worst_distance(color_of(map, i / 10.0, theme), color_of(map, (i - 2) / 10.0, theme)) > 0.06);
    }
}

TEST_CASE("values outside are clamped and missing ones are grey") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const ColorMap* map : {&diverging_map(), &sequential_map()})
        for (const Theme theme : {Theme::light, Theme::dark}) {
            CHECK(color_of(*map, 7.0, theme) == color_of(*map, 1.0, theme));
            CHECK(color_of(*map, -7.0, theme) == color_of(*map, -1.0, theme));
            CHECK(color_of(*map, nan, theme) == missing(theme));
        }
    for (const Theme theme : {Theme::light, Theme::dark})
        CHECK(worst_distance(missing(theme), color_of(diverging_map(), 0.0, theme)) > 0.1);
}

TEST_CASE("a ramp has the map's own colours") {
    for (const ColorMap* map : {&diverging_map(), &sequential_map()}) {
        const ColorRamp ramp(*map, Theme::dark);
        for (const double t : {-2.0, -1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 3.0})
            CHECK(ramp(t) == color_of(*map, t, Theme::dark));
        CHECK(ramp(std::numeric_limits<double>::quiet_NaN()) == missing(Theme::dark));
    }
}

TEST_CASE("text is black on bright cells and white on dark ones") {
    CHECK(is_bright({255, 255, 255}));
    CHECK_FALSE(is_bright({0, 0, 0}));
    CHECK(is_bright({250, 200, 60}));
    CHECK_FALSE(is_bright({20, 40, 160}));
}

TEST_CASE("lines look different also where the colours start over: those are dashed, each round in its own way") {
    std::set<std::pair<int, int>> looks;  // the place of the colour and the pattern; 0 for a whole line
    for (int i = 0; i < 3 * kNumCategorical; ++i) {
        Series series;
        series.color = i;
        CHECK(is_dashed(series) == (i >= kNumCategorical));
        looks.insert({i % kNumCategorical, is_dashed(series) ? dashes_of(i) : -1});
    }
    CHECK(looks.size() == 3 * kNumCategorical);
    CHECK(repeats_of(ordinal_color(Course::reds, 2, 5)) == 0);
    CHECK(repeats_of(in_dashes(3, 4)) == 0);
    CHECK(dashes_of(in_dashes(3, 4)) == 4);
}

}  // namespace emergence
