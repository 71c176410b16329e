#include "tests/app/gui/pictures/picture.h"

#include <fmt/format.h>
#include <stb/stb_image.h>

#include <cstring>
#include <memory>

#include "core/base/error.h"
#include "core/files/atomic_write.h"

namespace emergence::testing {
namespace {

constexpr uint32_t kOpaque = 0xFF000000U;

uint32_t level(uint32_t color, uint32_t shift) { return (color >> shift) & 0xFFU; }

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
                const uint32_t sum =
                    level(upper[0], shift) + level(upper[1], shift) + level(lower[0], shift) + level(lower[1], shift);
                mean |= ((sum + 2) / 4) << shift;
            }
            half.pixels.push_back(mean);
        }
    }
    return half;
}

PixelImage read_picture(const std::filesystem::path& file) {
    constexpr size_t kLimit = size_t{1} << 26;  // bytes
    const std::string png(as_text(read_file(file, kLimit)));
    PixelImage image;
    int channels = 0;
    const std::unique_ptr<unsigned char, decltype(&stbi_image_free)> bytes(
        stbi_load_from_memory(reinterpret_cast<const unsigned char*>(png.data()), static_cast<int>(png.size()),
                              &image.width, &image.height, &channels, 4),
        stbi_image_free);
    if (bytes == nullptr) throw InputError(fmt::format("{}: {}", file.string(), stbi_failure_reason()));
    image.pixels.resize(static_cast<size_t>(image.width) * static_cast<size_t>(image.height));
    std::memcpy(image.pixels.data(), bytes.get(), 4 * image.pixels.size());
    for (uint32_t& pixel : image.pixels) pixel |= kOpaque;
    return image;
}

}  // namespace emergence::testing
