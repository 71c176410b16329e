#include "app/web/outlines.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
#endif
#include <imstb_truetype.h>
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

#include "core/files/atomic_write.h"

namespace emergence::page {
namespace {

constexpr size_t kLargestFont = size_t{1} << 22;

std::vector<int> characters_of(const std::string& line) {
    std::vector<int> characters;
    for (const char *at = line.c_str(), *end = at + line.size(); at < end;) {
        unsigned character = 0;
        at += ImTextCharFromUtf8(&character, at, end);
        characters.push_back(static_cast<int>(character));
    }
    return characters;
}

}  // namespace

OutlineFont::OutlineFont(const std::string& path)
    : bytes_(read_file(path, kLargestFont)), info_(std::make_unique<stbtt_fontinfo>()) {
    const auto* data = reinterpret_cast<const unsigned char*>(bytes_.data());
    stbtt_InitFont(info_.get(), data, stbtt_GetFontOffsetForIndex(data, 0));
    unit_ = static_cast<double>(stbtt_ScaleForMappingEmToPixels(info_.get(), 1.0F));
}

OutlineFont::~OutlineFont() = default;

double OutlineFont::width(const std::string& line) const {
    double total = 0.0;
    for (const int character : characters_of(line)) {
        int advance = 0;
        stbtt_GetCodepointHMetrics(info_.get(), character, &advance, nullptr);
        total += advance * unit_;
    }
    return total;
}

std::string OutlineFont::path(const std::string& line, const TextPlace& place, double size) const {
    static constexpr double kCosines[] = {1.0, 0.0, -1.0, 0.0}, kSines[] = {0.0, 1.0, 0.0, -1.0};
    const auto turn = static_cast<size_t>(place.quarter_turns & 3);
    double along = place.shift;
    std::string out;
    // (x, y) are in the font's coordinates, with y upwards.
    const auto add = [&](int x, int y) {
        const double right = along + x * unit_ * size, up = y * unit_ * size;
        out += fmt::format(" {:.3f} {:.3f}", place.baseline.x + kCosines[turn] * right - kSines[turn] * up,
                           place.baseline.y - kSines[turn] * right - kCosines[turn] * up);
    };
    for (const int character : characters_of(line)) {
        stbtt_vertex* corners = nullptr;
        const int count = stbtt_GetCodepointShape(info_.get(), character, &corners);
        for (int i = 0; i < count; ++i) {
            const stbtt_vertex& corner = corners[i];
            if (corner.type == STBTT_vmove && i > 0) out += 'Z';
            out += corner.type == STBTT_vmove ? 'M' : corner.type == STBTT_vline ? 'L' : 'Q';
            if (corner.type == STBTT_vcurve) add(corner.cx, corner.cy);
            add(corner.x, corner.y);
        }
        if (count > 0) out += 'Z';
        stbtt_FreeShape(info_.get(), corners);
        int advance = 0;
        stbtt_GetCodepointHMetrics(info_.get(), character, &advance, nullptr);
        along += advance * unit_ * size;
    }
    return out;
}

const OutlineFont& outline_font(bool bold) {
    static const OutlineFont upright("/fonts/regular.ttf");
    static const OutlineFont heavy("/fonts/bold.ttf");
    return bold ? heavy : upright;
}

}  // namespace emergence::page
