#include <fmt/format.h>
#include <zlib.h>
#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "app/export/pixel_files.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/bytes.h"

namespace emergence {
namespace {

constexpr size_t kMostColors = 256;
constexpr size_t kLongestBlock = 255;
constexpr int kMostCodes = 4096;

struct Part {
    int x = 0, y = 0, width = 1, height = 1;
};

void add_short(std::string& bytes, int value) {
    bytes += static_cast<char>(value & 0xFF);
    bytes += static_cast<char>((value >> 8) & 0xFF);
}

// Writes blocks that begin with their length. An empty one ends them.
void add_blocks(std::string& bytes, const std::string& data) {
    for (size_t at = 0; at < data.size(); at += kLongestBlock) {
        const std::string block = data.substr(at, kLongestBlock);
        bytes += static_cast<char>(block.size());
        bytes += block;
    }
    bytes += '\0';
}

uint32_t pixel(const PixelImage& image, int x, int y) {
    return image.pixels[static_cast<size_t>(y) * static_cast<size_t>(image.width) + static_cast<size_t>(x)] & 0xFFFFFFU;
}

// The smallest rectangle that holds all changes, or one pixel if nothing changed.
Part changed_part(const PixelImage& before, const PixelImage& now) {
    if (before.pixels.empty()) return {0, 0, now.width, now.height};
    int left = now.width, right = -1, top = now.height, bottom = -1;
    for (int y = 0; y < now.height; ++y)
        for (int x = 0; x < now.width; ++x) {
            if (pixel(before, x, y) == pixel(now, x, y)) continue;
            left = std::min(left, x);
            right = std::max(right, x);
            top = std::min(top, y);
            bottom = std::max(bottom, y);
        }
    if (right < 0) return {};
    return {left, top, right - left + 1, bottom - top + 1};
}

// The colours of a part, and which of them each pixel has.
struct Indexed {
    std::vector<uint32_t> colors;
    std::vector<uint8_t> pixels;
};

// Areas keep their colours, which would otherwise flicker from frame to frame. So this takes the colours of at least a
// thousandth of the part, the most frequent first.
std::vector<uint32_t> colors_of_areas(const std::map<uint32_t, uint64_t>& counts, size_t pixels) {
    constexpr size_t kShare = 1000, kMostAreas = 128;
    std::vector<std::pair<uint64_t, uint32_t>> frequent;
    for (const auto& [color, count] : counts)
        if (count * kShare >= pixels) frequent.emplace_back(count, color);
    std::sort(frequent.rbegin(), frequent.rend());
    std::vector<uint32_t> colors;
    for (const auto& [count, color] : frequent)
        if (colors.size() < kMostAreas) colors.push_back(color);
    return colors;
}

// Other colours that agree in their upper bits become their mean. Returns nothing if these are too many.
bool join_others(const std::map<uint32_t, uint64_t>& counts, int dropped_bits, std::vector<uint32_t>& colors,
                 std::map<uint32_t, uint8_t>& indices) {
    const uint32_t mask = 0x010101U * ((0xFFU << static_cast<unsigned>(dropped_bits)) & 0xFFU);
    struct Sum {
        std::array<uint64_t, 3> of{};
        uint64_t count = 0;
        std::vector<uint32_t> members;
    };
    std::map<uint32_t, Sum> sums;
    for (const auto& [color, count] : counts) {
        if (indices.contains(color)) continue;
        Sum& sum = sums[color & mask];
        if (colors.size() + sums.size() > kMostColors) return false;
        for (unsigned channel = 0; channel < 3; ++channel)
            sum.of[channel] += count * ((color >> (8 * channel)) & 0xFFU);
        sum.count += count;
        sum.members.push_back(color);
    }
    for (const auto& [key, sum] : sums) {
        uint32_t mean = 0;
        for (unsigned channel = 0; channel < 3; ++channel)
            mean |= static_cast<uint32_t>((sum.of[channel] + sum.count / 2) / sum.count) << (8 * channel);
        for (const uint32_t color : sum.members) indices[color] = static_cast<uint8_t>(colors.size());
        colors.push_back(mean);
    }
    return true;
}

Indexed indexed_part(const PixelImage& image, const Part& part) {
    std::map<uint32_t, uint64_t> counts;
    for (int y = part.y; y < part.y + part.height; ++y)
        for (int x = part.x; x < part.x + part.width; ++x) ++counts[pixel(image, x, y)];
    const auto pixels = static_cast<size_t>(part.width) * static_cast<size_t>(part.height);
    Indexed indexed{colors_of_areas(counts, pixels), {}};
    std::map<uint32_t, uint8_t> indices;
    for (size_t i = 0; i < indexed.colors.size(); ++i) indices[indexed.colors[i]] = static_cast<uint8_t>(i);
    for (int dropped = 0; !join_others(counts, dropped, indexed.colors, indices);) ++dropped;
    indexed.pixels.reserve(pixels);
    for (int y = part.y; y < part.y + part.height; ++y)
        for (int x = part.x; x < part.x + part.width; ++x) indexed.pixels.push_back(indices.at(pixel(image, x, y)));
    return indexed;
}

// Writes codes of growing length, the lowest bit first.
class Bits {
  public:
    void add(int code, int length) {
        held_ |= static_cast<uint32_t>(code) << count_;
        for (count_ += static_cast<unsigned>(length); count_ >= 8; count_ -= 8, held_ >>= 8U)
            bytes_ += static_cast<char>(held_ & 0xFFU);
    }
    std::string finished() {
        if (count_ > 0) bytes_ += static_cast<char>(held_ & 0xFFU);
        return std::move(bytes_);
    }

  private:
    std::string bytes_;
    uint32_t held_ = 0;
    unsigned count_ = 0;
};

// Packs by LZW in GIF's variant.
std::string compressed(const std::vector<uint8_t>& pixels, int color_bits) {
    const int clear = 1 << color_bits, end = clear + 1;
    std::vector<int16_t> longer;  // the code for a code and a colour that follows it
    int next = 0, length = 0;
    const auto start = [&] {
        longer.assign(static_cast<size_t>(kMostCodes) * kMostColors, -1);
        next = end + 1;
        length = color_bits + 1;
    };
    Bits bits;
    start();
    bits.add(clear, length);
    int code = pixels.front();
    for (size_t i = 1; i < pixels.size(); ++i) {
        int16_t& both = longer[static_cast<size_t>(code) * kMostColors + pixels[i]];
        if (both >= 0) {
            code = both;
            continue;
        }
        bits.add(code, length);
        code = pixels[i];
        if (next == kMostCodes) {
            bits.add(clear, length);
            start();
            continue;
        }
        both = static_cast<int16_t>(next);
        if (next++ == 1 << length) ++length;
    }
    bits.add(code, length);
    bits.add(end, length);
    return bits.finished();
}

}  // namespace

GifMaker::GifMaker(int width, int height, const std::string& comment) : bytes_("GIF89a") {
    add_short(bytes_, width);
    add_short(bytes_, height);
    bytes_ += std::string("\x70\0\0", 3);               // each frame has its own colours
    bytes_ += std::string("!\xFF\x0BNETSCAPE2.0", 14);  // makes it repeat
    bytes_ += std::string("\x03\x01\0\0\0", 5);
    if (comment.empty()) return;
    bytes_ += "!\xFE";
    add_blocks(bytes_, comment);
}

void GifMaker::add(PixelImage frame, int hundredths) {
    const Part part = changed_part(last_, frame);
    Indexed indexed = indexed_part(frame, part);
    int color_bits = 2;
    while (size_t{1} << static_cast<unsigned>(color_bits) < indexed.colors.size()) ++color_bits;
    bytes_ += std::string("!\xF9\x04\x04", 4);  // keeps it until the next one is drawn over it
    add_short(bytes_, hundredths);
    bytes_ += std::string("\0\0,", 3);
    for (const int value : {part.x, part.y, part.width, part.height}) add_short(bytes_, value);
    bytes_ += static_cast<char>(0x80 | (color_bits - 1));
    indexed.colors.resize(size_t{1} << static_cast<unsigned>(color_bits));
    for (const uint32_t color : indexed.colors)
        for (unsigned channel = 0; channel < 3; ++channel)
            bytes_ += static_cast<char>((color >> (8 * channel)) & 0xFFU);
    bytes_ += static_cast<char>(color_bits);
    add_blocks(bytes_, compressed(indexed.pixels, color_bits));
    last_ = std::move(frame);
}

}  // namespace emergence

namespace {

// Packs with zlib as stb expects, into memory of malloc(). Returns null on failure.
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

// Our pictures are areas of one colour. Trying every filter on each line takes three times as long as packing, and
// makes the file larger.
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

// A chunk has its length, its type, its data and a checksum.
std::string chunk(const std::string& type, const std::string& data) {
    const std::string body = type + data;
    return big_endian(static_cast<uint32_t>(data.size())) + body + big_endian(crc_of(as_bytes(body)));
}

// An international text has a keyword. Here it has no compression, language or translated keyword, and is in UTF-8.
std::string text_chunk(const std::string& keyword, const std::string& text) {
    return text.empty() ? "" : chunk("iTXt", keyword + std::string(5, '\0') + shown_lines(text));
}

}  // namespace

std::string png_of(const PixelImage& image, const std::string& title, const std::string& config, double dots_per_inch) {
    constexpr size_t kAfterHeader = 8 + 4 + 4 + 13 + 4;  // signature, and IHDR's length, type, data and checksum
    const auto width = static_cast<size_t>(image.width), height = static_cast<size_t>(image.height);
    check(image.pixels.size() == width * height, "one number a pixel");
    if (width == 0 || height == 0 || (3 * width + 1) * height > INT_MAX / 2)
        throw IoError("a picture of {} x {} pixels cannot be written", image.width, image.height);
    std::string colors(3 * image.pixels.size(), '\0');
    char* color = colors.data();
    for (const uint32_t pixel : image.pixels)
        for (const int shift : {0, 8, 16}) *color++ = static_cast<char>((pixel >> shift) & 0xFFU);
    int length = 0;
    const std::unique_ptr<unsigned char, decltype(&std::free)> bytes(
        stbi_write_png_to_mem(reinterpret_cast<const unsigned char*>(colors.data()), 3 * image.width, image.width,
                              image.height, 3, &length),
        std::free);
    if (bytes == nullptr) throw IoError("the picture cannot be written: {}", out_of_memory_text());
    std::string png(reinterpret_cast<const char*>(bytes.get()), static_cast<size_t>(length));
    const std::string dots_per_metre = big_endian(static_cast<uint32_t>(std::lround(dots_per_inch / 0.0254)));
    // The value 1 says that the resolution is per metre.
    return png.insert(kAfterHeader, chunk("pHYs", dots_per_metre + dots_per_metre + '\1') + text_chunk("Title", title) +
                                        text_chunk(kSettingsKey, config));
}

}  // namespace emergence
