// Finds the marks in a file and fills what stands between them.

#include "app/handbook/generated.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>

#include "app/handbook/document.h"
#include "core/base/error.h"

namespace emergence::handbook {
namespace {

constexpr std::string_view kMark = "<!-- generated: ";
constexpr std::string_view kMarkEnd = " -->";
constexpr std::string_view kEnd = "<!-- end -->";

bool is_mark(std::string_view line) { return line.starts_with(kMark) && line.ends_with(kMarkEnd); }

// Calls `fill` with each mark's line ("figures bandits"), the number of that line and what stands between the
// marks; what it returns takes the place. Throws InputError if an end is missing.
template <class Fill>
std::string replaced(const std::string& file, std::string_view text, Fill&& fill) {
    const std::vector<std::string_view> lines = lines_of(text);
    std::string out;
    for (size_t i = 0; i < lines.size(); ++i) {
        out.append(lines[i]).append("\n");
        if (!is_mark(lines[i])) continue;
        const std::string_view mark = lines[i];
        const int mark_line = static_cast<int>(i) + 1;
        std::string inside;
        for (; i + 1 < lines.size() && lines[i + 1] != kEnd && !is_mark(lines[i + 1]); ++i)
            inside.append(lines[i + 1]).append("\n");
        if (i + 1 == lines.size() || lines[i + 1] != kEnd)
            throw InputError(fmt::format("{}:{}: '{}' has no end. Close the table with the line '{}'.", file, mark_line,
                                         mark, kEnd));
        const std::string_view what = mark.substr(kMark.size(), mark.size() - kMark.size() - kMarkEnd.size());
        out += fill(std::string(what), mark_line, inside);
    }
    if (!text.ends_with('\n') && !out.empty()) out.pop_back();
    return out;
}

}  // namespace

const std::vector<std::string>& table_kinds() {
    static const std::vector<std::string> kinds = {"presets",  "experiments", "figures",  "claims",  "settings",
                                                   "keys",     "preferences", "commands", "limits",  "quantities",
                                                   "coverage", "verdicts",    "power",    "results", "bench"};
    return kinds;
}

std::string with_tables(const std::string& file, std::string_view text, const Tables& tables,
                        const LinkPlaces& places) {
    return replaced(file, text, [&](const std::string& what, int line, const std::string& old) {
        const size_t space = std::min(what.find(' '), what.size());
        const std::string kind = what.substr(0, space);
        const auto maker = tables.find(kind);
        if (maker == tables.end()) {
            const std::vector<std::string>& kinds = table_kinds();
            if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) return old;
            throw InputError(
                fmt::format("{}:{}: unknown table '{}'. Tables: {}.", file, line, kind, fmt::join(kinds, ", ")));
        }
        try {
            return maker->second(space < what.size() ? what.substr(space + 1) : "", places);
        } catch (const InputError& error) {
            throw InputError(fmt::format("{}:{}: {}", file, line, error.what()));
        }
    });
}

std::string without_tables(std::string_view text) {
    return replaced("", text, [](const std::string&, int, const std::string& old) {
        return std::string(static_cast<size_t>(std::count(old.begin(), old.end(), '\n')), '\n');
    });
}

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
