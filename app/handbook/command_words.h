#pragma once
// Describes a program's commands and options as plain data.

#include <string>
#include <vector>

namespace emergence {

struct OptionWords {
    std::vector<std::string> names;    // "-h", "--help"; an argument without a dash has its own name
    std::string value;                 // what it takes, as "FIELD=VALUE" or "DIR|FILE"; "" for a flag
    std::vector<std::string> choices;  // all values that are allowed, if they are a list
    std::string help;
    bool required = false;
    bool repeated = false;
};

struct CommandWords {
    std::string name;
    std::string help;
    std::vector<OptionWords> options;    // those with a dash
    std::vector<OptionWords> arguments;  // those without a dash, in order
    std::vector<CommandWords> commands;
};

}  // namespace emergence
