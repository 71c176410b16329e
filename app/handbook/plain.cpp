#include "app/handbook/plain.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/base/version.h"

namespace emergence::handbook {
namespace {

constexpr int kGap = 2;  // columns between a table's cells

// Says where a link leads, unless its own text says so.
std::string link_note(const Span& link) {
    std::string place = chapter_of(link.target);
    if (const std::string preset = preset_of(link.target); !preset.empty()) place = "--preset " + preset;
    if (link.target.starts_with("https://")) place = link.target;
    return place.empty() || link.text.find(place) != std::string::npos ? "" : " [" + place + "]";
}

std::string with_notes(const Spans& spans) {
    std::string text;
    for (const Span& span : spans) {
        text += span.text;
        if (span.kind == Span::Kind::link) text += link_note(span);
    }
    return text;
}

// Breaks a cell into lines. A word that is wider than the column is cut.
std::vector<std::string> cell_lines(std::string_view text, int columns) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        size_t end = bytes_in_columns(text, columns);
        size_t next = end;
        if (end < text.size() && text[end] != ' ')
            if (const size_t space = text.rfind(' ', end); space != std::string_view::npos && space > 0)
                next = end = space;
        lines.emplace_back(text.substr(0, end));
        while (next < text.size() && text[next] == ' ') ++next;
        text.remove_prefix(next);
    }
    return lines;
}

using Words = std::vector<std::vector<std::string>>;

// Makes columns as wide as they need, and then the widest ones narrower until all fit.
std::vector<int> column_widths(const Words& cells, int columns) {
    std::vector<int> widths(cells.front().size(), 1);
    for (const auto& row : cells)
        for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns_of(row[i]));
    const int gaps = kGap * (static_cast<int>(widths.size()) - 1);
    const auto total = [&](int most) {
        int sum = gaps;
        for (const int width : widths) sum += std::min(width, most);
        return sum;
    };
    int most = *std::max_element(widths.begin(), widths.end());
    while (most > 4 && total(most) > columns) --most;
    for (int& width : widths) width = std::min(width, most);
    return widths;
}

std::string table_row(const std::vector<std::string>& row, const std::vector<int>& widths) {
    std::vector<std::vector<std::string>> cells;
    size_t height = 1;
    for (size_t i = 0; i < row.size(); ++i) {
        cells.push_back(cell_lines(row[i], widths[i]));
        height = std::max(height, cells.back().size());
    }
    std::string text;
    for (size_t line = 0; line < height; ++line) {
        std::string whole;
        for (size_t i = 0; i < cells.size(); ++i) {
            const std::string part = line < cells[i].size() ? cells[i][line] : "";
            whole += part + std::string(static_cast<size_t>(widths[i] + kGap - columns_of(part)), ' ');
        }
        whole.erase(whole.find_last_not_of(' ') + 1);
        text += whole + '\n';
    }
    return text;
}

std::string table_text(const Block& table, int columns) {
    Words cells;
    for (const auto& row : table.rows) {
        cells.emplace_back();
        for (const Spans& cell : row) cells.back().push_back(text_of(cell));
    }
    if (cells.front().empty()) return "";
    const std::vector<int> widths = column_widths(cells, columns);
    std::vector<std::string> rule;
    for (const int width : widths) rule.emplace_back(static_cast<size_t>(width), '-');
    std::string text = table_row(cells.front(), widths) + table_row(rule, widths);
    for (size_t i = 1; i < cells.size(); ++i) text += table_row(cells[i], widths);
    return text;
}

std::string heading_text(const Block& heading, int columns) {
    const std::string title = text_of(heading.spans);
    const size_t width = std::min(columns, columns_of(title));
    if (heading.level == 3) return title + '\n';
    return title + '\n' + std::string(width, heading.level == 1 ? '=' : '-') + '\n';
}

std::string code_text(const std::string& lines) {
    std::string text;
    for (const std::string_view line : lines_of(lines))
        text.append(line.empty() ? "" : "    ").append(line).append("\n");
    return text;
}

std::string block_text(const Block& block, int columns) {
    switch (block.kind) {
        case Block::Kind::heading:
            return heading_text(block, columns);
        case Block::Kind::item: {
            const std::string marker = "  " + block.marker + " ";
            return wrapped(marker + with_notes(block.spans), columns, columns_of(marker)) + '\n';
        }
        case Block::Kind::code:
            return code_text(block.text);
        case Block::Kind::table:
            return table_text(block, columns);
        case Block::Kind::image:
            return wrapped("[Picture: " + text_of(block.spans) + "]", columns) + '\n';
        case Block::Kind::paragraph:
            break;
    }
    return wrapped(with_notes(block.spans), columns) + '\n';
}

// ---- roff

// Returns `text` on one line, with hyphens that can be copied and nothing that could be taken for a request.
std::string roff(std::string_view text) {
    std::string out;
    for (const char c : text)
        out += c == '\\' ? std::string("\\e") : c == '-' ? std::string("\\-") : std::string(1, c == '\n' ? ' ' : c);
    return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string roff_of(const Spans& spans) {
    std::string text;
    for (const Span& span : spans) {
        const bool bold = span.kind == Span::Kind::bold || span.kind == Span::Kind::code;
        const char* font = bold ? "\\fB" : span.kind == Span::Kind::emphasis ? "\\fI" : "";
        text += font + roff(span.text) + (*font == '\0' ? "" : "\\fR");
        if (span.kind == Span::Kind::link) text += roff(link_note(span));
    }
    return text;
}

// Returns a macro's argument.
std::string in_quotes(const std::string& text) {
    std::string out = "\"";
    for (const char c : roff(text)) out += c == '"' ? std::string("\\(dq") : std::string(1, c);
    return out + "\"";
}

std::string roff_of_row(const std::vector<Spans>& row) {
    std::string term, meaning;
    for (const Spans& cell : row) {
        if (cell.empty()) continue;
        const std::string text = roff_of(cell);
        if (term.empty())
            term = text;
        else
            meaning += (meaning.empty() ? "" : "; ") + text;
    }
    return ".TP\n" + (term.empty() ? "\\&" : term) + "\n" + (meaning.empty() ? "\\&" : meaning) + "\n";
}

std::string roff_of_code(const std::string& lines) {
    std::string text = ".PP\n.RS 4\n.nf\n";
    for (const std::string_view line : lines_of(lines)) text += (line.empty() ? "\\&" : roff(line)) + "\n";
    return text + ".fi\n.RE\n";
}

std::string roff_of(const Block& block) {
    switch (block.kind) {
        case Block::Kind::heading:
            if (block.level == 1) return ".SH DESCRIPTION\n";
            return (block.level == 2 ? ".SH " : ".SS ") + in_quotes(text_of(block.spans)) + "\n";
        case Block::Kind::item:
            return ".IP " + in_quotes(block.marker) + " 4\n" + roff_of(block.spans) + "\n";
        case Block::Kind::code:
            return roff_of_code(block.text);
        case Block::Kind::table: {
            std::string text;
            for (size_t i = 1; i < block.rows.size(); ++i) text += roff_of_row(block.rows[i]);
            return text + ".PP\n";
        }
        case Block::Kind::image:
            return "";
        case Block::Kind::paragraph:
            break;
    }
    return ".PP\n" + roff_of(block.spans) + "\n";
}

}  // namespace

std::string wrapped(std::string_view text, int columns, int indent) {
    const size_t marker = std::min(static_cast<size_t>(std::max(indent, 0)), text.size());
    std::string lines(text.substr(0, marker));
    int used = columns_of(lines);
    for (size_t at = marker, begin; (begin = text.find_first_not_of(' ', at)) != std::string_view::npos;) {
        const std::string_view word = text.substr(begin, text.find(' ', begin) - begin);
        const int room = static_cast<int>(begin - at) + columns_of(word);
        if (at > marker && used + room > columns) {
            lines.append("\n").append(static_cast<size_t>(std::max(indent, 0)), ' ').append(word);
            used = indent + columns_of(word);
        } else {
            lines.append(text.substr(at, begin - at)).append(word);
            used += room;
        }
        at = begin + word.size();
    }
    return lines;
}

std::string plain_page(const Document& document, int columns) {
    columns = std::max(columns, 20);
    std::string text;
    const Block* before = nullptr;
    for (const Block& block : document.blocks) {
        const bool list = before != nullptr && before->kind == Block::Kind::item && block.kind == Block::Kind::item;
        if (before != nullptr && !list) text += '\n';
        if (before != nullptr && block.kind == Block::Kind::heading && block.level == 2) text += '\n';
        text += block_text(block, columns);
        before = &block;
    }
    return text;
}

std::string roff_page(const Document& document, const std::string& name) {
    std::string text =
        fmt::format(".TH {} 1 \"\" {} \"Emergence\"\n.SH NAME\n{} \\- {}\n", in_quotes(capital_letters(name)),
                    in_quotes("Emergence " + version()), roff(name), roff(summary_of(document)));
    for (const Block& block : document.blocks) text += roff_of(block);
    return text;
}

}  // namespace emergence::handbook
