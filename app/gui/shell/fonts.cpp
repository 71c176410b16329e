// The font atlas. Declared in theme.h.

#include <imgui.h>

#include <array>
#include <cmath>

#include "app/gui/shell/font_files.h"
#include "app/gui/shell/theme.h"

namespace emergence {
namespace {

// What the labels of a mathematical program need; all of it is in DejaVu Sans.
constexpr std::array<ImWchar, 23> kRanges = {0x0020, 0x00FF,  // Latin
                                             0x0370, 0x03FF,  // Greek
                                             0x1D62, 0x1D6A,  // subscript letters
                                             0x2010, 0x205E,  // dashes, quotes, primes, the double bar of a norm
                                             0x2070, 0x209C,  // super- and subscripts
                                             0x2190, 0x21FF,  // arrows
                                             0x2200, 0x22FF,  // mathematical operators
                                             0x25A0, 0x25FF,  // geometric shapes
                                             0x2605, 0x2606,  // stars
                                             0x2713, 0x2718,  // ticks and crosses
                                             0x275A, 0x275A,  // half of a pause sign
                                             0};

ImFont* add(FontStyle style, float size) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    const FontFile file = font_file(style);
    ImFontConfig config;
    config.OversampleH = 1;
    config.FontBuilderFlags = file.flags;
    if (!file.path.empty())
        if (ImFont* font = atlas.AddFontFromFileTTF(file.path.c_str(), size, &config, kRanges.data())) return font;
    config.SizePixels = std::round(size);
    return atlas.AddFontDefault(&config);
}

}  // namespace

Fonts load_fonts(float scale) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    choose_rasteriser(atlas);
    Fonts fonts;
    fonts.body = add(FontStyle::regular, std::round(15.0F * scale));
    fonts.bold = add(FontStyle::bold, std::round(15.0F * scale));
    fonts.small = add(FontStyle::regular, std::round(13.0F * scale));
    fonts.large = add(FontStyle::bold, std::round(30.0F * scale));
    fonts.mono = add(FontStyle::mono, std::round(13.0F * scale));
    fonts.slanted = add(FontStyle::slanted, std::round(15.0F * scale));
    fonts.reading = add(FontStyle::regular, std::round(19.0F * scale));
    atlas.Build();
    ImGui::GetIO().FontDefault = fonts.body;
    return fonts;
}

}  // namespace emergence
