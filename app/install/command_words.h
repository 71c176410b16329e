#pragma once
// CLI11's own description of a program as plain data, so that manual pages and completion say what --help says.

#include "app/handbook/command_words.h"

namespace CLI {
class App;
}

namespace emergence {

CommandWords words_of(const CLI::App& app);

}  // namespace emergence
