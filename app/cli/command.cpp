#include "app/cli/command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>
#include <regex>
#include <sstream>

#include "app/export/export.h"
#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/experiments/registry.h"
#include "core/files/folders.h"
#include "core/files/text.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/store/checkpoint.h"

namespace emergence::cli {
namespace {

constexpr const char* kProgram = "emergence-cli";
constexpr const char* kPurpose = "Emergence without its window: train, draw figures, evaluate, verify.";
constexpr int kMostSeconds = 86'400;

// Returns an entry for this version.
std::string bibtex() {
    return fmt::format(R"(@software{{emergence,
  title = {{Emergence: watch a transformer discover a reinforcement-learning algorithm}},
  author = {{{{The authors of Emergence}}}},
  version = {{{}}},
  note = {{Commit {}. Cite the paper whose experiment you use as well}}
}})",
                       version(), commit().empty() ? "not known" : commit());
}

// All commands with their options, and what the line asked for.
class Program {
  public:
    explicit Program(const std::vector<Command>& commands) : app_(kPurpose, kProgram) {
        app_.require_subcommand(1);
        app_.set_help_flag("-h,--help", "Print help and exit");
        app_.add_flag("--cite", cites_, "With --version: a BibTeX entry too");
        app_.set_version_flag(
            "-V,--version", [this] { return "emergence " + version_with_commit() + (cites_ ? "\n" + bibtex() : ""); },
            "Print the version and exit");
        app_.add_flag("-q,--quiet", asked_.quiet, "Print only results and errors");
        for (const Command& command : commands) {
            CLI::App* added = app_.add_subcommand(command.name, command.purpose);
            added->fallthrough();
            Options options(*added, asked_);
            actions_.push_back(command.declare(options));
        }
    }

    CLI::App& app() { return app_; }
    const Asked& asked() const { return asked_; }
    const Action& action(size_t i) const { return actions_[i]; }

  private:
    CLI::App app_;
    Asked asked_;
    bool cites_ = false;
    std::deque<Action> actions_;
};

// CLI11 would only say that a command is required.
void check_command(const std::vector<Command>& commands, const std::vector<std::string>& words) {
    const auto first = find_if(words, [](const std::string& word) { return word != "-q" && word != "--quiet"; });
    std::vector<std::string> names;
    for (const Command& command : commands) names.push_back(command.name);
    if (first == words.end()) throw InputError("name a command: {}", fmt::join(names, ", "));
    const bool known = contains(names, *first);
    if (!known && !first->starts_with('-'))
        throw InputError(unknown_name("command", *first, names, "'emergence-cli help' lists all"));
}

// `--set a=1 b=2` means `--set a=1 --set b=2`, and `--format pdf svg` likewise. No command takes words of these forms
// in any other way.
std::vector<std::string> with_each_named(const std::vector<std::string>& arguments) {
    const auto is_change = [](const std::string& word) {
        const size_t equals = word.find('=');
        return equals != std::string::npos && equals > 0 &&
               word.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") == equals;
    };
    const auto is_format = [](const std::string& word) {
        return any_of(kFileFormats, [&](FileFormat format) { return file_extension(format) == word; });
    };
    std::vector<std::string> result;
    std::string option;  // whose values may go on
    for (const std::string& word : arguments) {
        if (!result.empty() && (result.back() == "--set" || result.back() == "--format"))
            option = result.back();
        else if ((option == "--set" && is_change(word)) || (option == "--format" && is_format(word)))
            result.push_back(option);
        else
            option.clear();
        result.push_back(word);
    }
    return result;
}

// Cleans up the words. A line break could fake a line of output, so only a quantity may have one.
std::vector<std::string> meant(const std::vector<std::string>& words) {
    std::vector<std::string> all;
    for (const std::string& word : words) {
        const bool quantity = word.starts_with("--quantity") || (!all.empty() && all.back() == "--quantity");
        if (!quantity && word.find_first_of("\n\r") != std::string::npos)
            throw InputError("'{}' has a line break. Give it another name", shown_text(word));
        all.push_back(with_home_folder(word));
    }
    return all;
}

// Recognises "--sed" for a command that has --seeds.
std::string unknown_option(const CLI::App& command, const std::vector<std::string>& extras) {
    const auto option = find_if(extras, [](const std::string& word) { return word.starts_with('-'); });
    if (option == extras.end()) return "";
    std::vector<std::string> names;
    for (const OptionWords& known : words_of(command).options) names.push_back(known.names.back());
    const std::string name = option->substr(0, option->find('='));
    if (std::string said = said_of_retired("option", name); !said.empty()) return said;
    const auto is_setting = [&](const ExperimentInfo& info) {
        return std::any_of(info.fields->begin(), info.fields->end(),
                           [&](const FieldInfo& field) { return name == "--" + field.name; });
    };
    const bool takes_settings = contains(names, "--set");
    if (takes_settings && any_of(experiments(), is_setting))
        return fmt::format("unknown option '{}'. It is a setting: --set {}=VALUE", name, name.substr(2));
    const std::vector<std::string> near = near_names(name, names);
    return fmt::format("unknown option '{}'{} ('emergence-cli help{}' lists the options)", name,
                       near.empty() ? "" : fmt::format(". Did you mean '{}'?", fmt::join(near, "' or '")),
                       command.get_parent() == nullptr ? "" : " " + command.get_name());
}

// Rewords the parser's messages: "--shape: 'oval' is unknown. Known: round, square".
std::string in_our_words(const std::string& message) {
    static const std::regex unknown("(.*): (.*) not in \\{(.*)\\}"), missing("(--.*): 1 required (.*) missing");
    std::smatch found;
    if (std::regex_match(message, found, missing))
        return fmt::format("{}: {} is missing", found[1].str(), found[2].str());
    if (!std::regex_match(message, found, unknown)) return message;
    if (std::string said = said_of_retired("word", found[2].str()); !said.empty()) return said;
    std::vector<std::string> names;
    std::istringstream all(found[3].str());
    for (std::string name; std::getline(all, name, ',');) names.push_back(name);
    const std::vector<std::string> near = near_names(found[2].str(), names);
    return fmt::format("{}: '{}' is unknown. Known: {}{}", found[1].str(), found[2].str(), fmt::join(names, ", "),
                       near.empty() ? "" : fmt::format(". Did you mean '{}'?", fmt::join(near, "' or '")));
}

[[noreturn]] void refuse(const CLI::App& app, const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    const CLI::App& at = chosen.empty() ? app : *chosen.front();
    if (const std::string message = unknown_option(at, app.remaining(true)); !message.empty())
        throw InputError(message);
    std::string message = error.what();
    std::replace(message.begin(), message.end(), '\n', ' ');
    throw InputError("{} ('emergence-cli help{}' lists the options)", in_our_words(message),
                     chosen.empty() ? "" : " " + at.get_name());
}

ParsedLine text_line(const std::string& text) {
    return {"help", [text](const Environment& environment) {
                environment.out << text;
                return kDone;
            }};
}

const std::vector<Command>& all_commands() {
    static const std::vector<Command> commands = {
        list_command(),     info_command(),   run_command(),       figure_command(), resume_command(),
        verify_command(),   sweep_command(),  compare_command(),   read_command(),   identify_command(),
        describe_command(), export_command(), handbook_command(),  lesson_command(), film_command(),
        help_command(),     manual_command(), completion_command()};
    return commands;
}

}  // namespace

int whole_number(const std::string& option, const std::string& text, int low, int high) {
    const auto value = parsed<int>(text);
    if (!value || *value < low || *value > high)
        throw InputError("{}: '{}' is not a whole number from {} to {}", option, text, low, high);
    return *value;
}

Option Option::required() {
    option_->required();
    return *this;
}
Option Option::excludes(Option other) {
    option_->excludes(other.option_);
    return *this;
}

Option Options::texts(const std::string& name, const char* type, const char* help, std::vector<std::string>& to,
                      bool each) {
    CLI::Option* option = command_.add_option(name, to, help)->type_name(type);
    if (each) option->allow_extra_args(false);
    return Option(option);
}
Option Options::choice(const std::string& name, const std::vector<std::string>& choices, const char* help,
                       std::string& to) {
    return Option(command_.add_option(name, to, help)->check(CLI::IsMember(choices)));
}
Option Options::parsed(const std::string& name, const char* type, const char* help,
                       const std::function<void(const std::string&)>& read) {
    return Option(command_
                      .add_option(
                          name,
                          [read](const CLI::results_t& given) {
                              read(given.back());
                              return true;
                          },
                          help)
                      ->type_name(type));
}
Option Options::flag(const std::string& name, const char* help, bool& to) {
    return Option(command_.add_flag(name, to, help));
}

void Options::threads() {
    number("--threads", "T", "Number of threads (default: one per core)", 1, ThreadPool::kMaxThreads, asked_.threads);
}
void Options::autosave() {
    number("--autosave", "S", "Seconds between checkpoints for 'resume' (default: 60; 0: only at the end)", 0,
           kMostSeconds, asked_.autosave);
}
void Options::moments() {
    number("--moments", "N", "Save the run at up to this many steps, to replay it later (default: 64; 0: none)", 0,
           kMostMoments, asked_.moments);
}
void Options::changes(const char* help, std::vector<std::string>& to) { texts("--set", "FIELD=VALUE", help, to, true); }
void Options::page() {
    parsed("--width", "NAME",
           "Width of the figures, with text to match: 3.4in, 7in or slide (default: each figure's own)",
           [&to = asked_.page](const std::string& given) { set_page_width(given, to); });
    number("--dpi", "N", "Dots per inch of PNG files, for example 300 or 600 (default: 150)", kFewestDots, kMostDots,
           asked_.page.dots_per_inch);
    command_.add_flag_function(
        "--no-caption", [&to = asked_.page](int64_t) { to.caption = false; },
        "Draw figures without title and caption; metadata stay");
}
void Options::existing() {
    flag("--force", "Replace existing files, if Emergence wrote them", asked_.force);
    dry_run();
}
void Options::dry_run() {
    flag("--dry-run", "Check the command and list what it would write, without writing", asked_.dry_run);
}
void Options::json(bool last_line) {
    flag("--json", last_line ? "Print the result as JSON, on the last line of standard output" : "Print JSON",
         asked_.json);
}
void Options::files_as_json() {
    command_.add_flag_function(
        "--json", [this_asked = &asked_](int64_t) { this_asked->json = this_asked->files_as_json = true; },
        "Print the names of the written files as JSON, on the last line of standard output");
}

CommandWords command_words() { return words_of(Program(all_commands()).app()); }

std::string help_text(const std::string& command) {
    Program program(all_commands());
    if (command.empty()) return program.app().help();
    check_command(all_commands(), {command});
    return program.app().get_subcommand(command)->help(kProgram);
}

ParsedLine parse_line(const std::vector<std::string>& words) { return parse_line(words, all_commands()); }

ParsedLine parse_line(const std::vector<std::string>& typed, const std::vector<Command>& commands) {
    const std::vector<std::string> words = meant(typed);
    check_command(commands, words);
    const auto program = std::make_shared<Program>(commands);
    const std::vector<std::string> given = with_each_named(words);
    std::vector<std::string> reversed(given.rbegin(), given.rend());  // as CLI11 wants them
    try {
        program->app().parse(reversed);
    } catch (const CLI::CallForVersion& version) {
        return text_line(std::string(version.what()) + "\n");
    } catch (const CLI::CallForHelp&) {
        return text_line(program->app().help());
    } catch (const CLI::ParseError& error) {
        refuse(program->app(), error);
    }
    const std::string name = program->app().get_subcommands().front()->get_name();
    const auto chosen = find_if(commands, [&](const Command& one) { return one.name == name; });
    // Keep the program alive, because its options write to variables that the action reads.
    const auto act = [program, i = static_cast<size_t>(chosen - commands.begin())](const Environment& environment) {
        return program->action(i)(environment);
    };
    return {name, act, chosen->ends_in_order, program->asked()};
}

}  // namespace emergence::cli
