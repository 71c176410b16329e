#pragma once
// Glyphs as paths, from the fonts that the page brings along.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "app/export/canvas.h"

struct stbtt_fontinfo;

namespace emergence::page {

class OutlineFont {
  public:
    explicit OutlineFont(const std::string& path);
    ~OutlineFont();

    /// The width of a UTF-8 text, in font sizes.
    double width(const std::string& line) const;
    /// The outline of a text as the data of an SVG path.
    std::string path(const std::string& line, const TextPlace& place, double size) const;

  private:
    std::vector<std::byte> bytes_;
    std::unique_ptr<stbtt_fontinfo> info_;
    double unit_ = 0.0;  // unit of the font's coordinates, in font sizes
};

/// The font of figures, upright or bold; read once.
const OutlineFont& outline_font(bool bold);

}  // namespace emergence::page
