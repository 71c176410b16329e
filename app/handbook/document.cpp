// Parses lines into blocks, and then the text inside paragraphs.

#include "app/handbook/document.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>

#include "core/base/text.h"

namespace emergence::handbook {

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Returns how many # begin a heading, or 0 for any other line.
int heading_level(std::string_view line) {
    const size_t level = std::min(line.find_first_not_of('#'), line.size());
    return level >= 1 && level <= 3 && level < line.size() && line[level] == ' ' ? static_cast<int>(level) : 0;
}

// Returns "-" of "- text" and "12." of "12. text", or "" for any other line.
std::string_view item_marker(std::string_view line) {
    if (line.starts_with("- ")) return line.substr(0, 1);
    const size_t digits = static_cast<size_t>(std::find_if_not(line.begin(), line.end(), is_digit) - line.begin());
    return digits > 0 && digits < 4 && line.substr(digits).starts_with(". ") ? line.substr(0, digits + 1)
                                                                             : std::string_view();
}

// Recognises "|---|:--:|".
bool is_rule(std::string_view line) {
    return line.starts_with("|") && line.find('-') != std::string_view::npos &&
           line.find_first_not_of("|-: ") == std::string_view::npos;
}

// Splits "| a | b |" into "a" and "b". Inside a cell, also in code, a bar is written \|.
std::vector<Spans> cells_of(std::string_view line) {
    line = trimmed(line);
    line.remove_prefix(1);
    std::vector<Spans> cells;
    std::string cell;
    for (size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
            cell += line[++i];
        } else if (line[i] == '|') {
            cells.push_back(parse_spans(trimmed(cell)));
            cell.clear();
        } else {
            cell += line[i];
        }
    }
    if (!trimmed(cell).empty()) cells.push_back(parse_spans(trimmed(cell)));
    return cells;
}

// A full stop ends a sentence only if a capital follows, so "Wang et al. 2025" goes on.
std::string first_sentence(const std::string& text) {
    for (size_t end = text.find(". "); end != std::string::npos; end = text.find(". ", end + 1))
        if (end + 2 < text.size() && text[end + 2] >= 'A' && text[end + 2] <= 'Z') return text.substr(0, end + 1);
    return text;
}

class BlockReader {
  public:
    explicit BlockReader(std::string_view text) : lines_(lines_of(text)) {}

    std::vector<Block> blocks() {
        while (at_ < lines_.size()) take();
        return std::move(blocks_);
    }

  private:
    std::string_view line() const { return lines_[at_]; }
    Block& add(Block::Kind kind) {
        blocks_.push_back({.kind = kind, .line = static_cast<int>(at_) + 1});
        return blocks_.back();
    }

    void take() {
        if (trimmed(line()).empty())
            ++at_;
        else if (line().starts_with("<!--"))
            skip_comment();
        else if (line().starts_with("```"))
            take_code();
        else if (heading_level(line()) > 0)
            take_heading();
        else if (begins_table())
            take_table();
        else if (!take_image())
            take_text();
    }
    void skip_comment() {
        while (at_ < lines_.size() && line().find("-->") == std::string_view::npos) ++at_;
        ++at_;
    }
    void take_code() {
        Block& code = add(Block::Kind::code);
        code.info = trimmed(line().substr(3));
        for (++at_; at_ < lines_.size() && !line().starts_with("```"); ++at_) code.text.append(line()).append("\n");
        ++at_;
    }
    void take_heading() {
        Block& heading = add(Block::Kind::heading);
        heading.level = heading_level(line());
        heading.spans = parse_spans(trimmed(line().substr(heading.level)));
        const std::string anchor = anchor_of(text_of(heading.spans));
        const int before = anchors_[anchor]++;
        heading.target = before == 0 ? anchor : anchor + "-" + std::to_string(before);
        ++at_;
    }
    bool begins_table() const { return line().starts_with("|") && at_ + 1 < lines_.size() && is_rule(lines_[at_ + 1]); }
    void take_table() {
        Block& table = add(Block::Kind::table);
        table.rows.push_back(cells_of(line()));
        for (at_ += 2; at_ < lines_.size() && line().starts_with("|"); ++at_) {
            table.rows.push_back(cells_of(line()));
            table.rows.back().resize(table.rows.front().size());
        }
    }
    // Recognises ![what it shows](pictures/name.png).
    bool take_image() {
        const std::string_view whole = trimmed(line());
        const size_t middle = whole.find("](");
        if (!whole.starts_with("![") || !whole.ends_with(')') || middle == std::string_view::npos) return false;
        Block& image = add(Block::Kind::image);
        image.spans = parse_spans(whole.substr(2, middle - 2));
        image.target = whole.substr(middle + 2, whole.size() - middle - 3);
        ++at_;
        return true;
    }
    bool ends_text() const {
        return trimmed(line()).empty() || line().starts_with("<!--") || line().starts_with("```") ||
               heading_level(line()) > 0 || !item_marker(line()).empty() || begins_table() || line().starts_with("![");
    }
    // Reads a paragraph or an item, with the lines that continue it.
    void take_text() {
        const std::string_view marker = item_marker(line());
        Block& block = add(marker.empty() ? Block::Kind::paragraph : Block::Kind::item);
        block.marker = marker;
        std::string text(trimmed(line().substr(marker.size())));
        for (++at_; at_ < lines_.size() && !ends_text(); ++at_) text.append(" ").append(trimmed(line()));
        block.spans = parse_spans(text);
    }

    std::vector<std::string_view> lines_;
    size_t at_ = 0;
    std::vector<Block> blocks_;
    std::map<std::string, int> anchors_;
};

}  // namespace

Document parse_markdown(std::string_view name, std::string_view text) {
    Document document{std::string(name), std::string(name), BlockReader(text).blocks()};
    for (const Block& block : document.blocks)
        if (block.kind == Block::Kind::heading && block.level == 1) {
            document.title = text_of(block.spans);
            break;
        }
    return document;
}

std::string text_of(const Block& block) {
    if (block.kind == Block::Kind::code) return block.text;
    std::string text = text_of(block.spans);
    for (const std::vector<Spans>& row : block.rows) {
        const char* before = text.empty() ? "" : "; ";
        for (const Spans& cell : row) {
            if (cell.empty()) continue;
            text.append(before).append(text_of(cell));
            before = &cell == &row.front() ? ": " : ", ";
        }
    }
    return text;
}

std::string summary_of(const Document& document) {
    for (const Block& block : document.blocks) {
        if (block.kind != Block::Kind::paragraph) continue;
        return first_sentence(text_of(block.spans));
    }
    return "";
}

const Block* section_of(const Document& document, std::string_view anchor) {
    for (const Block& block : document.blocks)
        if (block.kind == Block::Kind::heading && block.target == anchor) return &block;
    return nullptr;
}

// The text inside a paragraph, and its links.

namespace {

// The text between two marks, without its own marks.
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
        if (c == '\\' && at_ + 1 < text_.size() && std::ispunct(static_cast<unsigned char>(text_[at_ + 1])) != 0) {
            plain_ += text_[at_ + 1];
            at_ += 2;
        } else if (!(c == '<' && skip_comment()) && !(c == '`' && take_code()) &&
                   !(c == '*' && (take_marked("**") || take_marked("*"))) && !(c == '[' && take_link())) {
            plain_ += c;
            ++at_;
        }
    }
    bool skip_comment() {
        const size_t end = text_.substr(at_).starts_with("<!--") ? text_.find("-->", at_) : std::string_view::npos;
        if (end != std::string_view::npos) at_ = end + 3;
        return end != std::string_view::npos;
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
    // "2 * 3 * 4" has no marks, because no letter follows the first one.
    bool take_marked(std::string_view mark) {
        const size_t begin = at_ + mark.size();
        if (text_.substr(at_, mark.size()) != mark || begin >= text_.size() || text_[begin] == ' ' ||
            text_[begin] == '*')
            return false;
        size_t end = text_.find(mark, begin);
        while (end != std::string_view::npos && text_[end - 1] == ' ') end = text_.find(mark, end + 1);
        if (end == std::string_view::npos) return false;
        // In "**Drag *evaluate at n***" the first of three stars ends the emphasis inside.
        if (text_.substr(end).starts_with("***") && mark.size() == 2) ++end;
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

// Recognises letters and digits. Outside ASCII that is everything except Latin-1's signs, dashes, quotes, arrows and
// signs of mathematics.
bool is_word_character(char32_t c) {
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
        const char32_t c = next_character(heading, at).value_or(0xFFFD);
        const bool greek_capital = c >= 0x391 && c <= 0x3A9;
        if (c >= 'A' && c <= 'Z')
            anchor += static_cast<char>(c + ('a' - 'A'));
        else if (greek_capital)  // these are two bytes, U+0380 to U+07FF
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
    std::string file = target_of(link).file;
    for (const std::string_view folder : {"lab/", "../"})  // from the handbook to the lab book, and back
        if (file.starts_with(folder)) file.erase(0, folder.size());
    return file.ends_with(".md") && file.find('/') == std::string::npos ? file.substr(0, file.size() - 3) : "";
}

namespace {

// Returns the stem of a TOML file in the assets' folder of this name.
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
