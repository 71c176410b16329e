#pragma once
// tests/app/handbook/coverage.txt: every statement of the papers, where it is implemented, and which claims measure it.
// The tables of assets/handbook/lab/coverage.md are made from it, from the sources, which an installed program does not
// have, and from the claims with their results.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/lab/figures/claims.h"
#include "core/lab/study.h"
#include "tests/app/handbook/statement_numbers.h"
#include "tests/support/generated.h"
#include "tests/support/judged.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"

namespace emergence::testing {

struct StatementPlace {
    std::string file;    // "core/models/constructions.h"
    std::string symbol;  // "td_construction", "NaiveAttention::value"
};

struct StatementRow {
    std::string name;                  // "Theorem 1, Eq. (8)", "Eq. (19) to (25)", "Section 5"
    std::vector<std::string> numbers;  // one by one
    std::string what;
    std::vector<StatementPlace> places;
    std::vector<std::string> figures, claims;  // claims besides those whose sources name one of the numbers
    std::string nowhere;                       // why nothing here computes it
};

struct PaperStatements {
    std::string paper;               // as in papers()
    std::vector<std::string> names;  // how comments name it: "Wang et al. 2025"
    std::vector<std::string> last;   // of each series of numbers the last one: "Eq. (38)", "Theorem/Lemma 10"
    std::vector<StatementRow> rows;
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

/// A row in its cells. Throws what `refuse` throws.
template <class Refuse>
StatementRow parse_row(const std::vector<std::string>& cells, const Refuse& refuse) {
    if (cells.size() < 3) refuse("needs 'statement | what it is | where'.");
    StatementRow row{cells[0], numbers_in(cells[0]), cells[1], {}, {}, {}, {}};
    for (size_t i = 2; i < cells.size(); ++i) {
        if (cells[i].starts_with("nowhere: ")) {
            row.nowhere = cells[i].substr(9);
            continue;
        }
        const std::vector<std::string> words = split_trimmed(cells[i], ' ');
        if (words.size() != 2) refuse("needs 'file symbol', 'figure NAME', 'claim NAME' or 'nowhere: why'.");
        if (words[0] == "figure")
            row.figures.push_back(words[1]);
        else if (words[0] == "claim")
            row.claims.push_back(words[1]);
        else
            row.places.push_back({words[0], words[1]});
    }
    return row;
}

/// Throws InputError for a line of a form that the file's head does not describe.
inline std::vector<PaperStatements> parse_statements(const std::string& text) {
    std::vector<PaperStatements> papers;
    std::istringstream lines(text);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (line.empty() || line[0] == '#') continue;
        const auto refuse = [&](const char* why) { throw InputError(fmt::format("coverage.txt:{}: {}", number, why)); };
        if (const size_t end = line.find(']'); line[0] == '[' && end != std::string::npos) {
            papers.push_back({line.substr(1, end - 1), split_trimmed(line.substr(end + 1), '|'), {}, {}});
        } else if (papers.empty()) {
            refuse("a row without a paper. Begin with '[paper] name'.");
        } else if (line.starts_with("last: ")) {
            papers.back().last = split_trimmed(line.substr(6), ',');
        } else {
            papers.back().rows.push_back(parse_row(split_trimmed(line, '|'), refuse));
        }
    }
    return papers;
}

inline std::vector<PaperStatements> statements() {
    return parse_statements(slurp(source_dir() / "tests/app/handbook/coverage.txt"));
}

/// Lines of C++ without comments, their strings emptied; a `//` in a string begins no comment.
inline std::vector<std::string> code_lines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        std::string& code = lines.emplace_back();
        bool string = false;
        for (size_t i = 0; i < line.size() && (string || line.compare(i, 2, "//") != 0); ++i) {
            if (line[i] == '"') string = !string;
            if (!string || line[i] == '"') code += line[i];
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
    const std::vector<std::string> lines = code_lines(text);
    const size_t scope = symbol.find("::");
    const bool member = scope != std::string::npos;
    const std::string type = member ? symbol.substr(0, scope) : "";
    const std::string name = member ? symbol.substr(scope + 2) : symbol;
    const auto has = [&](size_t line, const std::string& word) {
        return find_word(lines[line], word) != std::string_view::npos;
    };
    const auto forward = [&](size_t line) {
        return begins_type(lines[line]) && lines[line].find('{') == std::string::npos;
    };
    size_t line = 0;
    while (member && line < lines.size() && !(has(line, type) && begins_type(lines[line]) && !forward(line))) ++line;
    if (line == lines.size()) {
        const std::regex defined("\\b" + type + "(<[^>]*>)?::" + name + "\\b");
        for (line = 0; line < lines.size(); ++line)
            if (std::regex_search(lines[line], defined)) return static_cast<int>(line) + 1;
        return 0;
    }
    for (; line < lines.size() && !(member && lines[line].starts_with("};")); ++line)
        if (has(line, name) && !forward(line) && !lines[line].starts_with("#")) return static_cast<int>(line) + 1;
    return 0;
}

/// The paper that an experiment is of; "" if none.
inline std::string paper_of(const std::string& experiment) {
    for (const Paper& paper : papers())
        if (std::count(paper.experiments.begin(), paper.experiments.end(), experiment) > 0) return paper.name;
    return "";
}

/// The claims that measure a row, in the order of the files: those of the paper whose source names one of its numbers,
/// and those that the row names. A claim of ours is only there if it is named.
inline std::vector<const Claim*> claims_of(const StatementRow& row, const std::string& paper,
                                           const std::vector<Claim>& claims) {
    std::vector<const Claim*> found;
    for (const Claim& claim : claims) {
        bool measures = std::count(row.claims.begin(), row.claims.end(), claim.name) > 0;
        if (is_of_a_paper(claim) && paper_of(claim.experiment) == paper)
            for (const std::string& number : numbers_in(claim.source))
                measures = measures || std::count(row.numbers.begin(), row.numbers.end(), number) > 0;
        if (measures) found.push_back(&claim);
    }
    return found;
}

/// What a row says of its claims and their verdicts: "`theorem-1` agrees, `x` not run yet".
inline std::string claims_cell(const std::vector<const Claim*>& claims, const std::vector<ClaimResults>& results) {
    std::string cell;
    for (const Claim* claim : claims) {
        const Measurement* measured = measured_of(*claim, results);
        cell += fmt::format("{}`{}` {}{}", cell.empty() ? "" : "; ", claim->name,
                            measured != nullptr     ? verdict_text(verdict_of(*claim, *measured))
                            : claim->figure.empty() ? "measured by `verify`"
                                                    : "not run yet",
                            claim->algebra ? " (algebra)" : "");
    }
    return cell;
}

/// "`symbol` [file:line](link)", "`figure wang-2`", or why nothing computes it. Throws InputError for a symbol that is
/// not in its file.
inline std::string places_cell(const StatementRow& row, const std::string& paper) {
    std::string cell;
    const auto add = [&](const std::string& place) { cell += (cell.empty() ? "" : ", ") + place; };
    for (const StatementPlace& place : row.places) {
        const int line = declaration_line(slurp(source_dir() / place.file), place.symbol);
        if (line == 0)
            throw InputError(fmt::format("{} is not in {}. Correct its row in coverage.txt ({}, {}).", place.symbol,
                                         place.file, paper, row.name));
        add(fmt::format("`{}` [{}:{}](../../../{}#L{})", place.symbol, place.file, line, place.file, line));
    }
    for (const std::string& figure : row.figures) add(fmt::format("[`figure {0}`](../../presets/{0}.toml)", figure));
    if (!row.nowhere.empty()) add("not computed: " + handbook::escaped(row.nowhere));
    return cell;
}

/// The table of one paper, "statement | what it is | where | claims"; links lead from assets/handbook into the sources.
inline std::string coverage_table(const PaperStatements& paper, const std::vector<Claim>& claims,
                                  const std::vector<ClaimResults>& results) {
    std::string table = handbook::head({"statement", "what it is", "where", "claims and their verdicts"});
    for (const StatementRow& row : paper.rows)
        table += handbook::row({handbook::escaped(row.name), handbook::escaped(row.what), places_cell(row, paper.paper),
                                claims_cell(claims_of(row, paper.paper, claims), results)});
    return table;
}

/// How many statements of each paper there are, and what became of them.
inline std::string coverage_counts(const std::vector<PaperStatements>& papers, const std::vector<Claim>& claims) {
    std::string table = handbook::head({"paper", "statements", "computed here", "with a claim", "computed nowhere"});
    for (const PaperStatements& paper : papers) {
        size_t all = 0, computed = 0, claimed = 0, nowhere = 0;
        for (const StatementRow& row : paper.rows) {
            const size_t count = std::max<size_t>(row.numbers.size(), 1);
            all += count;
            const bool has_claim = !claims_of(row, paper.paper, claims).empty();
            if (has_claim) claimed += count;
            (!row.places.empty() || !row.figures.empty() ? computed : nowhere) += count;
        }
        table += handbook::row({handbook::as_code(paper.paper), fmt::format("{}", all), fmt::format("{}", computed),
                                fmt::format("{}", claimed), fmt::format("{}", nowhere)});
    }
    return table;
}

/// The kind `coverage PAPER`; without a paper the counts.
inline handbook::TableMaker coverage_maker() {
    return [papers = statements(), results = read_all_claim_results(source_dir() / "assets/results")](
               const std::string& name, const std::string&) {
        if (name.empty()) return coverage_counts(papers, shipped_claims());
        for (const PaperStatements& paper : papers)
            if (paper.paper == name) return coverage_table(paper, shipped_claims(), results);
        throw InputError("no paper '" + name + "' in coverage.txt");
    };
}

}  // namespace emergence::testing
