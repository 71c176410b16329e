#pragma once
// Where the fonts are and what draws their glyphs: the desktop's own, or those that a page brings along.

#include <string>

struct ImFontAtlas;

namespace emergence {

enum class FontStyle { regular, bold, mono, slanted };

struct FontFile {
    std::string path;    // "" if the style is not installed
    unsigned flags = 0;  // of the rasteriser
};

FontFile font_file(FontStyle style);
void choose_rasteriser(ImFontAtlas& atlas);

}  // namespace emergence
