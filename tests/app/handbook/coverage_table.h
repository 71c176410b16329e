#pragma once
// tests/app/handbook/equations.txt: which equations of the papers are implemented, and where. The tables of
// assets/handbook/equations.md are made from it and from the sources, which an installed program does not have.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "app/handbook/generated.h"
#include "app/handbook/markdown_table.h"
#include "core/base/error.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"

namespace emergence::testing {

struct EquationPlace {
    std::string file;    // "core/models/constructions.h"
    std::string symbol;  // "td_construction", "NaiveAttention::value"
};

struct EquationRow {
    std::vector<std::string> numbers;  // "Theorem 1", "Eq. (8)"
    std::string what;
    std::vector<EquationPlace> places;
};

struct PaperEquations {
    std::string paper;               // as in papers()
    std::vector<std::string> names;  // how comments name it: "Wang et al. 2025"
    std::vector<EquationRow> rows;
    std::set<std::string> cited_only;

    bool lists(const std::string& number) const {
        return cited_only.contains(number) || std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
                   return std::count(row.numbers.begin(), row.numbers.end(), number) > 0;
               });
    }
};

/// The parts between separators, without the spaces around them.
inline std::vector<std::string> split_trimmed(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);) {
        const size_t first = std::min(part.find_first_not_of(' '), part.size());
        parts.push_back(part.substr(first, part.find_last_not_of(' ') + 1 - first));
    }
    return parts;
}

/// Throws InputError for a line of a form that the file's head does not describe.
inline std::vector<PaperEquations> parse_equations(const std::string& text) {
    std::vector<PaperEquations> papers;
    std::istringstream lines(text);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (line.empty() || line[0] == '#') continue;
        const auto refuse = [&](const char* why) {
            throw InputError(fmt::format("equations.txt:{}: {}", number, why));
        };
        if (const size_t end = line.find(']'); line[0] == '[' && end != std::string::npos) {
            papers.push_back({line.substr(1, end - 1), split_trimmed(line.substr(end + 1), '|'), {}, {}});
            continue;
        }
        if (papers.empty()) refuse("a row without a paper. Begin with '[paper] name'.");
        const std::vector<std::string> cells = split_trimmed(line, '|');
        if (line.starts_with("cited only: ")) {
            if (cells.size() != 2) refuse("needs 'cited only: number | why'.");
            papers.back().cited_only.insert(cells[0].substr(12));
            continue;
        }
        if (cells.size() < 3) refuse("needs 'numbers | what it is | file symbol'.");
        EquationRow row{split_trimmed(cells[0], ','), cells[1], {}};
        for (size_t i = 2; i < cells.size(); ++i) {
            const std::vector<std::string> place = split_trimmed(cells[i], ' ');
            if (place.size() != 2) refuse("a place needs 'file symbol'.");
            row.places.push_back({place[0], place[1]});
        }
        papers.back().rows.push_back(std::move(row));
    }
    return papers;
}

inline std::vector<PaperEquations> equations() {
    return parse_equations(slurp(source_dir() / "tests/app/handbook/equations.txt"));
}

/// A line of C++ in two parts; a `//` in a string begins no comment.
struct SourceLine {
    std::string code;     // strings emptied
    std::string comment;  // behind the slashes and spaces
};

inline std::vector<SourceLine> source_lines(const std::string& text) {
    std::vector<SourceLine> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        SourceLine& parts = lines.emplace_back();
        bool string = false;
        for (size_t i = 0; i < line.size(); ++i) {
            if (!string && line.compare(i, 2, "//") == 0) {
                parts.comment = line.substr(std::min(line.find_first_not_of("/ ", i), line.size()));
                break;
            }
            if (line[i] == '"') string = !string;
            if (!string || line[i] == '"') parts.code += line[i];
            if (string && line[i] == '\\') ++i;
        }
    }
    return lines;
}

/// Where `word` stands as a whole word, from `from` on; npos if nowhere.
inline size_t find_word(std::string_view text, std::string_view word) {
    const auto in_name = [&](size_t at) {
        return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
    };
    for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
        if ((at == 0 || !in_name(at - 1)) && !in_name(at + word.size())) return at;
    return std::string_view::npos;
}

/// Whether a struct, class or enum begins on this line of code.
inline bool begins_type(std::string_view code) {
    code.remove_prefix(std::min(code.find_first_not_of(' '), code.size()));
    return code.starts_with("struct ") || code.starts_with("class ") || code.starts_with("enum ");
}

/// The line, from 1, on which `symbol` is declared; 0 if it is not in the text. That is the first line of code
/// with its name that is no forward declaration. A member, Type::member, is looked for within its type, or
/// where it is defined if the type is not in the text.
inline int declaration_line(const std::string& text, const std::string& symbol) {
    const std::vector<SourceLine> lines = source_lines(text);
    const size_t scope = symbol.find("::");
    const bool member = scope != std::string::npos;
    const std::string type = member ? symbol.substr(0, scope) : "";
    const std::string name = member ? symbol.substr(scope + 2) : symbol;
    const auto has = [&](size_t line, const std::string& word) {
        return find_word(lines[line].code, word) != std::string_view::npos;
    };
    const auto forward = [&](size_t line) {
        return begins_type(lines[line].code) && lines[line].code.find('{') == std::string::npos;
    };
    size_t line = 0;
    while (member && line < lines.size() && !(has(line, type) && begins_type(lines[line].code) && !forward(line)))
        ++line;
    if (line == lines.size()) {
        const std::regex defined("\\b" + type + "(<[^>]*>)?::" + name + "\\b");
        for (line = 0; line < lines.size(); ++line)
            if (std::regex_search(lines[line].code, defined)) return static_cast<int>(line) + 1;
        return 0;
    }
    for (; line < lines.size() && !(member && lines[line].code.starts_with("};")); ++line)
        if (has(line, name) && !forward(line) && !lines[line].code.starts_with("#")) return static_cast<int>(line) + 1;
    return 0;
}

/// The table of one paper, "number | what it is | where"; links lead from assets/handbook into the sources.
/// Throws InputError for a symbol that is not in its file.
inline std::string equations_table(const PaperEquations& paper) {
    std::string table = handbook::head({"number", "what it is", "where"});
    for (const EquationRow& row : paper.rows) {
        std::string numbers, places;
        for (const std::string& number : row.numbers)
            numbers += (numbers.empty() ? "" : ", ") + handbook::escaped(number);
        for (const EquationPlace& place : row.places) {
            const int line = declaration_line(slurp(source_dir() / place.file), place.symbol);
            if (line == 0)
                throw InputError(fmt::format("{} is not in {}. Correct its row in equations.txt ({}, {}).",
                                             place.symbol, place.file, paper.paper, row.numbers.front()));
            places += fmt::format("{}`{}` [{}:{}](../../{}#L{})", places.empty() ? "" : ", ", place.symbol, place.file,
                                  line, place.file, line);
        }
        table += handbook::row({numbers, handbook::escaped(row.what), places});
    }
    return table;
}

/// The kind `equations PAPER`.
inline handbook::TableMaker equations_maker() {
    return [papers = equations()](const std::string& name, const handbook::LinkPlaces&) {
        for (const PaperEquations& paper : papers)
            if (paper.paper == name) return equations_table(paper);
        throw InputError("no paper '" + name + "' in equations.txt");
    };
}

}  // namespace emergence::testing
