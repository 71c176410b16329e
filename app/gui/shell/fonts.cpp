// The font atlas. Declared in theme.h.

#include <fontconfig/fontconfig.h>
#include <imgui.h>
#include <imgui_freetype.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>

#include "app/gui/shell/theme.h"

namespace emergence {
namespace {

// What the labels of a mathematical program need; all of it is in DejaVu Sans.
constexpr std::array<ImWchar, 23> kRanges = {
    0x0020, 0x00FF,  // Latin
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

constexpr const char* kFolder = "/usr/share/fonts/truetype/dejavu/";

enum class Style { regular, bold, mono };

// The file that fontconfig finds for a style of DejaVu; nothing if it offers another family instead.
std::optional<std::string> ask_fontconfig(Style style) {
    FcConfig* config = FcInitLoadConfigAndFonts();
    if (config == nullptr) return std::nullopt;
    const std::string family = style == Style::mono ? "DejaVu Sans Mono" : "DejaVu Sans";
    FcPattern* wanted = FcPatternCreate();
    FcPatternAddString(wanted, FC_FAMILY, reinterpret_cast<const FcChar8*>(family.c_str()));
    FcPatternAddInteger(wanted, FC_WEIGHT, style == Style::bold ? FC_WEIGHT_BOLD : FC_WEIGHT_NORMAL);
    FcConfigSubstitute(config, wanted, FcMatchPattern);
    FcDefaultSubstitute(wanted);
    FcResult result = FcResultNoMatch;
    FcPattern* match = FcFontMatch(config, wanted, &result);
    std::optional<std::string> found;
    FcChar8* offered = nullptr;
    FcChar8* file = nullptr;
    if (match != nullptr && FcPatternGetString(match, FC_FAMILY, 0, &offered) == FcResultMatch &&
        FcPatternGetString(match, FC_FILE, 0, &file) == FcResultMatch &&
        family == reinterpret_cast<const char*>(offered))
        found = reinterpret_cast<const char*>(file);
    if (match != nullptr) FcPatternDestroy(match);
    FcPatternDestroy(wanted);
    FcConfigDestroy(config);
    return found;
}

const char* file_of_style(Style style) {
    switch (style) {
        case Style::regular:
            return "DejaVuSans.ttf";
        case Style::bold:
            return "DejaVuSans-Bold.ttf";
        case Style::mono:
            return "DejaVuSansMono.ttf";
    }
    return "";
}

std::optional<std::string> find_font(Style style) {
    const std::string fixed = std::string(kFolder) + file_of_style(style);
    std::error_code ignored;
    if (std::filesystem::is_regular_file(fixed, ignored)) return fixed;
    return ask_fontconfig(style);
}

ImFont* add(const std::optional<std::string>& file, float size, unsigned flags = 0) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    ImFontConfig config;
    config.OversampleH = 1;
    config.FontBuilderFlags = flags;
    if (file)
        if (ImFont* font = atlas.AddFontFromFileTTF(file->c_str(), size, &config, kRanges.data()))
            return font;
    config.SizePixels = std::round(size);
    return atlas.AddFontDefault(&config);
}

}  // namespace

Fonts load_fonts(float scale) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
    const std::optional<std::string> regular = find_font(Style::regular);
    const std::optional<std::string> bold = find_font(Style::bold);
    Fonts fonts;
    fonts.body = add(regular, std::round(15.0F * scale));
    fonts.bold = add(bold ? bold : regular, std::round(15.0F * scale));
    fonts.small = add(regular, std::round(13.0F * scale));
    fonts.large = add(bold ? bold : regular, std::round(30.0F * scale));
    fonts.mono = add(find_font(Style::mono), std::round(13.0F * scale));
    // Not every installation of the family has a file of its own for this.
    fonts.slanted = add(regular, std::round(15.0F * scale), ImGuiFreeTypeBuilderFlags_Oblique);
    fonts.reading = add(regular, std::round(19.0F * scale));
    atlas.Build();
    ImGui::GetIO().FontDefault = fonts.body;
    return fonts;
}

}  // namespace emergence
