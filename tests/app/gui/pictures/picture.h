#pragma once
// Pictures as golden files: reduced, and read back.

#include <filesystem>

#include "app/export/export.h"

namespace emergence::testing {

/// Half as wide and high: each pixel is the mean of four. An odd last row or column is dropped.
PixelImage halved(const PixelImage& image);

/// Any PNG, made opaque. Throws InputError, naming the file.
PixelImage read_picture(const std::filesystem::path& file);

}  // namespace emergence::testing
