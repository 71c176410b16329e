#pragma once
// What the Tab key offers: a script for each shell, made of a program's own words.

#include <string>

#include "app/install/command_words.h"

namespace emergence {

/// Completes commands, options and what they allow; everything else is left to the shell, which knows files. Throws
/// InputError for a shell other than bash, fish and zsh.
std::string completion_script(const std::string& shell, const CommandWords& program);

}  // namespace emergence
