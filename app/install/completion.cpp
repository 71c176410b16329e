#include "app/install/completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <set>
#include <utility>

#include "app/handbook/chapters.h"
#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/files/assets.h"
#include "core/files/folders.h"
#include "core/lab/figures/claim_files.h"
#include "core/settings/toml.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;
using Candidates = std::vector<Candidate>;

// The words before the cursor, each in its part.
struct Line {
    const CommandWords* command = nullptr;
    std::vector<std::string> arguments;
    std::map<std::string, std::string> values;  // by the option's last name: "--preset"
    const OptionWords* waiting = nullptr;       // an option whose value comes next
    const OptionWords* going_on = nullptr;      // --set, behind one of its changes: another may follow
    std::string last;                           // the word that is begun, or its part after "--option="
    std::string prefix;                         // then "--option="

    std::string value(const std::string& option) const {
        const auto found = values.find(option);
        return found == values.end() ? "" : found->second;
    }
};

const OptionWords* option_named(const CommandWords& command, const std::string& name) {
    for (const OptionWords& option : command.options)
        if (std::find(option.names.begin(), option.names.end(), name) != option.names.end()) return &option;
    return nullptr;
}

void read_word(const std::string& word, Line& line) {
    const size_t equals = word.find('=');
    const OptionWords* changes = std::exchange(line.going_on, nullptr);
    if (line.waiting != nullptr) {
        line.values[line.waiting->names.back()] = word;
        if (line.waiting->value == "FIELD=VALUE") line.going_on = line.waiting;
        line.waiting = nullptr;
        return;
    }
    if (changes != nullptr && !word.starts_with("-") && equals != std::string::npos) {
        line.going_on = changes;
        return;
    }
    if (const OptionWords* option = option_named(*line.command, word.substr(0, equals))) {
        if (equals != std::string::npos)
            line.values[option->names.back()] = word.substr(equals + 1);
        else if (!option->value.empty())
            line.waiting = option;
        return;
    }
    if (word.starts_with("-")) return;
    for (const CommandWords& command : line.command->commands)
        if (command.name == word) {
            line.command = &command;
            return;
        }
    line.arguments.push_back(word);
}

Line read_line(const CommandWords& program, const std::vector<std::string>& words) {
    Line line;
    line.command = &program;
    for (size_t i = 0; i + 1 < words.size(); ++i) read_word(words[i], line);
    line.last = words.empty() ? "" : words.back();
    const size_t equals = line.last.find('=');
    if (line.waiting == nullptr && line.last.starts_with("--") && equals != std::string::npos) {
        line.waiting = option_named(*line.command, line.last.substr(0, equals));
        line.prefix = line.last.substr(0, equals + 1);
        line.last.erase(0, equals + 1);
    }
    return line;
}

// Finds what a line speaks of, and lists what may be named in it.
class Lister {
  public:
    Lister(const CommandWords& program, const Line& line, const Vocabulary& vocabulary)
        : program_(program), line_(line), vocabulary_(vocabulary) {}

    // `kind`: one part of what an option takes, "PRESET" of "PRESET|FILE".
    void add(const std::string& kind, Completion& to) const {
        Candidates& all = to.candidates;
        if (kind == "EXPERIMENT") {
            for (const ExperimentInfo& info : vocabulary_.experiments) all.push_back({info.name, info.title});
        } else if (kind == "FIGURE") {
            add_figures(all);
        } else if (kind == "PRESET") {
            add_presets(all);
        } else if (kind == "SWEEP") {
            add_files_of("sweeps", "shipped sweep", all);
        } else if (kind == "LESSON") {
            add_files_of("lessons", "shipped lesson", all);
        } else if (kind == "CLAIM") {
            add_claims(all);
        } else if (kind == "PAPER") {
            for (const Paper& paper : papers()) all.push_back({paper.name, paper.citation});
        } else if (kind == "CHAPTER") {
            add_chapters(all);
        } else if (kind == "FIELD=VALUE") {
            add_fields(all);
        } else if (kind == "COMMAND") {
            for (const CommandWords& command : program_.commands) all.push_back({command.name, command.help});
        } else if (kind == "DIR") {
            to.folders = true;
        } else if (kind.starts_with("FILE") || kind.ends_with(".npz")) {
            to.files = true;
        }
    }

  private:
    void add_claims(Candidates& all) const {
        try {
            for (const Claim& claim : claims_in(vocabulary_.assets() / "figures", vocabulary_.experiments))
                all.push_back({claim.name, claim.statement});
        } catch (const std::runtime_error&) {  // then without them
        }
    }
    void add_figures(Candidates& all) const {
        for (const ExperimentInfo& info : vocabulary_.experiments) {
            for (const FigureInfo& figure : info.figures) all.push_back({figure.name, figure.title});
        }
        if (line_.command->name == "figure") all.push_back({"all", "every figure"});
    }
    // Those of the experiment, if one is named.
    void add_presets(Candidates& all) const {
        const std::string named = line_.arguments.empty() ? line_.value("--experiment") : line_.arguments[0];
        const ExperimentInfo* only = experiment_named(named);
        const fs::path assets = vocabulary_.assets();
        for (const std::string& name : preset_names(assets)) try {
                const SettingsFile file = read_settings(preset_path(assets, name));
                if (only == nullptr || file.experiment == only->name) all.push_back({name, file.title});
            } catch (const std::exception&) {  // `list` says what is wrong with it
                all.push_back({name, ""});
            }
    }
    void add_files_of(const char* folder, const char* what, Candidates& all) const {
        for (const fs::path& file : entries_in(vocabulary_.assets() / folder))
            if (file.extension() == ".toml") all.push_back({file.stem().string(), what});
    }
    void add_chapters(Candidates& all) const {
        const fs::path assets = vocabulary_.assets();
        for (const std::string& name : handbook::chapter_names()) try {
                all.push_back({name, handbook::read_chapter(assets, name).title});
            } catch (const InputError&) {  // `handbook` says what is wrong with it
                all.push_back({name, ""});
            }
    }

    const ExperimentInfo* experiment_named(const std::string& name) const {
        for (const ExperimentInfo& info : vocabulary_.experiments)
            if (info.name == name) return &info;
        return nullptr;
    }
    const ExperimentInfo* experiment_of_figure(const std::string& name) const {
        const auto is_it = [&name](const auto& figure) { return figure.name == name; };
        for (const ExperimentInfo& info : vocabulary_.experiments)
            if (std::any_of(info.figures.begin(), info.figures.end(), is_it)) return &info;
        return nullptr;
    }
    // A preset by its name, a run's folder, or any file that the programs open.
    const ExperimentInfo* experiment_of_file(const std::string& name) const {
        if (name.empty()) return nullptr;
        try {
            const std::vector<std::string> presets = preset_names(vocabulary_.assets());
            const bool shipped = std::find(presets.begin(), presets.end(), name) != presets.end();
            const fs::path path = shipped                                      ? preset_path(vocabulary_.assets(), name)
                                  : fs::exists(fs::path(name) / "config.toml") ? fs::path(name) / "config.toml"
                                                                               : fs::path(name);
            return experiment_named(settings_of_file(path).experiment);
        } catch (const std::exception&) {
            return nullptr;
        }
    }
    // nullptr if the line names none yet.
    const ExperimentInfo* experiment() const {
        const std::string argument = line_.arguments.empty() ? "" : line_.arguments[0];
        for (const std::string& name : {line_.value("--experiment"), argument})
            if (const ExperimentInfo* info = experiment_named(name)) return info;
        if (const ExperimentInfo* info = experiment_of_figure(argument)) return info;
        for (const std::string& name : {line_.value("--preset"), line_.value("--config"), argument})
            if (const ExperimentInfo* info = experiment_of_file(name)) return info;
        return nullptr;
    }

    // Fields, or the values of the one that is named already. Without an experiment, those of all.
    void add_fields(Candidates& all) const {
        std::set<std::string> done;
        const ExperimentInfo* chosen = experiment();
        for (const ExperimentInfo& info : vocabulary_.experiments) {
            if (chosen != nullptr && &info != chosen) continue;
            for (const FieldInfo& field : *info.fields) {
                // A run that is resumed takes only what applies to a running one.
                if (line_.command->name == "resume" && field.applies != Applies::live) continue;
                if (!done.insert(field.name).second) continue;
                if (line_.last.starts_with(field.name + "="))
                    add_values(field, all);
                else
                    all.push_back({field.name + "=", field.label + ": " + field.help});
            }
        }
    }
    static void add_values(const FieldInfo& field, Candidates& all) {
        const std::string start = field.name + "=";
        for (const std::string& choice : field.choices) all.push_back({start + choice, ""});
        if (!field.choices.empty()) return;
        if (std::holds_alternative<bool>(field.default_value))
            all.insert(all.end(), {{start + "false", ""}, {start + "true", ""}});
        else if (const std::string text = to_text(field.default_value); !text.empty())
            all.push_back({start + text, "default; " + allowed_text(field)});
    }

    const CommandWords& program_;
    const Line& line_;
    const Vocabulary& vocabulary_;
};

void add_value(const OptionWords& option, const Lister& lister, Completion& to) {
    for (const std::string& choice : option.choices) to.candidates.push_back({choice, ""});
    std::string rest = option.value;
    while (!rest.empty()) {
        const size_t bar = std::min(rest.find('|'), rest.size());
        try {
            lister.add(rest.substr(0, bar), to);
        } catch (const std::exception&) {  // no assets: the other parts may still be named
        }
        rest.erase(0, bar + 1);
    }
}

void add_options(const CommandWords& command, Completion& to) {
    for (const OptionWords& option : command.options) to.candidates.push_back({option.names.back(), option.help});
}

void add_next_argument(const Line& line, const Lister& lister, Completion& to) {
    for (const CommandWords& command : line.command->commands) to.candidates.push_back({command.name, command.help});
    const std::vector<OptionWords>& arguments = line.command->arguments;
    const size_t given = line.arguments.size();
    if (given < arguments.size())
        add_value(arguments[given], lister, to);
    else if (!arguments.empty() && arguments.back().repeated)
        add_value(arguments.back(), lister, to);
    else if (line.command->commands.empty())
        add_options(*line.command, to);
}

}  // namespace

Completion complete(const CommandWords& program, const std::vector<std::string>& words, const Vocabulary& vocabulary) {
    const Line line = read_line(program, words);
    const Lister lister(program, line, vocabulary);
    Completion to;
    if (line.waiting != nullptr)
        add_value(*line.waiting, lister, to);
    else if (line.last.starts_with("-")) {
        add_options(*line.command, to);
        if (line.command != &program) add_options(program, to);  // which stand anywhere
    } else {
        if (line.going_on != nullptr) add_value(*line.going_on, lister, to);
        add_next_argument(line, lister, to);
    }
    std::set<std::string> named;
    std::erase_if(to.candidates, [&](const Candidate& candidate) {
        return !candidate.text.starts_with(line.last) || !named.insert(candidate.text).second;
    });
    for (Candidate& candidate : to.candidates) candidate.text.insert(0, line.prefix);
    return to;
}

std::string printed(const Completion& completion) {
    std::string text = completion.files ? "files\n" : completion.folders ? "folders\n" : "words\n";
    for (const auto& [name, help] : completion.candidates) {
        std::string line = help;
        for (char& c : line)
            if (static_cast<unsigned char>(c) < 32) c = ' ';
        text += line.empty() ? name + '\n' : fmt::format("{}\t{}\n", name, line);
    }
    return text;
}

}  // namespace emergence
