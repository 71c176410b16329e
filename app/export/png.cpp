#include "app/export/png.h"

#include <fmt/format.h>
#include <zlib.h>

#include <climits>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/bytes.h"

namespace {

// As stb wants it: packed with zlib, in memory of malloc(); null on failure.
unsigned char* packed_for_png(const unsigned char* bytes, int count, int* packed, int level) {
    uLongf size = compressBound(static_cast<uLong>(count));
    auto* out = static_cast<unsigned char*>(std::malloc(size));
    if (out == nullptr || compress2(out, &size, bytes, static_cast<uLong>(count), level) != Z_OK) {
        std::free(out);
        return nullptr;
    }
    *packed = static_cast<int>(size);
    return out;
}

}  // namespace

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#define STBIW_ZLIB_COMPRESS packed_for_png
#include <stb/stb_image_write.h>

namespace emergence {
namespace {

// Our pictures are areas of one colour: trying every filter on each line takes three times as long as packing, and the
// file is larger than without any.
[[maybe_unused]] const bool kUnfiltered = [] {
    stbi_write_force_png_filter = 0;
    stbi_write_png_compression_level = 6;
    return true;
}();

std::string big_endian(uint32_t value) {
    std::string bytes;
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>((value >> shift) & 0xFFU);
    return bytes;
}

// Length, type, data and checksum.
std::string chunk(const std::string& type, const std::string& data) {
    const std::string body = type + data;
    return big_endian(static_cast<uint32_t>(data.size())) + body + big_endian(crc_of(as_bytes(body)));
}

// International text: keyword, not compressed, no language, no translated keyword, UTF-8.
std::string text_chunk(const std::string& keyword, const std::string& text) {
    return text.empty() ? "" : chunk("iTXt", keyword + std::string(5, '\0') + shown_lines(text));
}

}  // namespace

std::string png_of(const PixelImage& image, const std::string& title, const std::string& config, double dots_per_inch) {
    constexpr size_t kAfterHeader = 8 + 4 + 4 + 13 + 4;  // signature; IHDR's length, type, data and checksum
    const auto width = static_cast<size_t>(image.width), height = static_cast<size_t>(image.height);
    check(image.pixels.size() == width * height, "one number a pixel");
    if (width == 0 || height == 0 || (3 * width + 1) * height > INT_MAX / 2)
        throw IoError(fmt::format("a picture of {} x {} pixels cannot be written", image.width, image.height));
    std::string colors(3 * image.pixels.size(), '\0');
    char* color = colors.data();
    for (const uint32_t pixel : image.pixels)
        for (const int shift : {0, 8, 16}) *color++ = static_cast<char>((pixel >> shift) & 0xFFU);
    int length = 0;
    const std::unique_ptr<unsigned char, decltype(&std::free)> bytes(
        stbi_write_png_to_mem(reinterpret_cast<const unsigned char*>(colors.data()), 3 * image.width, image.width,
                              image.height, 3, &length),
        std::free);
    if (bytes == nullptr) throw IoError(fmt::format("the picture cannot be written: {}", out_of_memory_text()));
    std::string png(reinterpret_cast<const char*>(bytes.get()), static_cast<size_t>(length));
    const std::string dots_per_metre = big_endian(static_cast<uint32_t>(std::lround(dots_per_inch / 0.0254)));
    // The unit of the resolution is the metre: 1.
    return png.insert(kAfterHeader, chunk("pHYs", dots_per_metre + dots_per_metre + '\1') + text_chunk("Title", title) +
                                        text_chunk(kSettingsKey, config));
}

}  // namespace emergence
