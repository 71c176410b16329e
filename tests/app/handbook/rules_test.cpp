// How the README and the chapters are written: their length, the Markdown that all readers show alike, and
// words that WRITING.md retires.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <regex>
#include <set>
#include <sstream>

#include "app/handbook/plain.h"
#include "core/base/text.h"
#include "tests/app/handbook/filled_pages.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;
using handbook::Block;
using testing::Page;

constexpr int kMostColumns = 120, kMostChapterLines = 300, kMostReadmeLines = 150;

std::vector<std::string> own_lines(const Page& page) {
    std::istringstream text(handbook::without_tables(page.text));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

std::string place(const Page& page, size_t line) { return page.name + ":" + std::to_string(line) + ": "; }

void check_lengths(const Page& page, std::vector<std::string>& faults) {
    const std::vector<std::string> lines = own_lines(page);
    for (size_t i = 0; i < lines.size(); ++i)
        if (columns_of(lines[i]) > kMostColumns) faults.push_back(place(page, i + 1) + "longer than 120 columns");
    // Lines between marks count in the README, which is as long as it is, and not in a chapter.
    int count = 0;
    bool generated = false;
    for (const std::string& line : lines) {
        if (line == "<!-- end -->") generated = false;
        if (!generated || page.is_readme()) ++count;
        if (line.starts_with("<!-- generated:")) generated = true;
    }
    const int most = page.is_readme() ? kMostReadmeLines : kMostChapterLines;
    if (count > most)
        faults.push_back(page.name + ": " + std::to_string(count) + " lines, at most " + std::to_string(most));
}

// Formulas, commands and code in a line keep their own words.
std::string prose_in_spans(const handbook::Spans& spans) {
    std::string text;
    for (const handbook::Span& span : spans) text += span.kind == handbook::Span::Kind::code ? "X" : span.text;
    return text;
}

void check_words(const std::string& where, const std::string& text, std::vector<std::string>& faults) {
    static const std::regex retired(
        "\\b(is none|are none|was none|were none|(go|goes|going|gone|went) on with|ha(s|ve|d) a "
        "say|(is|are|was|were) to be had"
        "|whoever|whomever|whatever is|it is told|kept nowhere|where there (is|are) (one|none)|of "
        "its own|looked inside of"
        "|has the keys|as it was)\\b",
        std::regex::icase);
    static const std::regex subject("(^|[.!:;] )(What|Who) [^.!?:;]*[.!:;]( |$)");
    std::smatch found;
    if (std::regex_search(text, found, retired)) faults.push_back(where + "'" + found[0].str() + "' is retired");
    if (std::regex_search(text, found, subject))
        faults.push_back(where + "a sentence begins with What or Who: '" + found[0].str().substr(0, 40) + "'");
}

void check_prose(const Page& page, std::vector<std::string>& faults) {
    const handbook::Document document = handbook::parse_markdown(page.name, handbook::without_tables(page.text));
    for (const Block& block : document.blocks) {
        if (block.kind == Block::Kind::code) continue;
        const std::string where = place(page, static_cast<size_t>(block.line));
        check_words(where, prose_in_spans(block.spans), faults);
        for (const auto& row : block.rows)
            for (const handbook::Spans& cell : row) check_words(where, prose_in_spans(cell), faults);
    }
}

// A page begins with its title and a paragraph; blocks and marks are those that document.h reads.
void check_markdown(const Page& page, std::vector<std::string>& faults) {
    const std::vector<Block> blocks = document_of(page).blocks;
    const bool begins = blocks.size() > 1 && blocks[0].kind == Block::Kind::heading && blocks[0].level == 1 &&
                        blocks[0].line == 1 && blocks[1].kind == Block::Kind::paragraph;
    if (!begins) faults.push_back(page.name + ": needs '# Title', then a paragraph that says what the page is for");
    static const std::set<std::string> languages = {"sh", "sh run", "text", "toml", "cpp", "python", "json", "csv"};
    for (const Block& block : blocks) {
        const std::string where = place(page, static_cast<size_t>(block.line));
        if (block.kind == Block::Kind::heading && block.level == 1 && block.line > 1)
            faults.push_back(where + "a second title");
        if (block.kind == Block::Kind::code && !languages.contains(block.info))
            faults.push_back(where + "a block of '" + block.info + "'");
    }
    static const std::array<std::pair<std::regex, const char*>, 5> rules = {
        std::pair{std::regex("^(    |\t).*"), "indented by four (code is fenced, lists are not nested)"},
        std::pair{std::regex("^ +([-*+]|[0-9]+\\.) .*"), "a nested item"},
        std::pair{std::regex("^[*+] .*"), "items begin with '- '"},
        std::pair{std::regex("^#{4,} .*"), "a heading of a fourth level"},
        std::pair{std::regex("^</?[a-z].*"), "HTML"}};
    const std::vector<std::string> lines = own_lines(page);
    bool code = false;
    for (size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].starts_with("```")) code = !code;
        for (const auto& [pattern, what] : rules)
            if (!code && std::regex_match(lines[i], pattern)) faults.push_back(place(page, i + 1) + what);
    }
}

std::vector<std::string> faults_of(const Page& page) {
    std::vector<std::string> faults;
    check_lengths(page, faults);
    check_prose(page, faults);
    check_markdown(page, faults);
    return faults;
}

}  // namespace

TEST_CASE("the README and the chapters are short, and written as all readers understand") {
    for (const Page& page : testing::handbook_pages())
        for (const std::string& fault : faults_of(page)) FAIL_CHECK(fault);
}

TEST_CASE("every chapter has its file, and every file is a chapter") {
    const fs::path folder = testing::source_dir() / "assets/handbook";
    std::set<std::string> files;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".md") files.insert(entry.path().stem().string());
    const auto& names = handbook::chapter_names();
    for (const std::string& name : names)
        CHECK_MESSAGE(files.contains(name), "assets/handbook/" << name << ".md is missing");
    for (const std::string& file : files)
        CHECK_MESSAGE(std::count(names.begin(), names.end(), file) == 1, file << ".md is not in chapters.cpp");
}

TEST_CASE("the rules find what they are for") {
    const auto count = [](const std::string& text) { return faults_of({"assets/handbook/x.md", text}).size(); };
    const std::string start = "# Title\n\nSays what it is for.\n\n";
    CHECK(count(start) == 0);
    CHECK(count(start + std::string(121, 'x') + "\n") == 1);
    CHECK(count(start + "<!-- generated: keys -->\n" + std::string(200, 'x') + "\n<!-- end -->\n") == 0);
    std::string lines;
    for (int i = 0; i < 297; ++i) lines += "x\n";
    CHECK(count(start + lines) == 1);
    CHECK(count(start + "<!-- generated: keys -->\n" + lines + "<!-- end -->\n") == 0);
    CHECK(faults_of({"README.md", start + lines}).size() == 1);
    CHECK(count("no title\n") == 1);
    CHECK(count("# Title\n\n- an item\n") == 1);
    CHECK(count(start + "Runs can be gone on with.\n") == 1);
    CHECK(count(start + "| a |\n|---|\n| Whoever reads |\n") == 1);
    CHECK(count(start + "What is none is refused. It stays.\n") == 2);
    CHECK(count(start + "What is a seed? A run.\n\n## What the window shows\n") == 0);
    CHECK(count(start + "`whoever` and\n\n```text\nwhoever\n    indented\n```\n") == 0);
    CHECK(count(start + "- one\n  - two\n") == 1);
    CHECK(count(start + "    code\n") == 1);
    CHECK(count(start + "```ruby\n```\n") == 1);
    CHECK(count(start + "#### Deep\n") == 1);
    CHECK(count(start + "<b>bold</b>\n") == 1);
    CHECK(count(start + "# Again\n") == 1);
}

}  // namespace emergence
