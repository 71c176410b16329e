// Lines become blocks. What stands inside of a paragraph is read in spans.cpp.

#include "app/handbook/document.h"

#include <algorithm>
#include <map>

#include "core/base/text.h"

namespace emergence::handbook {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

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

// How many # begin a heading; 0 for any other line.
int heading_level(std::string_view line) {
    const size_t level = std::min(line.find_first_not_of('#'), line.size());
    return level >= 1 && level <= 3 && level < line.size() && line[level] == ' ' ? static_cast<int>(level) : 0;
}

// "-" of "- text", "12." of "12. text"; "" for any other line.
std::string_view item_marker(std::string_view line) {
    if (line.starts_with("- ")) return line.substr(0, 1);
    const size_t digits = static_cast<size_t>(std::find_if_not(line.begin(), line.end(), is_digit) - line.begin());
    return digits > 0 && digits < 4 && line.substr(digits).starts_with(". ") ? line.substr(0, digits + 1)
                                                                             : std::string_view();
}

// "|---|:--:|"
bool is_rule(std::string_view line) {
    return line.starts_with("|") && line.find('-') != std::string_view::npos &&
           line.find_first_not_of("|-: ") == std::string_view::npos;
}

// "| a | b |" -> "a", "b". A bar is written \| inside of a cell, in code too.
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

// "Wang et al. 2025" goes on: a capital begins the next sentence.
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
    // ![what it shows](pictures/name.png)
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
    // A paragraph or an item, with the lines that continue it.
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
    for (const std::vector<Spans>& row : block.rows)
        for (const Spans& cell : row) text.append(text.empty() ? "" : " | ").append(text_of(cell));
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

}  // namespace emergence::handbook
