// What stands inside of a paragraph, and links.

#include <algorithm>
#include <cstdint>

#include "app/handbook/document.h"

namespace emergence::handbook {
namespace {

bool is_punctuation(char c) {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

// The text between two marks, with its own marks taken away.
std::string without_marks(std::string_view text) { return text_of(parse_spans(text)); }

class SpanReader {
  public:
    explicit SpanReader(std::string_view text) : text_(text) {}

    Spans spans() {
        while (at_ < text_.size()) take();
        flush();
        return std::move(spans_);
    }

  private:
    void take() {
        const char c = text_[at_];
        if (c == '\\' && at_ + 1 < text_.size() && is_punctuation(text_[at_ + 1])) {
            plain_ += text_[at_ + 1];
            at_ += 2;
        } else if (!(c == '`' && take_code()) && !(c == '*' && (take_marked("**") || take_marked("*"))) &&
                   !(c == '[' && take_link())) {
            plain_ += c;
            ++at_;
        }
    }
    void add(Span span, size_t end) {
        flush();
        spans_.push_back(std::move(span));
        at_ = end;
    }
    void flush() {
        if (!plain_.empty()) spans_.push_back({Span::Kind::text, plain_});
        plain_.clear();
    }
    bool take_code() {
        const size_t end = text_.find('`', at_ + 1);
        if (end == std::string_view::npos || end == at_ + 1) return false;
        add({Span::Kind::code, std::string(text_.substr(at_ + 1, end - at_ - 1))}, end + 1);
        return true;
    }
    // "2 * 3 * 4" has no marks: the first is not followed by a letter.
    bool take_marked(std::string_view mark) {
        const size_t begin = at_ + mark.size();
        if (text_.substr(at_, mark.size()) != mark || begin >= text_.size() || text_[begin] == ' ' ||
            text_[begin] == '*')
            return false;
        size_t end = text_.find(mark, begin);
        while (end != std::string_view::npos && text_[end - 1] == ' ') end = text_.find(mark, end + 1);
        if (end == std::string_view::npos) return false;
        add({mark.size() == 2 ? Span::Kind::bold : Span::Kind::emphasis,
             without_marks(text_.substr(begin, end - begin))},
            end + mark.size());
        return true;
    }
    bool take_link() {
        const size_t middle = text_.find("](", at_);
        const size_t end = middle == std::string_view::npos ? middle : text_.find(')', middle);
        if (end == std::string_view::npos) return false;
        const std::string_view inside = text_.substr(at_ + 1, middle - at_ - 1);
        if (inside.find('[') != std::string_view::npos || inside.find(']') != std::string_view::npos) return false;
        add({Span::Kind::link, without_marks(inside), std::string(text_.substr(middle + 2, end - middle - 2))},
            end + 1);
        return true;
    }

    std::string_view text_;
    size_t at_ = 0;
    std::string plain_;
    Spans spans_;
};

// The character that begins at `at`, which moves behind it. Bytes that are no UTF-8 stand for themselves.
uint32_t next_character(std::string_view text, size_t& at) {
    const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[i])); };
    const uint32_t first = byte(at++);
    const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
    uint32_t character = more == 0 ? first : first & (0x3FU >> more);
    for (int i = 0; i < more && at < text.size() && (byte(at) & 0xC0U) == 0x80U; ++i)
        character = character << 6U | (byte(at++) & 0x3FU);
    return character;
}

// Letters and digits. Punctuation beyond ASCII: Latin-1's, dashes, quotes, arrows, signs of mathematics.
bool is_word_character(uint32_t c) {
    if (c < 128) return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    const bool latin_sign = c < 0xC0 && c != 0xAA && c != 0xB5 && c != 0xBA;
    return !latin_sign && c != 0xD7 && c != 0xF7 && (c < 0x2000 || c >= 0x2C00);
}

}  // namespace

Spans parse_spans(std::string_view text) { return SpanReader(text).spans(); }

std::string text_of(const Spans& spans) {
    std::string text;
    for (const Span& span : spans) text += span.text;
    return text;
}

std::string anchor_of(std::string_view heading) {
    std::string anchor;
    for (size_t at = 0; at < heading.size();) {
        const size_t begin = at;
        const uint32_t c = next_character(heading, at);
        const bool greek_capital = c >= 0x391 && c <= 0x3A9;
        if (c >= 'A' && c <= 'Z')
            anchor += static_cast<char>(c + ('a' - 'A'));
        else if (greek_capital)  // two bytes, U+0380 to U+07FF
            anchor.append({static_cast<char>(0xC0U | (c + 32) >> 6U), static_cast<char>(0x80U | ((c + 32) & 0x3FU))});
        else if (is_word_character(c) || c == '-')
            anchor += heading.substr(begin, at - begin);
        else if (c == ' ')
            anchor += '-';
    }
    return anchor;
}

Target target_of(std::string_view link) {
    const size_t hash = std::min(link.find('#'), link.size());
    return {std::string(link.substr(0, hash)), std::string(link.substr(std::min(hash + 1, link.size())))};
}

std::string chapter_of(std::string_view link) {
    const std::string file = target_of(link).file;
    return file.ends_with(".md") && file.find('/') == std::string::npos ? file.substr(0, file.size() - 3) : "";
}

namespace {

// The stem of a TOML file in the assets' folder of this name.
std::string asset_of(std::string_view link, std::string_view folder) {
    const size_t at = link.rfind(folder);
    if (at == std::string_view::npos || !link.ends_with(".toml")) return "";
    const std::string_view name = link.substr(at + folder.size());
    return std::string(name.substr(0, name.size() - 5));
}

}  // namespace

std::string preset_of(std::string_view link) { return asset_of(link, "presets/"); }

std::string lesson_of(std::string_view link) { return asset_of(link, "lessons/"); }

}  // namespace emergence::handbook
