#include "tests/app/gui/pictures/picture.h"

#include <fmt/format.h>
#include <stb/stb_image.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/files/atomic_write.h"

namespace emergence::testing {
namespace {

constexpr int kFlatPixels = 6;  // that make a colour one of an area
constexpr uint32_t kOpaque = 0xFF000000U;

int level(uint32_t color, uint32_t shift) { return static_cast<int>((color >> shift) & 0xFFU); }

// The largest difference of a channel.
int distance(uint32_t a, uint32_t b) {
    int most = 0;
    for (const uint32_t shift : {0U, 8U, 16U}) most = std::max(most, std::abs(level(a, shift) - level(b, shift)));
    return most;
}

struct Palette {
    std::vector<uint32_t> colors;
    std::map<uint32_t, unsigned char> index_of;  // of every colour of the image
};

// Takes colours in order of their weight. The first `exact` have an entry each. Of the others one that lies
// within `tolerance` of an entry shares the nearest. Nothing if more than 256 entries are needed.
std::optional<Palette> palette_within(const std::vector<uint32_t>& colors, size_t exact, int tolerance) {
    Palette palette;
    for (const uint32_t color : colors) {
        const int allowed = palette.colors.size() < exact ? 0 : tolerance;
        const auto nearest =
            std::min_element(palette.colors.begin(), palette.colors.end(),
                             [color](uint32_t a, uint32_t b) { return distance(a, color) < distance(b, color); });
        auto index = static_cast<size_t>(nearest - palette.colors.begin());
        if (nearest == palette.colors.end() || distance(*nearest, color) > allowed) {
            if (palette.colors.size() == 256) return std::nullopt;
            index = palette.colors.size();
            palette.colors.push_back(color);
        }
        palette.index_of[color] = static_cast<unsigned char>(index);
    }
    return palette;
}

struct Use {
    int pixels = 0;
    int flat = 0;  // pixels between two others of the same colour, across or along
};

// How often each colour is used.
std::map<uint32_t, Use> uses_of(const PixelImage& image) {
    std::map<uint32_t, Use> uses;
    const auto width = static_cast<size_t>(image.width);
    const std::vector<uint32_t>& pixels = image.pixels;
    for (size_t i = 0; i < pixels.size(); ++i) {
        Use& use = uses[pixels[i] | kOpaque];
        ++use.pixels;
        const bool inside = i >= width && i + width < pixels.size();
        if (inside && ((pixels[i - width] == pixels[i] && pixels[i + width] == pixels[i]) ||
                       (pixels[i - 1] == pixels[i] && pixels[i + 1] == pixels[i])))
            ++use.flat;
    }
    return uses;
}

Palette palette_of(const PixelImage& image, size_t exact) {
    const std::map<uint32_t, Use> uses = uses_of(image);
    std::vector<uint32_t> colors;
    for (const auto& [color, use] : uses) colors.push_back(color);
    std::stable_sort(colors.begin(), colors.end(), [&](uint32_t a, uint32_t b) {
        const Use& x = uses.at(a);
        const Use& y = uses.at(b);
        return std::pair(x.flat, x.pixels) > std::pair(y.flat, y.pixels);
    });
    const auto areas = static_cast<size_t>(std::count_if(
        colors.begin(), colors.end(), [&](uint32_t color) { return uses.at(color).flat >= kFlatPixels; }));
    for (int tolerance = 8;; tolerance += 2)
        if (auto palette = palette_within(colors, std::min(exact, areas), tolerance)) return *std::move(palette);
}

void append_word(std::string& bytes, uint32_t word) {
    for (const uint32_t shift : {24U, 16U, 8U, 0U}) bytes += static_cast<char>((word >> shift) & 0xFFU);
}

void append_chunk(std::string& png, const std::string& type, const std::string& data) {
    append_word(png, static_cast<uint32_t>(data.size()));
    const std::string typed = type + data;
    png += typed;
    append_word(png, static_cast<uint32_t>(
                         crc32(0, reinterpret_cast<const Bytef*>(typed.data()), static_cast<uInt>(typed.size()))));
}

std::string deflated(const std::string& data) {
    uLongf size = compressBound(static_cast<uLong>(data.size()));
    std::string result(size, '\0');
    const int status = compress2(reinterpret_cast<Bytef*>(result.data()), &size,
                                 reinterpret_cast<const Bytef*>(data.data()), static_cast<uLong>(data.size()), 9);
    check(status == Z_OK, "zlib compresses what fits into memory");
    result.resize(size);
    return result;
}

void append_color(std::string& bytes, uint32_t color) {
    for (const uint32_t shift : {0U, 8U, 16U}) bytes += static_cast<char>(level(color, shift));
}

constexpr char kTrueColorType = 2;
constexpr char kPaletteType = 3;

// `pixels`: as the type wants them, without filters.
std::string png_of_parts(const PixelImage& image, char type, const std::string& palette, const std::string& pixels) {
    std::string header;
    append_word(header, static_cast<uint32_t>(image.width));
    append_word(header, static_cast<uint32_t>(image.height));
    header += {8, type, 0, 0, 0};  // 8 bits, not interlaced
    std::string rows;
    const size_t row = pixels.size() / static_cast<size_t>(image.height);
    for (size_t at = 0; at < pixels.size(); at += row) rows += '\0' + pixels.substr(at, row);
    std::string png = "\x89PNG\r\n\x1a\n";
    append_chunk(png, "IHDR", header);
    if (!palette.empty()) append_chunk(png, "PLTE", palette);
    append_chunk(png, "IDAT", deflated(rows));
    append_chunk(png, "IEND", "");
    return png;
}

}  // namespace

PixelImage halved(const PixelImage& image) {
    PixelImage half{image.width / 2, image.height / 2, {}};
    half.pixels.reserve(static_cast<size_t>(half.width) * static_cast<size_t>(half.height));
    for (int y = 0; y < half.height; ++y) {
        const uint32_t* upper = image.pixels.data() + static_cast<size_t>(2 * y) * static_cast<size_t>(image.width);
        const uint32_t* lower = upper + image.width;
        for (int x = 0; x < half.width; ++x, upper += 2, lower += 2) {
            uint32_t mean = kOpaque;
            for (const uint32_t shift : {0U, 8U, 16U}) {
                const int sum =
                    level(upper[0], shift) + level(upper[1], shift) + level(lower[0], shift) + level(lower[1], shift);
                mean |= static_cast<uint32_t>((sum + 2) / 4) << shift;
            }
            half.pixels.push_back(mean);
        }
    }
    return half;
}

std::string palette_png(const PixelImage& image, size_t exact) {
    const Palette palette = palette_of(image, exact);
    std::string colors;
    for (const uint32_t color : palette.colors) append_color(colors, color);
    std::string pixels;
    for (const uint32_t pixel : image.pixels) pixels += static_cast<char>(palette.index_of.at(pixel | kOpaque));
    return png_of_parts(image, kPaletteType, colors, pixels);
}

std::string true_color_png(const PixelImage& image) {
    std::string pixels;
    for (const uint32_t pixel : image.pixels) append_color(pixels, pixel);
    return png_of_parts(image, kTrueColorType, "", pixels);
}

PixelImage picture_in(const std::string& png, const std::string& source) {
    PixelImage image;
    int channels = 0;
    const std::unique_ptr<unsigned char, decltype(&stbi_image_free)> bytes(
        stbi_load_from_memory(reinterpret_cast<const unsigned char*>(png.data()), static_cast<int>(png.size()),
                              &image.width, &image.height, &channels, 4),
        stbi_image_free);
    if (bytes == nullptr) throw InputError(fmt::format("{}: {}", source, stbi_failure_reason()));
    image.pixels.resize(static_cast<size_t>(image.width) * static_cast<size_t>(image.height));
    std::memcpy(image.pixels.data(), bytes.get(), 4 * image.pixels.size());
    for (uint32_t& pixel : image.pixels) pixel |= kOpaque;
    return image;
}

PixelImage read_picture(const std::filesystem::path& file) {
    constexpr size_t kLimit = size_t{1} << 26;  // bytes
    return picture_in(std::string(as_text(read_file(file, kLimit))), file.string());
}

}  // namespace emergence::testing
