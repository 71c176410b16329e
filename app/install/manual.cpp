#include "app/install/manual.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/base/version.h"
#include "core/settings/fields.h"

namespace emergence {
namespace {

// `text` as roff on one line: hyphens that can be copied, nothing taken for a request.
std::string roff(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else if (static_cast<unsigned char>(c) < 32)
            out += ' ';
        else
            out += c;
    }
    while (out.starts_with(' ')) out.erase(0, 1);
    return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

// A macro's argument in quotes.
std::string in_quotes(const std::string& text) {
    std::string out = "\"";
    for (const char c : roff(text)) out += c == '"' ? std::string("\\(dq") : std::string(1, c);
    return out + "\"";
}

std::string head(const std::string& name, int section, const std::string& purpose) {
    return fmt::format(".TH {} {} \"\" {} {}\n.SH NAME\n{} \\- {}\n", in_quotes(capital_letters(name)), section,
                       in_quotes("Emergence " + version()), in_quotes("Emergence"), roff(name), roff(purpose));
}

// `term` is roff already.
std::string term(const std::string& name, const std::string& meaning) {
    return fmt::format(".TP\n{}\n{}\n", name, meaning.empty() ? "\\&" : roff(meaning));
}

std::string paragraph(const std::string& text) { return text.empty() ? "" : ".PP\n" + roff(text) + "\n"; }

// "Train, draw." -> "Train, draw", as NAME sections have it.
std::string purpose_of(std::string help) {
    if (help.ends_with('.')) help.pop_back();
    return help;
}

// Every command has it; the program's own entry says so once.
bool is_help(const OptionWords& option) { return option.names.back() == "--help"; }

std::string option_text(const OptionWords& option) {
    std::string names = listed(option.names, bold);
    if (!option.value.empty()) names += " " + italic(option.value);
    return term(names, option.help);
}

std::string argument_name(const OptionWords& argument) {
    const std::string name = italic(argument.value.empty() ? argument.names.back() : argument.value);
    const std::string all = argument.repeated ? name + " ..." : name;
    return argument.required ? all : "[" + all + "]";
}

std::string synopsis(const std::string& program, const CommandWords& command) {
    std::string line = bold(program);
    for (const OptionWords& option : command.options)
        if (option.required) line += " " + bold(option.names.back()) + " " + italic(option.value);
    const auto is_optional = [](const OptionWords& option) { return !option.required && !is_help(option); };
    if (std::any_of(command.options.begin(), command.options.end(), is_optional))
        line += " [" + italic("options") + "]";
    for (const OptionWords& argument : command.arguments) line += " " + argument_name(argument);
    return line + "\n";
}

std::string options_text(const CommandWords& command, bool with_help) {
    std::string text;
    for (const OptionWords& argument : command.arguments) text += term(argument_name(argument), argument.help);
    for (const OptionWords& option : command.options)
        if (with_help || !is_help(option)) text += option_text(option);
    return text;
}

std::string tables_text(const std::vector<ManualTable>& tables) {
    std::string text;
    for (const ManualTable& table : tables) {
        text += ".SH " + in_quotes(capital_letters(table.title)) + "\n";
        if (!table.text.empty()) text += roff(table.text) + "\n";
        for (const auto& [name, meaning] : table.terms) text += term(bold(name), meaning);
    }
    return text;
}

std::string field_text(const FieldInfo& field) {
    const std::string value = to_text(field.default_value);
    std::string facts = fmt::format("{}; default {}", allowed_text(field), value.empty() ? "none" : value);
    if (!field.unit.empty()) facts += " " + field.unit;
    facts += field.applies == Applies::live ? "; applies at once" : "; begins a new run";
    std::string meaning = field.label;
    if (!field.help.empty()) meaning += (meaning.empty() ? "" : ": ") + field.help;
    if (const std::string acts = acts_text(field); !acts.empty())
        meaning += (meaning.empty() ? "" : " ") + fmt::format("Acts while {}.", acts);
    return term(fmt::format("{} ({})", bold(field.name), roff(facts)), meaning);
}

ManualTable environment() {
    return {"Environment",
            "",
            {{"EMERGENCE_ASSETS", "A folder with presets, results and weights, used instead of the installed one."}}};
}

const std::string kAbout =
    "Emergence trains small transformers and draws, while they learn, what their weights become, how close "
    "they are to the algorithm that theory names, and how well the trained network learns in context. ";

ManualTable see_also(const std::string& pages) { return {"See also", pages, {}}; }

}  // namespace

std::string program_page(const CommandWords& program, const std::string& description,
                         const std::vector<ManualTable>& tables) {
    const bool commands = !program.commands.empty();
    std::string text = head(program.name, 1, purpose_of(program.help)) + ".SH SYNOPSIS\n";
    if (!commands) text += synopsis(program.name, program);
    for (const CommandWords& command : program.commands) {
        if (&command != &program.commands.front()) text += ".br\n";
        text += synopsis(program.name + " " + command.name, command);
    }
    text += ".SH DESCRIPTION\n" + roff(description) + "\n";
    text += ".SH OPTIONS\n" + options_text(program, true);
    if (commands) text += ".SH COMMANDS\n";
    for (const CommandWords& command : program.commands)
        text += ".SS " + in_quotes(command.name) + "\n" + roff(command.help) + "\n" + options_text(command, false);
    return text + tables_text(tables);
}

std::string command_line_page(const CommandWords& program, const std::vector<ExperimentInfo>& experiments) {
    ManualTable trained{"Experiments", "Their settings are in emergence-experiments(7).", {}};
    ManualTable figures{"Figures", "", {}};
    for (const ExperimentInfo& info : experiments) {
        trained.terms.emplace_back(info.name, info.title + ".");
        for (const FigureInfo& figure : info.figures) figures.terms.emplace_back(figure.name, figure.title);
    }
    const ManualTable exit{"Exit status",
                           "",
                           {{"0", "Done."},
                            {"1", "The machine refused, a claim fails, or the user stopped it."},
                            {"2", "An argument or a file is wrong; one line says which and what is allowed."},
                            {"3", "A seed diverged. The files are written nevertheless."}}};
    const ManualTable examples{
        "Examples",
        "",
        {{"emergence-cli run td --set num_layers=2 --seeds 4 --out two-layers",
          "Trains four seeds of a two-layer transformer and writes figures and numbers into two-layers."},
         {"emergence-cli figure wang-2", "Makes Figure 2 of Wang et al. 2025 and checks its claims."}}};
    return program_page(
        program, kAbout + "'emergence-cli handbook' prints the handbook.",
        {trained, figures, examples, exit, environment(), see_also("emergence(1), emergence-experiments(7)")});
}

std::string window_page(const CommandWords& program, const ManualTable& keys) {
    const std::string about =
        "Without arguments it opens the experiment that was open last, at the first start one in which "
        "temporal-difference learning emerges within half a minute. F1 opens the handbook.";
    const ManualTable opened{"What can be opened",
                             "As an argument, dropped on the window, or with Open… in the menu of dots:",
                             {{"a preset's name", "Its experiment begins with its settings."},
                              {"a folder of a run", "The run is resumed; a second folder is drawn beside it."},
                              {"config.toml, or an exported PDF, SVG, PNG or NPZ",
                               "Its experiment begins, goes to the step that the file shows, and pauses."},
                              {"a sweep, or its folder", "Its phase diagram is drawn; missing cells can be computed."},
                              {"a world", "A Markov reward process of one's own, to be edited and evaluated."}}};
    const ManualTable examples{
        "Examples",
        "",
        {{"emergence wang-2", "Opens the setting of Figure 2 of Wang et al. 2025."},
         {"emergence out/my-run", "Resumes a run of emergence-cli."},
         {"emergence --experiment td --set num_layers=2 --seeds 4", "Trains four two-layer transformers."}}};
    const ManualTable exit{"Exit status",
                           "",
                           {{"0", "The window was closed."},
                            {"1", "The machine refused."},
                            {"2", "An argument or a file is wrong."},
                            {"4", "No window can be opened: no display, or no OpenGL 3.3."}}};
    const ManualTable files{
        "Files",
        "",
        {{"$XDG_DATA_HOME/emergence/runs (~/.local/share/emergence/runs)",
          "A folder for each run that the window saves."},
         {"$XDG_DATA_HOME/emergence/sweeps (~/.local/share/emergence/sweeps)", "A folder for each sweep."},
         {"$XDG_CONFIG_HOME/emergence (~/.config/emergence)", "Preferences."}}};
    return program_page(
        program, kAbout + about,
        {opened, keys, examples, files, exit, environment(), see_also("emergence-cli(1), emergence-experiments(7)")});
}

std::string experiments_page(const std::vector<ExperimentInfo>& experiments) {
    std::string text = head("emergence-experiments", 7, "experiments of Emergence and their settings") +
                       ".SH DESCRIPTION\n" +
                       roff(
                           "A setting is changed with --set NAME=VALUE of emergence(1) and emergence-cli(1), in the "
                           "table [settings] of a TOML file, or in the window.") +
                       "\n";
    for (const ExperimentInfo& info : experiments) {
        text += ".SH " + in_quotes(info.name) + "\n" + roff(info.title) + ".\n" + paragraph(info.summary) +
                paragraph(info.emergence_rule);
        std::string group;
        for (const FieldInfo& field : *info.fields) {
            if (field.group != group) text += ".SS " + in_quotes(group = field.group) + "\n";
            text += field_text(field);
        }
    }
    return text + tables_text({see_also("emergence(1), emergence-cli(1)")});
}

}  // namespace emergence
