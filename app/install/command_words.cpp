#include "app/install/command_words.h"

#include <CLI/CLI.hpp>

namespace emergence {
namespace {

// "TEXT:{dark,light}" -> dark, light.
std::vector<std::string> choices_in(const std::string& type) {
    const size_t open = type.find('{');
    const size_t close = type.find('}');
    if (open == std::string::npos || close == std::string::npos) return {};
    return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : "|") + word;
    return text;
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
    words.value = words.choices.empty() ? type.substr(0, type.find(':')) : joined(words.choices);
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

}  // namespace emergence
