#pragma once
// Pictures of the screen as files.

#include <string>

#include "app/export/export.h"

namespace emergence {

/// The PNG of `image`, opaque, with a title and settings inside where read_config_of() finds them. Throws
/// IoError.
std::string png_of(const PixelImage& image, const std::string& title, const std::string& config);

}  // namespace emergence
