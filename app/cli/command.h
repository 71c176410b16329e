#pragma once
// Declares a command of emergence-cli once, beside its code. Help, manual page and completion come from this
// declaration.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/out_folder.h"
#include "app/install/command_words.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace emergence::cli {

/// Runs the command after its line was parsed. Returns an exit code, or throws InputError or IoError.
using Action = std::function<int(const Environment&)>;

/// An option that was declared.
class Option {
  public:
    explicit Option(CLI::Option* option) : option_(option) {}

    Option required();
    Option excludes(Option other);

  private:
    CLI::Option* option_;
};

/// Reads a whole number given for an option. Throws InputError, which says what is allowed, unlike CLI11's own
/// conversions.
int whole_number(const std::string& option, const std::string& text, int low, int high);

/// Declares the options of one command. Their variables must outlive the parsing.
class Options {
  public:
    Options(CLI::App& command, Asked& asked) : command_(command), asked_(asked) {}

    /// `name` has dashes, or none if it is an argument. `type` says what it takes, as "PRESET|FILE".
    template <class Text>  // std::string or std::optional<std::string>
    Option text(const std::string& name, const char* type, const char* help, Text& to) {
        return parsed(name, type, help, [&to](const std::string& given) { to = given; });
    }
    /// Takes several values. `each` says that one value follows every mention of the name.
    Option texts(const std::string& name, const char* type, const char* help, std::vector<std::string>& to,
                 bool each = false);
    /// Takes one of these.
    Option choice(const std::string& name, const std::vector<std::string>& choices, const char* help, std::string& to);
    /// Takes a whole number from `low` to `high`.
    template <class Number>  // int or std::optional<int>
    Option number(const std::string& name, const char* type, const char* help, int low, int high, Number& to) {
        return parsed(name, type, help,
                      [name, low, high, &to](const std::string& given) { to = whole_number(name, given, low, high); });
    }
    Option flag(const std::string& name, const char* help, bool& to);
    /// Reads a text with `read`, which throws InputError.
    Option parsed(const std::string& name, const char* type, const char* help,
                  const std::function<void(const std::string&)>& read);

    // Several commands have these options, see Asked.
    void threads();
    void autosave();
    void moments();
    void changes(const char* help, std::vector<std::string>& to);
    /// How figures are set on their page.
    void page();
    /// The folder for the results, or another place, with --force and --dry-run.
    template <class Text>
    Option out(const char* help, Text& to, const char* type = "DIR") {
        existing();
        return parsed("--out", type, help, [&to](const std::string& given) { to = folder_named(given).string(); });
    }
    /// Both without --out.
    void existing();
    void dry_run();
    void json(bool last_line = false);
    /// Prints the written files as JSON, on the last line.
    void files_as_json();

  private:
    CLI::App& command_;
    Asked& asked_;
};

struct Command {
    std::string name;
    std::string purpose;
    /// Declares the options, and returns the action that uses their values.
    std::function<Action(Options&)> declare;
    /// True for a long command, which checks Environment::stop and then ends with what it has. A signal ends any other
    /// command at once, and leaves whole files or none.
    bool ends_in_order = false;
};

// The commands in the order of help. The file that carries out a command defines its function.
Command list_command();
Command info_command();
Command run_command();
Command figure_command();
Command resume_command();
Command verify_command();
Command sweep_command();
Command compare_command();
Command read_command();
Command identify_command();
Command describe_command();
Command export_command();
Command handbook_command();
Command lesson_command();
Command film_command();
Command help_command();
Command manual_command();
Command completion_command();

/// A line that was read.
struct ParsedLine {
    std::string command;
    Action action;
    bool ends_in_order = false;
    Asked asked = {};
};

/// Reads the words after the program's name. Throws InputError, one line, for options that are unknown or missing,
/// unknown commands, and numbers that are not whole or out of range.
ParsedLine parse_line(const std::vector<std::string>& words);
ParsedLine parse_line(const std::vector<std::string>& words, const std::vector<Command>& commands);

/// Returns the help of the program, or of one command. Throws InputError.
std::string help_text(const std::string& command);

/// Returns every command and option, for the manual and for completion.
CommandWords command_words();

/// A command with the variables of its options.
template <class Request>
Command command_of(const char* name, const char* purpose, const std::function<void(Options&, Request&)>& declare,
                   const std::function<int(const Request&, const Environment&)>& run, bool ends_in_order = false) {
    return {name, purpose,
            [declare, run](Options& options) -> Action {
                auto request = std::make_shared<Request>();
                declare(options, *request);
                return [request, run](const Environment& environment) { return run(*request, environment); };
            },
            ends_in_order};
}

}  // namespace emergence::cli
