// How the README and the chapters are written: in the Markdown that all readers show alike.
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

std::vector<std::string> own_lines(const Page& page) {
    std::istringstream text(handbook::without_tables(page.text));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

std::string place(const Page& page, size_t line) { return page.name + ":" + std::to_string(line) + ": "; }

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
    check_markdown(page, faults);
    return faults;
}

}  // namespace

TEST_CASE("the README and the chapters are written as all readers understand") {
    for (const Page& page : testing::handbook_pages())
        for (const std::string& fault : faults_of(page)) FAIL_CHECK(fault);
}

TEST_CASE("every chapter has its file, and every file is a chapter") {
    const fs::path folder = testing::source_dir() / "assets/handbook";
    std::set<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".md") files.insert(entry.path().stem().string());
    const auto& names = handbook::chapter_names();
    for (const std::string& name : names)
        CHECK_MESSAGE(fs::exists(handbook::chapter_path(testing::source_dir() / "assets", name)),
                      name << ".md is missing");
    for (const std::string& file : files)
        CHECK_MESSAGE(std::count(names.begin(), names.end(), file) == 1, file << ".md is not in chapters.cpp");
}

}  // namespace emergence
