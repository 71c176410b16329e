#pragma once
// Writes Markdown, and with it the table of a program's commands.

#include <string>
#include <string_view>
#include <vector>

#include "app/handbook/command_words.h"

namespace emergence::handbook {

/// Escapes marks so that the text shows as it is, and turns line ends into spaces.
std::string escaped(std::string_view text);
/// Writes `text` as code inside a cell.
std::string as_code(std::string_view text);

/// Writes "| a | b |\n". The cells are already Markdown.
std::string row(const std::vector<std::string>& cells);
/// Writes a table's first two lines.
std::string head(const std::vector<std::string>& cells);

/// Lists a program's commands and options.
std::string commands_table(const CommandWords& program);

}  // namespace emergence::handbook
