#pragma once
// Writes pictures of pixels as PNG, and sequences of them as GIF.

#include <string>

#include "app/export/export.h"

namespace emergence {

/// Takes frames of one size one by one, and keeps only the last of them. Each frame has up to 256 colours of its own.
/// If it has more, similar colours are merged until they fit. The file stores only the part of a frame that has
/// changed.
class GifMaker {
  public:
    GifMaker(int width, int height, const std::string& comment);

    /// Adds a frame that is shown for so many hundredths of a second.
    void add(PixelImage frame, int hundredths);
    /// The bytes of the file, which repeats for ever.
    std::string finished() const { return bytes_ + ';'; }

  private:
    PixelImage last_;
    std::string bytes_;
};

/// Returns the PNG of `image`, opaque, with its resolution, a title and settings, which read_config_of() finds. Throws
/// IoError if there is no memory for it.
std::string png_of(const PixelImage& image, const std::string& title, const std::string& config,
                   double dots_per_inch = 96.0);

}  // namespace emergence
