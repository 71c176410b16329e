#include "app/handbook/markdown.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace emergence::handbook {

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (std::string_view("\\|*<[`").find(c) != std::string_view::npos) out += '\\';
        out += c == '\n' ? ' ' : c;
    }
    return out;
}

std::string as_code(std::string_view text) {
    if (text.empty()) return "";
    std::string out = "`";
    for (const char c : text) {
        if (c == '|') out += '\\';
        out += c == '\n' ? ' ' : c;
    }
    return out + "`";
}

std::string row(const std::vector<std::string>& cells) {
    std::string line = "|";
    for (const std::string& cell : cells) line += (cell.empty() ? "" : " " + cell) + " |";
    return line + "\n";
}

std::string head(const std::vector<std::string>& cells) {
    std::string line = row(cells) + "|";
    for (size_t i = 0; i < cells.size(); ++i) line += "---|";
    return line + "\n";
}

namespace {

std::string argument_text(const OptionWords& argument) {
    std::string text = argument.value.empty() ? argument.names.back() : argument.value;
    if (argument.repeated) text += " ...";
    return argument.required ? text : "[" + text + "]";
}

// Writes "`--out DIR`". Every command has --help, which only the program's own row mentions.
std::string option_row(const OptionWords& option) {
    std::string names = fmt::format("{}", fmt::join(option.names, ", "));
    if (!option.value.empty()) names += " " + option.value;
    return row({"", as_code(names), escaped(option.help)});
}

std::string command_rows(const CommandWords& command) {
    std::string usage = command.name;
    for (const OptionWords& argument : command.arguments) usage += " " + argument_text(argument);
    std::string rows = row({as_code(usage), "", "**" + escaped(command.help) + "**"});
    for (const OptionWords& argument : command.arguments)
        rows += row({"", as_code(argument_text(argument)), escaped(argument.help)});
    for (const OptionWords& option : command.options)
        if (option.names.back() != "--help") rows += option_row(option);
    return rows;
}

}  // namespace

std::string commands_table(const CommandWords& program) {
    std::string table = head({"command", "takes", "what it does"});
    for (const CommandWords& command : program.commands) table += command_rows(command);
    table += row({as_code(program.name), "", "**" + escaped(program.help) + "**"});
    for (const OptionWords& option : program.options) table += option_row(option);
    return table;
}

}  // namespace emergence::handbook
