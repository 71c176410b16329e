#pragma once
// CLI11's own description of a program as plain data, and what the Tab key offers: a script for each shell, made of
// these words.

#include <string>

#include "app/handbook/command_words.h"

namespace CLI {
class App;
}

namespace emergence {

CommandWords words_of(const CLI::App& app);

/// Completes commands, options and what they allow; everything else is left to the shell, which knows files. Throws
/// InputError for a shell other than bash, fish and zsh.
std::string completion_script(const std::string& shell, const CommandWords& program);

}  // namespace emergence
