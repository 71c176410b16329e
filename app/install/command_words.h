#pragma once
// Turns CLI11's description of a program into plain data, and writes from these words a script for each shell that says
// what the Tab key offers.

#include <string>

#include "app/handbook/command_words.h"

namespace CLI {
class App;
}

namespace emergence {

CommandWords words_of(const CLI::App& app);

/// Completes commands, options and the values they allow. The shell completes everything else, because it knows the
/// files. Throws InputError for a shell other than bash and zsh.
std::string completion_script(const std::string& shell, const CommandWords& program);

}  // namespace emergence
