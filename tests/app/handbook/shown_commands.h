#pragma once
// The commands in a page's ```sh blocks, word by word, as a shell would see them.

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/app/handbook/filled_pages.h"

namespace emergence::testing {

struct ShownCommand {
    std::string page;  // "assets/handbook/window.md"
    int line = 0;
    std::vector<std::string> words;

    std::string where() const { return page + ":" + std::to_string(line); }
    /// "emergence-cli" of "build/app/emergence-cli".
    std::string program() const { return std::filesystem::path(words.front()).filename().string(); }
};

/// A line's words, quotes taken away, and its operators: && || | ; > >> <. A comment is left out.
inline std::vector<std::string> shell_words(std::string_view line) {
    std::vector<std::string> words;
    std::string word;
    bool begun = false;
    char quote = '\0';
    const auto finish = [&] {
        if (begun) words.push_back(word);
        word.clear();
        begun = false;
    };
    for (size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quote != '\0') {
            if (c == quote)
                quote = '\0';
            else
                word += c;
        } else if (c == '\'' || c == '"') {
            quote = c;
            begun = true;
        } else if (c == ' ') {
            finish();
        } else if (c == '#' && !begun) {
            break;
        } else if (std::string_view("&|;<>").find(c) != std::string_view::npos) {
            finish();
            const bool twice = i + 1 < line.size() && line[i + 1] == c;
            words.emplace_back(twice ? 2 : 1, c);
            if (twice) ++i;
        } else {
            word += c;
            begun = true;
        }
    }
    finish();
    return words;
}

/// A line's commands: without operators, files behind < and >, and NAME=VALUE in front.
inline std::vector<std::vector<std::string>> commands_of_line(std::string_view line) {
    std::vector<std::vector<std::string>> commands(1);
    bool file_follows = false;
    for (const std::string& word : shell_words(line)) {
        const bool is_operator = word.find_first_not_of("&|;<>") == std::string::npos && !word.empty();
        const size_t equals = word.find('=');
        const bool variable = commands.back().empty() && equals != std::string::npos && equals > 0 &&
                              word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_") >= equals;
        if (is_operator && (word[0] == '<' || word[0] == '>'))
            file_follows = true;
        else if (is_operator)
            commands.emplace_back();
        else if (file_follows)
            file_follows = false;
        else if (!variable)
            commands.back().push_back(word);
    }
    std::erase_if(commands, [](const auto& command) { return command.empty(); });
    return commands;
}

inline std::vector<ShownCommand> shown_commands(const Page& page) {
    std::vector<ShownCommand> shown;
    for (const handbook::Block& block : document_of(page).blocks) {
        if (block.kind != handbook::Block::Kind::code || (block.info != "sh" && block.info != "sh run")) continue;
        std::istringstream lines(block.text);
        int number = block.line;
        for (std::string line; std::getline(lines, line);) {
            ++number;
            for (auto& words : commands_of_line(line)) shown.push_back({page.name, number, std::move(words)});
        }
    }
    return shown;
}

}  // namespace emergence::testing
