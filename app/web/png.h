#pragma once

#include <string>

#include "app/export/export.h"

namespace emergence {

/// The picture as a PNG file without opacity.
std::string png_bytes(const PixelImage& image);

}  // namespace emergence
