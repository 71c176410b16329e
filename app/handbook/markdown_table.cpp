#include "app/handbook/markdown_table.h"

namespace emergence::handbook {

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (std::string_view("\\|*<[`").find(c) != std::string_view::npos) out += '\\';
        out += c == '\n' ? ' ' : c;
    }
    return out;
}

std::string as_code(std::string_view text) {
    if (text.empty()) return "";
    std::string out = "`";
    for (const char c : text) {
        if (c == '|') out += '\\';
        out += c == '\n' ? ' ' : c;
    }
    return out + "`";
}

std::string row(const std::vector<std::string>& cells) {
    std::string line = "|";
    for (const std::string& cell : cells) line += (cell.empty() ? "" : " " + cell) + " |";
    return line + "\n";
}

std::string head(const std::vector<std::string>& cells) {
    std::string line = row(cells) + "|";
    for (size_t i = 0; i < cells.size(); ++i) line += "---|";
    return line + "\n";
}

}  // namespace emergence::handbook
