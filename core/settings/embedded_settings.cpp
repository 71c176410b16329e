#include "core/settings/embedded_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/atomic_write.h"
#include "core/files/bytes.h"
#include "core/files/text.h"
#include "core/settings/toml_reader.h"

namespace emergence {

// A PDF has the settings in the keywords of its document information, in a plain object or in an object stream
// (PDF 1.5).

namespace {

// The longest string that is read, in characters of the file: UTF-16 may be in hexadecimal digits.
constexpr size_t kLongestText = size_t{1} << 21;
// The longest object stream that is read, unpacked.
constexpr size_t kLongestStream = size_t{1} << 22;
// How many keywords and object streams are tried.
constexpr int kMostCandidates = 8;
// How many references are followed: each searches the whole file.
constexpr int kMostReferences = 4;
constexpr std::string_view kKeywords = "/Keywords";
constexpr std::string_view kObjectStream = "/ObjStm";

// The bytes of a hexadecimal string <FEFF0067...>; `text` begins after the bracket.
std::optional<std::string> hex_string(std::string_view text) {
    const size_t end = text.substr(0, kLongestText).find('>');
    if (end == std::string_view::npos) return std::nullopt;
    std::string digits(text.substr(0, end)), bytes;
    std::erase_if(digits, [](unsigned char c) { return std::isspace(c) != 0; });
    digits += digits.size() % 2 == 1 ? "0" : "";
    for (size_t at = 0; at < digits.size(); at += 2) {
        const auto byte = parsed<uint8_t>(std::string_view(digits).substr(at, 2), 16);
        if (!byte) return std::nullopt;
        bytes += static_cast<char>(*byte);
    }
    return bytes;
}

// The characters that an escape sequence stands for. `at` is the place after the backslash and moves to the last
// character of the sequence.
std::string unescaped(std::string_view text, size_t& at) {
    const char c = text[at];
    static constexpr std::string_view kLetters = "nrtbf", kMeanings = "\n\r\t\b\f";
    if (const size_t letter = kLetters.find(c); letter != std::string_view::npos) return {kMeanings[letter]};
    if (c == '\n') return "";  // the string continues on the next line
    if (c < '0' || c > '7') return {c};
    int code = 0;
    size_t end = at;
    while (end < text.size() && end < at + 3 && text[end] >= '0' && text[end] <= '7')
        code = code * 8 + (text[end++] - '0');
    at = end - 1;
    return {static_cast<char>(code)};
}

// The bytes of a literal string (gamma = 0.9); `text` begins after the bracket.
std::optional<std::string> literal_string(std::string_view text) {
    text = text.substr(0, kLongestText);
    std::string bytes;
    int depth = 1;
    for (size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '\\') {
            if (++at < text.size()) bytes += unescaped(text, at);
            continue;
        }
        if (c == '(') ++depth;
        if (c == ')' && --depth == 0) return bytes;
        bytes += c;
    }
    return std::nullopt;
}

// A PDF text string as UTF-8: from UTF-16 with its mark, from UTF-8, or from one byte per character.
std::string decoded(const std::string& bytes) {
    if (bytes.starts_with("\xEF\xBB\xBF")) return bytes.substr(3);
    if (!bytes.starts_with("\xFE\xFF")) return utf8_or_latin1(bytes);
    const auto unit = [&](size_t at) {
        return static_cast<uint32_t>(static_cast<unsigned char>(bytes[at])) << 8 |
               static_cast<unsigned char>(bytes[at + 1]);
    };
    std::string text;
    for (size_t at = 2; at + 1 < bytes.size(); at += 2) {
        uint32_t code = unit(at);
        const bool high = code >= 0xD800 && code < 0xDC00;
        if (high && at + 3 < bytes.size() && unit(at + 2) >= 0xDC00 && unit(at + 2) < 0xE000) {
            code = 0x10000 + ((code - 0xD800) << 10) + (unit(at + 2) - 0xDC00);
            at += 2;
        }
        append_utf8(text, code);
    }
    return text;
}

// The object that "12 0 R" refers to; empty if there is none.
std::string_view referred(std::string_view file, std::string_view reference) {
    size_t digits = 0;
    while (digits < reference.size() && digits < 10 && std::isdigit(static_cast<unsigned char>(reference[digits])))
        ++digits;
    if (digits == 0) return {};
    const std::string head = fmt::format("\n{} 0 obj", reference.substr(0, digits));
    const size_t at = file.rfind(head);
    return at == std::string_view::npos ? std::string_view{} : file.substr(at + head.size());
}

std::optional<std::string> string_at(std::string_view text) {
    if (text.starts_with('(')) return literal_string(text.substr(1));
    if (text.starts_with('<')) return hex_string(text.substr(1));
    return std::nullopt;
}

// What `read` finds behind the last occurrences of `key`: a changed file has its newest objects at its end.
std::optional<std::string> found_from_end(std::string_view text, std::string_view key, const auto& read) {
    size_t at = text.rfind(key);
    for (int i = 0; i < kMostCandidates && at != std::string_view::npos; ++i) {
        if (std::optional<std::string> found = read(text.substr(at + key.size()))) return found;
        at = at == 0 ? std::string_view::npos : text.rfind(key, at - 1);
    }
    return std::nullopt;
}

std::optional<std::string> if_settings(std::string text) {
    return text.find("experiment") != std::string::npos ? std::optional(std::move(text)) : std::nullopt;
}

// The keywords in `part` of `file`. `left`: how many references may still be followed.
std::optional<std::string> keywords_in(std::string_view part, std::string_view file, int& left) {
    return found_from_end(part, kKeywords, [&](std::string_view value) -> std::optional<std::string> {
        value = trimmed(value);
        if (!value.empty() && std::isdigit(static_cast<unsigned char>(value[0])) != 0 && left-- > 0)
            value = trimmed(referred(file, value));
        const auto bytes = string_at(value);
        return bytes ? if_settings(decoded(*bytes)) : std::nullopt;
    });
}

std::optional<std::string> unpacked_stream(std::string_view object) {
    size_t begin = object.find("stream");
    if (begin == std::string_view::npos) return std::nullopt;
    begin += 6;
    begin += object.substr(begin).starts_with("\r\n") ? 2 : object.substr(begin).starts_with('\n') ? 1 : 0;
    return inflate_text(object.substr(begin, kLongestStream), kLongestStream);
}

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

// The text of a chunk with the settings' keyword. All three kinds are read, because a program that saves the picture
// again may choose any of them.
//
//     tEXt    keyword, zero, Latin-1
//     zTXt    keyword, zero, method, compressed Latin-1
//     iTXt    keyword, zero, compression flag, method, language, zero, translated keyword, zero, UTF-8
std::optional<std::string> text_of_chunk(const PngChunk& chunk) {
    std::string_view data = chunk.data.substr(std::string_view(kSettingsKey).size() + 1);
    bool compressed = chunk.type == "zTXt";
    if (compressed) {
        data.remove_prefix(std::min<size_t>(data.size(), 1));
    } else if (chunk.type == "iTXt") {
        if (data.size() < 2) return std::nullopt;
        compressed = data[0] != '\0';
        data.remove_prefix(2);
        for (int skipped = 0; skipped < 2; ++skipped) {
            const size_t zero = data.find('\0');
            if (zero == std::string_view::npos) return std::nullopt;
            data.remove_prefix(zero + 1);
        }
    }
    const std::optional<std::string> text = compressed ? inflate_text(data, kMostTomlBytes) : std::string(data);
    return text ? std::optional(utf8_or_latin1(*text)) : std::nullopt;
}

// The character of an entity "#10" or "#x0A"; 0 if there is no such character.
char32_t numbered(std::string_view name) {
    const bool hexadecimal = name.starts_with("#x") || name.starts_with("#X");
    name.remove_prefix(std::min<size_t>(name.size(), hexadecimal ? 2 : 1));
    const auto code = parsed<uint32_t>(name, hexadecimal ? 16 : 10);
    return code && *code < 0x110000 ? *code : 0;
}

}  // namespace

std::string without_entities(std::string_view text) {
    static constexpr std::pair<std::string_view, char> kNames[] = {
        {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    constexpr size_t kLongestName = 12;
    std::string out;
    for (size_t at = 0; at < text.size(); ++at) {
        const size_t end = text[at] == '&' ? text.substr(at, kLongestName).find(';') : std::string_view::npos;
        if (end == std::string_view::npos) {
            out += text[at];
            continue;
        }
        const std::string_view name = text.substr(at + 1, end - 1);
        char32_t character = name.starts_with('#') ? numbered(name) : 0;
        for (const auto& [known, meaning] : kNames)
            if (known == name) character = static_cast<unsigned char>(meaning);
        if (character == 0) {
            out += text[at];
            continue;
        }
        append_utf8(out, character);
        at += end;
    }
    return out;
}

static std::optional<std::string> settings_in_npz(std::span<const std::byte> bytes, const std::string& source) {
    ArrayFile file(bytes, source, sizeof(int64_t) * kMostTomlBytes);
    const Array* found = file.find(kSettingsKey);
    return found == nullptr ? std::nullopt : text_of_codes(*found);
}

static bool is_svg(std::string_view text) {
    const std::string_view head = text.substr(0, 4096);
    return head.find("<svg") != std::string_view::npos || head.starts_with("<?xml");
}

[[noreturn]] static void refuse_kind(const std::string& source) {
    throw InputError(
        "{}: Emergence cannot read this file. It reads figures and data that it exported (PDF, SVG, PNG, NPZ), "
        "settings (TOML with an experiment's name) and worlds (TOML with transition, reward and features)",
        source);
}

// For TOML files and near misses the message names the wrong line; for other files it lists what can be read.
static SettingsFile settings_of_text(std::string_view text, const std::string& source) {
    const auto names_experiment = [](std::string_view of) { return of.find("experiment") != std::string_view::npos; };
    const bool is_toml = source.ends_with(".toml") || names_experiment(text) || is_wide_text(text);
    if (!text.empty() && !is_toml) refuse_kind(source);
    const std::string plain = plain_text(text, source);
    if (!plain.empty() && !names_experiment(plain)) {
        parse_toml(plain, source);
        refuse_kind(source);
    }
    return parse_settings(plain, source);
}

// The element's text; `text` begins behind its opening tag.
static std::optional<std::string> element_text(std::string_view text) {
    constexpr std::string_view kData = "<![CDATA[";
    const std::string_view inner = trimmed(text);
    const bool verbatim = inner.starts_with(kData);
    if (verbatim) text = inner.substr(kData.size());
    const size_t end = verbatim ? text.find("]]>") : text.find('<');
    if (end == std::string_view::npos) return std::nullopt;
    return verbatim ? std::string(text.substr(0, end)) : without_entities(text.substr(0, end));
}

std::optional<std::string> settings_in_pdf(std::string_view bytes) {
    int references = kMostReferences;
    if (const auto text = keywords_in(bytes, bytes, references)) return text;
    return found_from_end(bytes, kObjectStream, [&](std::string_view object) {
        const auto objects = unpacked_stream(object);
        return objects ? keywords_in(*objects, bytes, references) : std::nullopt;
    });
}

std::optional<std::string> settings_in_svg(std::string_view text) {
    size_t name = text.find(kSettingsKey);
    for (int i = 0; i < kMostCandidates && name != std::string_view::npos;
         ++i, name = text.find(kSettingsKey, name + 1)) {
        const size_t tag = text.rfind('<', name);
        const size_t begin = text.find('>', name);
        if (tag == std::string_view::npos || begin == std::string_view::npos) continue;
        // An editor may give elements a prefix: svg:metadata.
        const std::string_view element = text.substr(tag + 1, text.find_first_of(" \t\r\n", tag) - tag - 1);
        if (element != "metadata" && !element.ends_with(":metadata")) continue;
        if (auto found = element_text(text.substr(begin + 1))) return found;
    }
    return std::nullopt;
}

std::optional<std::string> settings_in_png(std::string_view bytes, const std::string& source) {
    int damaged = 0;
    for (size_t at = kPngSignature.size(); damaged < kMostCandidates;) {
        const auto chunk = chunk_at(bytes, at);
        if (!chunk || chunk->type == "IEND") break;
        const bool is_text = chunk->type == "iTXt" || chunk->type == "tEXt" || chunk->type == "zTXt";
        if (is_text && chunk->data.starts_with(kSettingsKey + std::string(1, '\0'))) {
            auto text = text_of_chunk(*chunk);
            if (text && crc_of(as_bytes(chunk->typed)) == chunk->crc) return text;
            ++damaged;
        }
        at += kChunkFrame + chunk->data.size();
    }
    if (damaged > 0) throw InputError("{}: its settings are damaged", source);
    return std::nullopt;
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
    const bool foreign = is_foreign_array_file(bytes), arrays = foreign || text.starts_with("PK");
    if (!arrays && !text.starts_with("%PDF-") && !text.starts_with(kPngSignature) && !is_svg(text))
        return settings_of_text(text, source);
    const std::optional<std::string> embedded = foreign ? std::nullopt : embedded_text(bytes, source);
    if (embedded) return settings_of_text(*embedded, source);
    if (arrays)
        throw InputError("{}: holds arrays but no settings. To train from its weights: {}", source,
                         shell_command({"run", "td", "--weights", path_argument(source)}));
    throw InputError("{}: holds no settings. Emergence did not write it, or another program removed them", source);
}

SettingsFile read_config_of(const std::filesystem::path& path) {
    return config_in(read_file(path, kMostFigureBytes), path.string());
}

}  // namespace emergence
