#pragma once
// Pictures as golden files: reduced, quantised, stored as PNG.

#include <filesystem>
#include <string>

#include "app/export/export.h"

namespace emergence::testing {

/// Half as wide and high: each pixel is the mean of four. An odd last row or column is dropped.
PixelImage halved(const PixelImage& image);

/// The image as a PNG with a palette of at most 256 colours: `exact` of those that fill areas as they are,
/// all others within a few levels. Same image, same bytes.
std::string palette_png(const PixelImage& image, size_t exact = 144);
/// The image as a PNG without loss: about twice the size.
std::string true_color_png(const PixelImage& image);

/// Any PNG, made opaque. Throws InputError, naming the file.
PixelImage read_picture(const std::filesystem::path& file);
/// The same from memory.
PixelImage picture_in(const std::string& png, const std::string& source);

}  // namespace emergence::testing
