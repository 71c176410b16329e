#include "app/install/command_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <algorithm>

#include "core/base/error.h"

namespace emergence {
namespace {

// "TEXT:{dark,light}" -> dark, light.
std::vector<std::string> choices_in(const std::string& type) {
    const size_t open = type.find('{');
    const size_t close = type.find('}');
    if (open == std::string::npos || close == std::string::npos) return {};
    return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

OptionWords option_words(const CLI::Option& option) {
    OptionWords words;
    if (option.nonpositional()) {
        for (const std::string& name : option.get_snames()) words.names.push_back("-" + name);
        for (const std::string& name : option.get_lnames()) words.names.push_back("--" + name);
    } else {
        words.names.push_back(option.get_name());
    }
    words.help = option.get_description();
    words.required = option.get_required();
    words.repeated = option.get_items_expected_max() > 1;
    if (option.get_items_expected_max() == 0) return words;
    const std::string type = option.get_type_name();
    words.choices = choices_in(type);
    words.value =
        words.choices.empty() ? type.substr(0, type.find(':')) : fmt::format("{}", fmt::join(words.choices, "|"));
    return words;
}

}  // namespace

CommandWords words_of(const CLI::App& app) {
    CommandWords words;
    words.name = app.get_name();
    words.help = app.get_description();
    for (const CLI::Option* option : app.get_options())
        (option->nonpositional() ? words.options : words.arguments).push_back(option_words(*option));
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        words.commands.push_back(words_of(*command));
    return words;
}

namespace {

std::vector<std::string> names_of_commands(const CommandWords& program) {
    std::vector<std::string> names;
    for (const CommandWords& command : program.commands) names.push_back(command.name);
    return names;
}

// The words of an option or an argument.
std::vector<std::string> allowed(const OptionWords& option, const CommandWords& program) {
    return option.value == "COMMAND" ? names_of_commands(program) : option.choices;
}

std::string function_name(const CommandWords& program) {
    std::string name = "_" + program.name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

// Writes cases for the word at the cursor, "PLACE COMMAND WORD-BEFORE". `pattern` is the command's.
std::string bash_cases(const CommandWords& command, const std::string& pattern, const CommandWords& program) {
    std::string cases;
    std::vector<std::string> words;
    for (const OptionWords& option : command.options) {
        words.push_back(option.names.back());
        if (!option.choices.empty())
            cases += fmt::format("        *\"{} {}\") words=\"{}\" ;;\n", pattern, option.names.back(),
                                 fmt::join(option.choices, " "));
    }
    for (const OptionWords& argument : command.arguments)
        for (const std::string& one : allowed(argument, program)) words.push_back(one);
    return cases + fmt::format("        *\"{} \"*) words=\"{}\" ;;\n", pattern, fmt::join(words, " "));
}

std::string bash_script(const CommandWords& program) {
    std::string cases;
    if (program.commands.empty())
        cases = bash_cases(program, "", program);
    else
        cases = fmt::format("        \"1 \"*) words=\"{}\" ;;\n", fmt::join(names_of_commands(program), " "));
    for (const CommandWords& command : program.commands) cases += bash_cases(command, " " + command.name, program);
    return fmt::format(R"sh(# Completion of {0}.
{1}() {{
    local words=""
    case "$COMP_CWORD ${{COMP_WORDS[1]-}} ${{COMP_WORDS[COMP_CWORD-1]}}" in
{2}    esac
    COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]-}}"))
}}
complete -o bashdefault -o default -F {1} {0}
)sh",
                       program.name, function_name(program), cases);
}

// Zsh can read the script for bash.
std::string zsh_script(const CommandWords& program) {
    return fmt::format(R"sh(#compdef {0}
if (( ! $+functions[compdef] )) && autoload -Uz +X compinit 2>/dev/null; then compinit -i -D; fi
autoload -Uz +X bashcompinit && bashcompinit
{1}if [[ ${{funcstack[1]-}} == _{0} ]]; then _bash_complete -o bashdefault -o default -F {2}; fi
)sh",
                       program.name, bash_script(program), function_name(program));
}

}  // namespace

std::string completion_script(const std::string& shell, const CommandWords& program) {
    if (shell == "bash") return bash_script(program);
    if (shell == "zsh") return zsh_script(program);
    throw InputError("completion: there is no script for '{}'. Use bash or zsh.", shell);
}

}  // namespace emergence
