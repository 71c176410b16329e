// The font atlases. Declared in theme.h.

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

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

// Drawing glyphs takes 50 ms, and a window comes back to few scales: its own and a presentation's.
struct DrawnFonts {
    float scale, least;
    Fonts fonts;
    std::unique_ptr<ImFontAtlas> atlas = std::make_unique<ImFontAtlas>();

    int texels() const { return atlas->TexWidth * atlas->TexHeight; }
};

// Of all that are kept.
constexpr int kMostTexels = 24 << 20;

ImFont* add(ImFontAtlas& atlas, FontStyle style, float size) {
    const FontFile file = font_file(style);
    ImFontConfig config;
    config.OversampleH = 1;
    config.FontBuilderFlags = file.flags;
    if (!file.path.empty())
        if (ImFont* font = atlas.AddFontFromFileTTF(file.path.c_str(), size, &config, kRanges.data())) return font;
    config.SizePixels = std::round(size);
    return atlas.AddFontDefault(&config);
}

DrawnFonts drawn_fonts(float scale, float least) {
    DrawnFonts drawn{scale, least, {}};
    ImFontAtlas& atlas = *drawn.atlas;
    choose_rasteriser(atlas);
    const auto sized = [&](FontStyle style, float type) {
        return add(atlas, style, std::max(least, std::round(type * scale)));
    };
    drawn.fonts = {.large = sized(FontStyle::bold, kHeadlineType),
                   .body = sized(FontStyle::regular, kTextType),
                   .reading = nullptr,
                   .bold = sized(FontStyle::bold, kTextType),
                   .slanted = sized(FontStyle::slanted, kTextType),
                   .small = sized(FontStyle::regular, kSmallType),
                   .mono = sized(FontStyle::mono, kSmallType)};
    drawn.fonts.reading = least > 0.0F ? sized(FontStyle::regular, kReadingType) : drawn.fonts.body;
    atlas.Build();
    atlas.ClearInputData();  // the files' contents
    return drawn;
}

}  // namespace

Fonts load_fonts(float scale, float least) {
    static std::vector<DrawnFonts> kept;  // the one in use is the last
    const auto same = [&](const DrawnFonts& one) { return one.scale == scale && one.least == least; };
    if (const auto found = std::find_if(kept.begin(), kept.end(), same); found != kept.end())
        std::rotate(found, found + 1, kept.end());
    else
        kept.push_back(drawn_fonts(scale, least));
    ImGuiContext& context = *ImGui::GetCurrentContext();
    if (std::exchange(context.FontAtlasOwnedByContext, false)) IM_DELETE(context.IO.Fonts);
    context.IO.Fonts = kept.back().atlas.get();
    context.IO.FontDefault = kept.back().fonts.body;
    int texels = 0;
    for (const DrawnFonts& one : kept) texels += one.texels();
    for (; texels > kMostTexels && kept.size() > 1; kept.erase(kept.begin())) texels -= kept.front().texels();
    return kept.back().fonts;
}

}  // namespace emergence
