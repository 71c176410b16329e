#include "tests/app/gui/pictures/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

namespace emergence::testing {
namespace {

// In levels of 0 to 255.
constexpr float kFlatTolerance = 6.0F;
constexpr float kContrastShare = 0.2F;  // of the contrast around a pixel, on top

// Windows of about two letters. Their pictures, moved by up to a pixel, agree up to this share of the
// deviation in them: the same letters, drawn by another renderer, differ by 0.1 to 0.5 of it, other letters
// by 0.8.
constexpr int kWindowWidth = 16;
constexpr int kWindowHeight = 8;
constexpr double kStructureShare = 0.65;
constexpr double kFlatDeviation = 5.0;  // levels: where nothing is drawn

// One channel of a picture, with values beyond the border equal to the nearest inside.
struct Plane {
    int width = 0, height = 0;
    std::vector<int> values;

    int at(int x, int y) const {
        return values[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)];
    }
};

Plane channel_of(const PixelImage& image, uint32_t shift) {
    Plane plane{image.width, image.height, {}};
    plane.values.reserve(image.pixels.size());
    for (const uint32_t pixel : image.pixels) plane.values.push_back(static_cast<int>((pixel >> shift) & 0xFFU));
    return plane;
}

// Each value and its eight neighbours, first along the rows, then along the columns.
template <class Combine>
Plane gathered(const Plane& plane, Combine combine) {
    const auto width = static_cast<size_t>(plane.width);
    Plane rows = plane;
    for (size_t row = 0; row < plane.values.size(); row += width)
        for (size_t x = 0; x < width; ++x) {
            const int left = plane.values[row + (x > 0 ? x - 1 : 0)];
            const int right = plane.values[row + std::min(x + 1, width - 1)];
            rows.values[row + x] = combine(combine(left, plane.values[row + x]), right);
        }
    Plane all = rows;
    for (size_t i = 0; i < rows.values.size(); ++i) {
        const int above = rows.values[i >= width ? i - width : i];
        const int below = rows.values[i + width < rows.values.size() ? i + width : i];
        all.values[i] = combine(combine(above, rows.values[i]), below);
    }
    return all;
}

Plane blurred(const Plane& plane) {
    Plane sums = gathered(plane, [](int a, int b) { return a + b; });
    for (int& value : sums.values) value = (value + 4) / 9;
    return sums;
}

struct Surroundings {
    Plane blurred, least, largest;
    Plane far_least, far_largest;  // as far as a tile reaches: the contrast

    explicit Surroundings(const Plane& plane) : blurred(testing::blurred(plane)) {
        const auto smaller = [](int a, int b) { return std::min(a, b); };
        const auto larger = [](int a, int b) { return std::max(a, b); };
        least = gathered(blurred, smaller);
        largest = gathered(blurred, larger);
        far_least = gathered(least, smaller);
        far_largest = gathered(largest, larger);
    }
};

// How far `value` lies outside [least, largest].
int outside(int value, int least, int largest) { return std::max({0, value - largest, least - value}); }

void widen_gaps(const PixelImage& old, const PixelImage& now, uint32_t shift, std::vector<float>& gaps) {
    const Surroundings a(channel_of(old, shift));
    const Surroundings b(channel_of(now, shift));
    for (size_t i = 0; i < gaps.size(); ++i) {
        const int gap = std::max(outside(b.blurred.values[i], a.least.values[i], a.largest.values[i]),
                                 outside(a.blurred.values[i], b.least.values[i], b.largest.values[i]));
        if (gap == 0) continue;
        const int contrast =
            std::max(a.far_largest.values[i] - a.far_least.values[i], b.far_largest.values[i] - b.far_least.values[i]);
        gaps[i] = std::max(gaps[i],
                           static_cast<float>(gap) / (kFlatTolerance + kContrastShare * static_cast<float>(contrast)));
    }
}

Plane brightness_of(const PixelImage& image) {
    Plane plane{image.width, image.height, {}};
    for (const uint32_t pixel : image.pixels)
        plane.values.push_back(
            static_cast<int>((3 * (pixel & 0xFFU) + 6 * ((pixel >> 8U) & 0xFFU) + ((pixel >> 16U) & 0xFFU)) / 10));
    return plane;
}

struct Window {
    int left, top;
};

double deviation_in(const Plane& plane, Window at) {
    double sum = 0.0;
    double squares = 0.0;
    for (int y = at.top; y < at.top + kWindowHeight; ++y)
        for (int x = at.left; x < at.left + kWindowWidth; ++x) {
            const double value = plane.at(x, y);
            sum += value;
            squares += value * value;
        }
    constexpr double kPixels = kWindowWidth * kWindowHeight;
    return std::sqrt(std::max(0.0, squares / kPixels - sum * sum / kPixels / kPixels));
}

double residual_in(const Plane& a, const Plane& b, Window at, int right, int down) {
    int64_t squares = 0;
    for (int y = at.top; y < at.top + kWindowHeight; ++y)
        for (int x = at.left; x < at.left + kWindowWidth; ++x) {
            const int gap =
                a.at(x, y) - b.at(std::clamp(x + right, 0, b.width - 1), std::clamp(y + down, 0, b.height - 1));
            squares += gap * gap;
        }
    return std::sqrt(static_cast<double>(squares) / (kWindowWidth * kWindowHeight));
}

// Root mean square difference between `a` in the window and `b` moved by up to a pixel: the least, or the
// first that is `enough`.
double least_residual(const Plane& a, const Plane& b, Window at, double enough) {
    double least = residual_in(a, b, at, 0, 0);
    for (int down = -1; down <= 1; ++down)
        for (int right = -1; right <= 1 && least > enough; ++right)
            least = std::min(least, residual_in(a, b, at, right, down));
    return least;
}

void widen_gaps_by_structure(const PixelImage& old, const PixelImage& now, std::vector<float>& gaps) {
    const Plane a = brightness_of(old);
    const Plane b = brightness_of(now);
    for (int top = 0; top + kWindowHeight <= a.height; top += kWindowHeight / 2)
        for (int left = 0; left + kWindowWidth <= a.width; left += kWindowWidth / 2) {
            const Window at{left, top};
            const double contrast = kFlatDeviation + std::max(deviation_in(a, at), deviation_in(b, at));
            const double tolerance = kStructureShare * contrast;
            const auto gap = static_cast<float>(least_residual(a, b, at, tolerance / 2) / tolerance);
            for (int y = top; y < top + kWindowHeight; ++y)
                for (int x = left; x < left + kWindowWidth; ++x) {
                    float& widened =
                        gaps[static_cast<size_t>(y) * static_cast<size_t>(a.width) + static_cast<size_t>(x)];
                    widened = std::max(widened, gap);
                }
        }
}

// Of each tile the gap that kPixelsPerTile of its pixels have.
std::vector<float> gaps_of_tiles(const std::vector<float>& gaps, int width, int height) {
    std::vector<float> result;
    for (int top = 0; top < height; top += kTileSize)
        for (int left = 0; left < width; left += kTileSize) {
            std::vector<float> of_tile(kPixelsPerTile);
            for (int y = top; y < std::min(top + kTileSize, height); ++y)
                for (int x = left; x < std::min(left + kTileSize, width); ++x)
                    of_tile.push_back(
                        gaps[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)]);
            const auto wanted = of_tile.begin() + kPixelsPerTile - 1;
            std::nth_element(of_tile.begin(), wanted, of_tile.end(), std::greater<>());
            result.push_back(*wanted);
        }
    return result;
}

}  // namespace

PictureDifference difference_of(const PixelImage& old, const PixelImage& now) {
    PictureDifference difference;
    if (old.width != now.width || old.height != now.height) {
        difference.tiles = 1;
        difference.worst = 255.0;
        difference.gaps.assign(now.pixels.size(), 255.0F);
        difference.reason =
            fmt::format("{} x {} pixels instead of {} x {}", now.width, now.height, old.width, old.height);
        return difference;
    }
    difference.gaps.resize(now.pixels.size());
    if (old.pixels == now.pixels) return difference;
    for (const uint32_t shift : {0U, 8U, 16U}) widen_gaps(old, now, shift, difference.gaps);
    widen_gaps_by_structure(old, now, difference.gaps);
    const std::vector<float> tiles = gaps_of_tiles(difference.gaps, now.width, now.height);
    for (const float gap : tiles) {
        difference.worst = std::max(difference.worst, static_cast<double>(gap));
        if (gap > 1.0F) ++difference.tiles;
    }
    if (difference.tiles > 0)
        difference.reason = fmt::format("{} of {} tiles differ, the worst by {:.1f} times the tolerance",
                                        difference.tiles, tiles.size(), difference.worst);
    return difference;
}

PixelImage marked(const PixelImage& now, const PictureDifference& difference) {
    PixelImage picture = now;
    for (size_t i = 0; i < picture.pixels.size(); ++i) {
        uint32_t sum = 0;
        for (const uint32_t shift : {0U, 8U, 16U}) sum += (now.pixels[i] >> shift) & 0xFFU;
        const uint32_t gray = 128 + sum / 12;
        picture.pixels[i] = difference.gaps[i] > 1.0F ? 0xFF0000E0U : 0xFF000000U | gray * 0x010101U;
    }
    return picture;
}

}  // namespace emergence::testing
