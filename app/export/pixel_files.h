#pragma once
// Pictures of pixels as files: PNG, and GIF, one after the other.

#include <string>

#include "app/export/export.h"

namespace emergence {

/// Takes frames of one size one by one, and keeps only the last of them. Each has up to 256 colours of its own: if it
/// has more, they are made coarser until they fit. Of a frame only the part that has changed is stored.
class GifMaker {
  public:
    GifMaker(int width, int height, const std::string& comment);

    /// A frame that is shown so many hundredths of a second. Throws InputError for another size.
    void add(PixelImage frame, int hundredths);
    int frames() const { return frames_; }
    /// The bytes of the file, which repeats for ever.
    std::string finished() const { return bytes_ + ';'; }

  private:
    int width_, height_, frames_ = 0;
    PixelImage last_;
    std::string bytes_;
};

/// The PNG of `image`, opaque, with its resolution, and with a title and settings inside where read_config_of() finds
/// them. Throws IoError if there is no memory for it.
std::string png_of(const PixelImage& image, const std::string& title, const std::string& config,
                   double dots_per_inch = 96.0);

}  // namespace emergence
