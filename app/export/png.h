#pragma once
// Pictures of pixels as files.

#include <string>

#include "app/export/export.h"

namespace emergence {

/// The PNG of `image`, opaque, with its resolution, and with a title and settings inside where read_config_of() finds
/// them. Throws IoError if there is no memory for it.
std::string png_of(const PixelImage& image, const std::string& title, const std::string& config,
                   double dots_per_inch = 96.0);

}  // namespace emergence
