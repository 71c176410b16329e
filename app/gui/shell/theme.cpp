#include "app/gui/shell/theme.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "app/gui/shell/desktop.h"
#include "core/base/error.h"
#include "core/base/ranges.h"

namespace emergence {
void WidgetLog::record(const std::string& name, ImVec2 min, ImVec2 max, ImGuiID id) {
    const ImVec2 centre((min.x + max.x) / 2, (min.y + max.y) / 2);
    const ImVec2 clip_min = ImGui::GetWindowDrawList()->GetClipRectMin();
    const ImVec2 clip_max = ImGui::GetWindowDrawList()->GetClipRectMax();
    const bool visible =
        centre.x >= clip_min.x && centre.x < clip_max.x && centre.y >= clip_min.y && centre.y < clip_max.y;
    const ImGuiWindow* root = ImGui::GetCurrentWindowRead()->RootWindow;
    const bool popup = (root->Flags & ImGuiWindowFlags_Popup) != 0;
    places_[name] = {min, max, visible, ImGui::GetFrameCount(), id, next_++, popup};
}

bool WidgetLog::drawn(const std::string& name) const {
    const auto found = places_.find(name);
    return found != places_.end() && found->second.frame == ImGui::GetFrameCount();
}

const WidgetLog::Place& WidgetLog::place(const std::string& name) const {
    const std::string missing = "the widget was not drawn in the last frame: " + name;
    check(drawn(name), missing.c_str());
    return places_.at(name);
}

ImVec2 WidgetLog::centre(const std::string& name) const {
    const Place& found = place(name);
    const std::string hidden = "the widget is clipped away: " + name;
    check(found.visible, hidden.c_str());
    return {(found.min.x + found.max.x) / 2, (found.min.y + found.max.y) / 2};
}

namespace {

constexpr ImU32 rgb(uint32_t hex) { return IM_COL32((hex >> 16U) & 0xFFU, (hex >> 8U) & 0xFFU, hex & 0xFFU, 0xFF); }

ImVec4 vec(ImU32 color) { return ImGui::ColorConvertU32ToFloat4(color); }

constexpr float kRounding = 6.0F;  // of panels

// Smaller type is not legible.
constexpr float kSmallestScale = 0.9F;

constexpr float kPresentationScale = 1.4F;

// Steps of a twentieth, because every new scale rebuilds the font atlas.
float in_steps(float scale) { return std::floor(scale * 20.0F + 0.01F) / 20.0F; }

// The characters that labels of mathematics need; DejaVu Sans has all of them.
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

// Drawing glyphs takes 50 ms, but a window uses few scales: its own and a presentation's.
struct DrawnFonts {
    float scale, least;
    Fonts fonts;
    std::unique_ptr<ImFontAtlas> atlas = std::make_unique<ImFontAtlas>();

    int texels() const { return atlas->TexWidth * atlas->TexHeight; }
};

// Limit for all stored atlases together.
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
    atlas.ClearInputData();  // releases the font files' contents
    return drawn;
}

}  // namespace

float Ui::px(float length) const { return std::round(length * scale); }

Colors colors_of(Theme theme) {
    const auto color = [theme](uint32_t dark, uint32_t light) { return rgb(theme == Theme::dark ? dark : light); };
    return {.window = color(0x121419, 0xE9ECF0),
            .panel = color(0x1A1D23, 0xFFFFFF),
            .plot = color(0x16191E, 0xFCFCFD),
            .border = color(0x2A2F38, 0xD3D8DF),
            .grid = color(0x262B33, 0xE6E9ED),
            .axis = color(0x596273, 0x8A93A1),
            .control = color(0x2A303A, 0xE7EBF0),
            .hovered = color(0x363E4B, 0xD8DEE6),
            .text = color(0xE8EBF0, 0x14181F),
            .muted = color(0xA3ADBC, 0x525C6B),
            .accent = color(0xC9D1DC, 0x2F3947),
            .on_accent = color(0x14181F, 0xFFFFFF),
            .good = color(0x5CC58F, 0x0B7540),
            .warning = color(0xE9B44C, 0x925B00),
            .bad = color(0xF2726B, 0xBE3427)};
}

float fitting_scale(ImVec2 window, float content_scale) {
    const float filling = std::min(window.x / 1600.0F, window.y / 1000.0F);
    // The design fits into windows of at least 1280 x 760.
    const float largest = std::min(window.x / 1280.0F, window.y / 760.0F);
    const float wanted = std::min(std::max(filling, content_scale), largest);
    return std::max(kSmallestScale, in_steps(wanted));
}

// A user who asks for large type accepts narrow columns and scrolled panels, but no overlaps. A presentation has fewer
// panels, so its type can be larger.
float largest_scale(bool presenting, ImVec2 window) {
    return in_steps(presenting ? std::min(window.x / 900.0F, window.y / 560.0F)
                               : std::min(window.x / 1060.0F, window.y / 640.0F));
}

float scale_for(const Look& look, ImVec2 window, float content_scale) {
    const float large = look.presenting ? kPresentationScale : 1.0F;
    const float wanted = fitting_scale(window, content_scale) * look.ui_scale * large;
    return std::max(kSmallestUiScale, in_steps(std::min(wanted, largest_scale(look.presenting, window))));
}

bool apply_look(Ui& ui, const Look& look, ImVec2 window, float content_scale) {
    const float scale = scale_for(look, window, content_scale);
    const bool first = ui.fonts.body == nullptr;
    const bool resized = first || scale != ui.scale || look.presenting != ui.presenting;
    ui.presenting = look.presenting;
    if (resized) {
        ui.scale = scale;
        ui.fonts = load_fonts(scale, look.presenting ? kLeastPresentedType : 0.0F);
    }
    if (resized || look.theme != ui.theme) {
        ui.theme = look.theme;
        ui.colors = colors_of(look.theme);
        apply_style(ui);
    }
    return resized;
}

void apply_style(const Ui& ui) {
    ImGuiStyle style;
    style.WindowPadding = {ui.px(14), ui.px(12)};
    style.FramePadding = {ui.px(8), ui.px(4)};
    style.ItemSpacing = {ui.px(8), ui.px(6)};
    style.ItemInnerSpacing = {ui.px(6), ui.px(4)};
    style.ScrollbarSize = ui.px(11);
    style.GrabMinSize = ui.px(6);
    style.IndentSpacing = ui.px(12);
    style.WindowRounding = ui.px(kRounding);
    style.ChildRounding = style.PopupRounding = style.FrameRounding = style.GrabRounding = ui.px(4);
    style.ScrollbarRounding = ui.px(6);
    style.WindowBorderSize = style.ChildBorderSize = style.FrameBorderSize = 0.0F;
    style.PopupBorderSize = 1.0F;

    const Colors& c = ui.colors;
    const auto set = [&style](ImGuiCol which, ImU32 color) { style.Colors[which] = vec(color); };
    if (ui.theme == Theme::dark)
        ImGui::StyleColorsDark(&style);
    else
        ImGui::StyleColorsLight(&style);
    // The window is cleared in the panels' colour and only the gaps are painted. Filling the panels would cost software
    // rendering a third of the frame.
    const std::pair<ImU32, std::vector<ImGuiCol>> kUses[] = {
        {c.text, {ImGuiCol_Text}},
        {c.muted, {ImGuiCol_TextDisabled}},
        {c.panel, {ImGuiCol_PopupBg}},
        {c.border, {ImGuiCol_Border, ImGuiCol_Separator}},
        {c.control, {ImGuiCol_FrameBg, ImGuiCol_Button}},
        {c.accent, {ImGuiCol_SliderGrab, ImGuiCol_SliderGrabActive, ImGuiCol_CheckMark}},
        {IM_COL32_BLACK_TRANS, {ImGuiCol_WindowBg, ImGuiCol_ChildBg, ImGuiCol_ScrollbarBg}},
        {c.hovered,
         {ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive, ImGuiCol_ButtonHovered, ImGuiCol_HeaderHovered,
          ImGuiCol_HeaderActive, ImGuiCol_ScrollbarGrab}}};
    for (const auto& [color, uses] : kUses)
        for (const ImGuiCol use : uses) set(use, color);
    set(ImGuiCol_ButtonActive, with_alpha(c.accent, 0.6F));
    set(ImGuiCol_Header, with_alpha(c.accent, 0.25F));
    set(ImGuiCol_TextSelectedBg, with_alpha(c.accent, 0.35F));
    ImGui::GetStyle() = style;
}

ImU32 series_color(const Ui& ui, int index) { return to_color(categorical(index, ui.theme)); }

ImU32 to_color(Rgb color) { return IM_COL32(color.r, color.g, color.b, 0xFF); }

ImU32 with_alpha(ImU32 color, float alpha) {
    const auto opacity = static_cast<ImU32>(std::lround(std::clamp(alpha, 0.0F, 1.0F) * 255.0F));
    return (color & ~IM_COL32_A_MASK) | (opacity << IM_COL32_A_SHIFT);
}

void log_item(const Ui& ui, const std::string& name) {
    if (ui.log != nullptr) ui.log->record(name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), ImGui::GetItemID());
}

Fonts load_fonts(float scale, float least) {
    static std::vector<DrawnFonts> kept;  // the atlas in use is the last one
    const auto same = [&](const DrawnFonts& one) { return one.scale == scale && one.least == least; };
    if (const auto found = find_if(kept, same); found != kept.end())
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
