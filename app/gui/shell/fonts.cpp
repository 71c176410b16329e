// The font atlas. Declared in theme.h.

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/gui/shell/font_files.h"
#include "app/gui/shell/theme.h"

namespace emergence {
namespace {

// What the labels of a mathematical program need; all of it is in DejaVu Sans.
constexpr std::array<ImWchar, 29> kRanges = {0x0020, 0x00FF,  // Latin
                                             0x0370, 0x03FF,  // Greek
                                             0x1D62, 0x1D6A,  // subscript letters
                                             0x2010, 0x205E,  // dashes, quotes, primes, the double bar of a norm
                                             0x2070, 0x209C,  // super- and subscripts
                                             0x2190, 0x21FF,  // arrows
                                             0x2200, 0x22FF,  // mathematical operators
                                             0x25A0, 0x25FF,  // geometric shapes
                                             0x2605, 0x2606,  // stars
                                             0x2680, 0x2685,  // dice
                                             0x2696, 0x2699,  // scales, a gear
                                             0x270E, 0x270E,  // a pencil
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

Fonts load_fonts(float scale, float least) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    choose_rasteriser(atlas);
    Fonts fonts;
    const auto size = [&](float type) { return std::max(least, std::round(type * scale)); };
    fonts.large = add(FontStyle::bold, size(kHeadlineType));
    fonts.body = add(FontStyle::regular, size(kTextType));
    fonts.reading = least > 0.0F ? add(FontStyle::regular, size(kReadingType)) : fonts.body;
    fonts.bold = add(FontStyle::bold, size(kTextType));
    fonts.slanted = add(FontStyle::slanted, size(kTextType));
    fonts.small = add(FontStyle::regular, size(kSmallType));
    fonts.mono = add(FontStyle::mono, size(kSmallType));
    atlas.Build();
    ImGui::GetIO().FontDefault = fonts.body;
    return fonts;
}

}  // namespace emergence
