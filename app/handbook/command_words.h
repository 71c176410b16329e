#pragma once
// A program's commands and options as plain data.

#include <string>
#include <vector>

namespace emergence {

struct OptionWords {
    std::vector<std::string> names;    // "-h", "--help"; of an argument without a dash: its own
    std::string value;                 // what it takes: "FIELD=VALUE", "DIR|FILE"; "" for a flag
    std::vector<std::string> choices;  // all that is allowed, if that is a list
    std::string help;
    bool required = false;
    bool repeated = false;
};

struct CommandWords {
    std::string name;
    std::string help;
    std::vector<OptionWords> options;    // with a dash
    std::vector<OptionWords> arguments;  // without, in their order
    std::vector<CommandWords> commands;
};

}  // namespace emergence
