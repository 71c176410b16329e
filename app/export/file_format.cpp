#include "app/export/file_format.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <map>

#include "core/base/check.h"
#include "core/base/utf8.h"
#include "core/files/atomic_write.h"
#include "core/files/bytes.h"
#include "core/settings/embedded_settings.h"

namespace emergence::page {
namespace {

void append_big_endian(std::string& out, uint32_t value) {
    for (const int shift : {24, 16, 8, 0}) out += static_cast<char>((value >> shift) & 0xFFU);
}

// XML has no control characters, not even escaped.
std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : shown_lines(text)) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                out += c;
        }
    }
    return out;
}

/// Cairo numbers surfaces and images over the whole process ("surface17"); number them over this file
/// instead.
std::string with_stable_names(const std::string& svg) {
    std::map<std::string, size_t> numbers;
    std::string out;
    size_t done = 0;
    for (size_t at = svg.find_first_of("si"); at != std::string::npos; at = svg.find_first_of("si", at + 1)) {
        size_t end = at;
        for (const std::string_view stem : {"surface", "image"})
            if (svg.compare(at, stem.size(), stem) == 0) end = at + stem.size();
        const size_t digits = end;
        while (end < svg.size() && std::isdigit(static_cast<unsigned char>(svg[end])) != 0) ++end;
        if (end == digits) continue;
        const auto [entry, is_new] = numbers.try_emplace(svg.substr(at, end - at), numbers.size() + 1);
        out += svg.substr(done, digits - done) + std::to_string(entry->second);
        done = end;
        at = end - 1;
    }
    return out + svg.substr(done);
}

/// International text: keyword, not compressed, no language, no translated keyword, UTF-8.
std::string png_text(const std::string& keyword, const std::string& text) {
    return text.empty() ? "" : png_chunk("iTXt", keyword + std::string(5, '\0') + shown_lines(text));
}

}  // namespace

std::string png_chunk(const std::string& type, const std::string& data) {
    std::string out;
    append_big_endian(out, static_cast<uint32_t>(data.size()));
    const std::string body = type + data;
    out += body;
    append_big_endian(out, crc_of(as_bytes(body)));
    return out;
}

std::string set_text(const std::string& line) {
    static const std::map<char, const char*> kLow = {{'k', "\u2096"}, {'l', "\u2097"}, {'m', "\u2098"},
                                                     {'n', "\u2099"}, {'s', "\u209B"}, {'t', "\u209C"}};
    std::string text = shown_text(line);
    const auto is_word = [&text](size_t at) {
        if (at >= text.size()) return false;
        const auto byte = static_cast<unsigned char>(text[at]);
        return byte >= 0x80 || byte == '_' || std::isalnum(byte) != 0;
    };
    for (size_t at = text.find('_', 1); at < text.size(); at = text.find('_', at + 1)) {
        size_t letter = at - 1;  // where it begins
        while (letter > 0 && (static_cast<unsigned char>(text[letter]) & 0xC0U) == 0x80U) --letter;
        const auto low = kLow.find(at + 1 < text.size() ? text[at + 1] : ' ');
        if (low == kLow.end() || !is_word(letter) || (letter > 0 && is_word(letter - 1)) || is_word(at + 2)) continue;
        text.replace(at, 2, low->second);
    }
    return text;
}

std::string svg_text_element(const std::string& line, const TextPlace& place, const TextStyle& style) {
    const std::string turn = place.quarter_turns == 0 ? "" : fmt::format(" rotate({})", -90 * place.quarter_turns);
    return fmt::format(
        "<text transform=\"translate({:.2f} {:.2f}){}\" x=\"{:.2f}\" font-size=\"{:.2f}\"{} "
        "fill=\"#{:02x}{:02x}{:02x}\" "
        "textLength=\"{:.2f}\" lengthAdjust=\"spacingAndGlyphs\">{}</text>\n",
        place.baseline.x, place.baseline.y, turn, place.shift, style.size, style.bold ? " font-weight=\"bold\"" : "",
        style.ink.color.r, style.ink.color.g, style.ink.color.b, place.width, escaped(line));
}

std::string finished_svg(const std::string& svg, const std::string& text_elements, const Metadata& metadata) {
    std::string out = with_stable_names(svg);
    const size_t root = out.find("<svg");
    const size_t end = out.rfind("</svg>");
    check(root != std::string::npos && end != std::string::npos, "Cairo writes SVG with a root element");
    out.insert(end, fmt::format("<g font-family=\"'{}', Verdana, sans-serif\">\n{}</g>\n", kFontFamily, text_elements));
    std::string head = fmt::format("\n<title>{}</title>", escaped(metadata.title));
    if (!metadata.config.empty())
        head += fmt::format("\n<metadata id=\"{}\">{}</metadata>", kSettingsKey, escaped(metadata.config));
    out.insert(out.find('>', root) + 1, head);
    return out;
}

std::string finished_png(const std::string& png, double dots_per_inch, const Metadata& metadata) {
    constexpr size_t kAfterHeader = 8 + 4 + 4 + 13 + 4;  // signature; IHDR's length, type, data and checksum
    check(png.size() > kAfterHeader, "Cairo writes PNG with a header");
    std::string resolution;
    const auto dots_per_metre = static_cast<uint32_t>(std::lround(dots_per_inch / 0.0254));
    append_big_endian(resolution, dots_per_metre);
    append_big_endian(resolution, dots_per_metre);
    resolution += '\1';  // the unit is the metre
    return png.substr(0, kAfterHeader) + png_chunk("pHYs", resolution) + png_text("Title", metadata.title) +
           png_text(kSettingsKey, metadata.config) + png.substr(kAfterHeader);
}

}  // namespace emergence::page
