#include "core/settings/embedded_settings.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>

#include "core/base/error.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/bytes.h"
#include "core/files/inflate.h"
#include "core/files/npz.h"

namespace emergence {
namespace {

constexpr size_t kLargestFile = size_t{1} << 26;
constexpr size_t kLargestSettings = size_t{1} << 20;

constexpr std::string_view kPngSignature = "\x89PNG\r\n\x1A\n";
constexpr size_t kChunkFrame = 12;  // length, type and checksum

struct PngChunk {
    std::string_view type;
    std::string_view data;
    std::string_view typed;  // type and data, which the checksum covers
    uint32_t crc = 0;
};

// The chunk at `at`; nullopt if the file ends inside it.
std::optional<PngChunk> chunk_at(std::string_view bytes, size_t at) {
    if (at > bytes.size() || bytes.size() - at < kChunkFrame) return std::nullopt;
    const auto length = load_big<uint32_t>(as_bytes(bytes), at);
    if (length > bytes.size() - at - kChunkFrame) return std::nullopt;
    return PngChunk{bytes.substr(at + 4, 4), bytes.substr(at + 8, length), bytes.substr(at + 4, length + 4U),
                    load_big<uint32_t>(as_bytes(bytes), at + 8 + length)};
}

uint32_t chunk_checksum(std::string_view bytes) {
    return static_cast<uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

// An iTXt chunk after its keyword: zero, compression flag, method, language, zero, translated keyword, zero, text.
std::optional<std::string> text_of_chunk(std::string_view data) {
    const size_t keyword = std::string_view(kSettingsKey).size();
    if (data.size() < keyword + 3) return std::nullopt;
    const bool compressed = data[keyword + 1] != '\0';
    const size_t language = data.find('\0', keyword + 3);
    if (language == std::string_view::npos) return std::nullopt;
    const size_t translated = data.find('\0', language + 1);
    if (translated == std::string_view::npos) return std::nullopt;
    const std::string_view text = data.substr(translated + 1);
    if (compressed) return inflate_text(text, kLargestSettings);
    return std::string(text);
}

// A character by its number: "#10" or "#x0A". 0 unless it is ASCII.
char numbered(std::string_view name) {
    const bool hexadecimal = name.starts_with("#x") || name.starts_with("#X");
    name.remove_prefix(std::min<size_t>(name.size(), hexadecimal ? 2 : 1));
    int code = 0;
    const auto result = std::from_chars(name.data(), name.data() + name.size(), code, hexadecimal ? 16 : 10);
    const bool ascii =
        result.ec == std::errc() && result.ptr == name.data() + name.size() && code > 0 && code < 128;
    return ascii ? static_cast<char>(code) : '\0';
}

std::string without_entities(std::string_view text) {
    static constexpr std::pair<std::string_view, char> kNames[] = {
        {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    constexpr size_t kLongestName = 8;
    std::string out;
    for (size_t at = 0; at < text.size(); ++at) {
        const size_t end = text[at] == '&' ? text.substr(at, kLongestName).find(';') : std::string_view::npos;
        if (end == std::string_view::npos) {
            out += text[at];
            continue;
        }
        const std::string_view name = text.substr(at + 1, end - 1);
        char character = name.starts_with('#') ? numbered(name) : '\0';
        for (const auto& [known, meaning] : kNames)
            if (known == name) character = meaning;
        if (character == '\0') {
            out += text[at];
            continue;
        }
        out += character;
        at += end;
    }
    return out;
}

std::optional<std::string> settings_in_npz(std::span<const std::byte> bytes, const std::string& source) {
    const ArrayMap arrays = parse_npz(bytes, source);
    const auto found = arrays.find(kSettingsKey);
    if (found == arrays.end()) return std::nullopt;
    std::string text;
    for (const double code : as_doubles(found->second)) {
        if (!(code >= 0.0 && code < 256.0)) return std::nullopt;
        text += static_cast<char>(static_cast<unsigned char>(code));
    }
    return text;
}

bool is_svg(std::string_view text) {
    const std::string_view head = text.substr(0, 4096);
    return head.find("<svg") != std::string_view::npos || head.starts_with("<?xml");
}

void check_text(std::string_view text, const std::string& source) {
    // Any other file gets this message instead of a syntax error of TOML.
    if (text.find('\0') != std::string_view::npos ||
        (!text.empty() && text.find("experiment") == std::string_view::npos))
        throw InputError(fmt::format(
            "{}: Emergence cannot read this file. It reads figures and data that it exported (PDF, "
            "SVG, PNG, NPZ), and settings (TOML, with an experiment's name)",
            source));
    if (text.size() > kLargestSettings)
        throw InputError(fmt::format("{}: has {} bytes, more than the limit of {} for settings", source,
                                     text.size(), kLargestSettings));
}

}  // namespace

std::optional<std::string> settings_in_svg(std::string_view text) {
    const size_t name = text.find(kSettingsKey);
    if (name == std::string_view::npos) return std::nullopt;
    const size_t tag = text.rfind('<', name);
    if (tag == std::string_view::npos || !text.substr(tag + 1).starts_with("metadata")) return std::nullopt;
    const size_t begin = text.find('>', name);
    const size_t end = begin == std::string_view::npos ? begin : text.find('<', begin);
    if (end == std::string_view::npos) return std::nullopt;
    return without_entities(text.substr(begin + 1, end - begin - 1));
}

std::optional<std::string> settings_in_png(std::string_view bytes, const std::string& source) {
    for (size_t at = kPngSignature.size();;) {
        const auto chunk = chunk_at(bytes, at);
        if (!chunk || chunk->type == "IEND") return std::nullopt;
        if (chunk->type == "iTXt" && chunk->data.starts_with(kSettingsKey + std::string(1, '\0'))) {
            const auto text = text_of_chunk(chunk->data);
            if (!text || chunk_checksum(chunk->typed) != chunk->crc)
                throw InputError(fmt::format("{}: the settings in it are damaged", source));
            return text;
        }
        at += kChunkFrame + chunk->data.size();
    }
}

std::optional<std::string> embedded_text(std::span<const std::byte> bytes, const std::string& source) {
    const std::string_view text = as_text(bytes);
    if (text.starts_with("%PDF-")) return settings_in_pdf(text);
    if (text.starts_with(kPngSignature)) return settings_in_png(text, source);
    if (text.starts_with("PK")) return settings_in_npz(bytes, source);
    return is_svg(text) ? settings_in_svg(text) : std::nullopt;
}

SettingsFile config_in(std::span<const std::byte> bytes, const std::string& source) {
    const std::string_view text = as_text(bytes);
    const bool foreign = is_foreign_array_file(bytes);
    const bool has_place = text.starts_with("%PDF-") || text.starts_with(kPngSignature) ||
                           text.starts_with("PK") || (!foreign && is_svg(text));
    if (!has_place && !foreign) {
        check_text(text, source);
        return parse_settings(text, source);
    }
    const std::optional<std::string> embedded = foreign ? std::nullopt : embedded_text(bytes, source);
    if (!embedded && (foreign || text.starts_with("PK")))
        throw InputError(fmt::format(
            "{}: holds arrays and no settings. To train from weights in it: emergence-cli run td --weights {}",
            source, source));
    if (!embedded)
        throw InputError(fmt::format(
            "{}: holds no settings: it is not by Emergence, or another program has left them out", source));
    check_text(*embedded, source);
    return parse_settings(*embedded, source);
}

Array settings_array(std::string_view text) {
    std::vector<int64_t> codes;
    for (const char c : text) codes.push_back(static_cast<unsigned char>(c));
    return {{codes.size()}, std::move(codes)};
}

SettingsFile read_config_of(const std::filesystem::path& path) {
    return config_in(read_file(path, kLargestFile), path.string());
}

}  // namespace emergence
