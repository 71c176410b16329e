#include "app/web/png.h"

#include <zlib.h>

#include "app/export/file_format.h"
#include "app/export/pixels.h"
#include "core/base/check.h"
#include "core/base/error.h"

namespace emergence {
namespace {

constexpr double kScreenDots = 96.0;  // per inch

std::string big_endian_of(int value) {
    std::string bytes;
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>((value >> shift) & 0xFF);
    return bytes;
}

// Row by row: the filter's number (1: each byte less the one three to its left), then red, green, blue.
std::string filtered_rows(const PixelImage& image) {
    std::string rows;
    const auto width = static_cast<size_t>(image.width);
    rows.reserve(image.pixels.size() * 3 + static_cast<size_t>(image.height));
    for (size_t i = 0; i < image.pixels.size(); ++i) {
        const bool first = i % width == 0;
        if (first) rows += '\1';
        const uint32_t pixel = image.pixels[i], left = first ? 0U : image.pixels[i - 1];
        for (const int shift : {0, 8, 16}) rows += static_cast<char>((pixel >> shift) - (left >> shift));
    }
    return rows;
}

}  // namespace

std::string png_bytes(const PixelImage& image) {
    check(image.pixels.size() == static_cast<size_t>(image.width) * static_cast<size_t>(image.height),
          "one number a pixel");
    const std::string rows = filtered_rows(image);
    uLongf size = compressBound(static_cast<uLong>(rows.size()));
    std::string packed(size, '\0');
    if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(rows.data()),
                  static_cast<uLong>(rows.size()), Z_DEFAULT_COMPRESSION) != Z_OK)
        throw IoError("the picture cannot be written: too little memory");
    packed.resize(size);
    const std::string header = big_endian_of(image.width) + big_endian_of(image.height) +
                               std::string("\x08\x02\0\0\0", 5);  // eight bits each of red, green, blue
    return "\x89PNG\r\n\x1a\n" + page::png_chunk("IHDR", header) + page::png_chunk("IDAT", packed) +
           page::png_chunk("IEND", "");
}

std::string png_of(const PixelImage& image, const std::string& title, const std::string& config) {
    return page::finished_png(png_bytes(image), kScreenDots, {title, config});
}

}  // namespace emergence
