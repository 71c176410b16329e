// What only the window knows of the handbook: its keys, and the options that it is started with.
#include <doctest/doctest.h>

#include "app/gui/commands/command.h"
#include "app/gui/options.h"
#include "app/gui/shell/preferences.h"
#include "core/experiments/registry.h"
#include "tests/app/handbook/filled_pages.h"
#include "tests/app/handbook/shown_commands.h"

namespace emergence {
namespace {

handbook::Tables window_tables() {
    std::vector<handbook::KeyRow> rows;
    for (const WindowCommand& one : commands())
        if (!one.chords.empty()) rows.push_back({one.topic, one.keys, one.help});
    return {{"keys", [rows](const std::string&, const std::string&) { return handbook::keys_table(rows); }},
            {"preferences", [](const std::string&, const std::string&) {
                 return handbook::preferences_table(fields_of<Preferences>());
             }}};
}

// A file of the reader's own is not here.
bool is_of_checkout(const std::string& file) { return file.starts_with("assets/") || file.starts_with("tests/"); }

// "" or why the window would not open so.
std::string window_fault(const testing::ShownCommand& command) {
    std::vector<const char*> arguments;
    for (const std::string& word : command.words) arguments.push_back(word.c_str());
    Options options;
    if (const auto farewell = read_options(static_cast<int>(arguments.size()), arguments.data(), options))
        return farewell->status == 0 ? "" : farewell->text;
    try {
        for (std::string& name : options.files) {
            if (name.find_first_of("./") == std::string::npos) continue;
            const std::filesystem::path file = testing::source_dir() / name;
            if (!std::filesystem::exists(file)) return is_of_checkout(name) ? "no file " + name : "";
            name = file.string();
        }
        first_run(options, {}, find_experiment);
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("the README and the chapters hold the tables that the program makes: the window's") {
    testing::check_filled(window_tables());
}

TEST_CASE("every command that the handbook shows for the window is one that it takes") {
    for (const testing::Page& page : testing::handbook_pages())
        for (const testing::ShownCommand& command : testing::shown_commands(page))
            if (command.program() == "emergence")
                CHECK_MESSAGE(window_fault(command) == "", command.where() << ": " << window_fault(command));
}

}  // namespace emergence
