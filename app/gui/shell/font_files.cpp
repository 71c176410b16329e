// The fonts of the desktop, drawn by FreeType.
#include "app/gui/shell/font_files.h"

#include <fontconfig/fontconfig.h>
#include <imgui.h>
#include <imgui_freetype.h>

#include <filesystem>
#include <optional>

namespace emergence {
namespace {

constexpr const char* kFolder = "/usr/share/fonts/truetype/dejavu/";

// The file that fontconfig finds for a style of DejaVu; nothing if it offers another family instead.
std::optional<std::string> ask_fontconfig(FontStyle style) {
    FcConfig* config = FcInitLoadConfigAndFonts();
    if (config == nullptr) return std::nullopt;
    const std::string family = style == FontStyle::mono ? "DejaVu Sans Mono" : "DejaVu Sans";
    FcPattern* wanted = FcPatternCreate();
    FcPatternAddString(wanted, FC_FAMILY, reinterpret_cast<const FcChar8*>(family.c_str()));
    FcPatternAddInteger(wanted, FC_WEIGHT, style == FontStyle::bold ? FC_WEIGHT_BOLD : FC_WEIGHT_NORMAL);
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

const char* file_of_style(FontStyle style) {
    switch (style) {
        case FontStyle::regular:
        case FontStyle::slanted:
            return "DejaVuSans.ttf";
        case FontStyle::bold:
            return "DejaVuSans-Bold.ttf";
        case FontStyle::mono:
            return "DejaVuSansMono.ttf";
    }
    return "";
}

std::optional<std::string> find_font(FontStyle style) {
    const std::string fixed = std::string(kFolder) + file_of_style(style);
    std::error_code ignored;
    if (std::filesystem::is_regular_file(fixed, ignored)) return fixed;
    return ask_fontconfig(style);
}

}  // namespace

FontFile font_file(FontStyle style) {
    std::optional<std::string> found = find_font(style);
    if (!found && style == FontStyle::bold) found = find_font(FontStyle::regular);
    // FreeType slants the upright one: not every installation of the family has a file of its own for this.
    const unsigned flags = style == FontStyle::slanted ? static_cast<unsigned>(ImGuiFreeTypeBuilderFlags_Oblique) : 0U;
    return {found.value_or(""), flags};
}

void choose_rasteriser(ImFontAtlas& atlas) {
    atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
}

}  // namespace emergence
