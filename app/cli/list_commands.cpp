// Carries out list and info, which say what there is.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <filesystem>
#include <memory>
#include <ostream>
#include <utility>

#include "app/cli/answer.h"
#include "app/cli/command.h"
#include "app/cli/run_request.h"
#include "app/handbook/chapters.h"
#include "app/handbook/plain.h"
#include "app/install/command_words.h"
#include "app/open/opening.h"
#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/settings/fields.h"

namespace emergence::cli {
namespace {

struct Nothing {};  // is asked beside the command

struct InfoRequest {
    std::string name;  // an experiment, a figure or a preset; "" for all experiments
};

Answer list(const Nothing&, const Environment& environment) {
    Json experiments = Json::array(), figures = Json::array(), presets = Json::array();
    for (const ExperimentInfo& info : environment.experiments) {
        experiments.push_back({{"name", info.name}, {"title", info.title}});
        for (const FigureInfo& figure : info.figures)
            figures.push_back({{"name", figure.name}, {"title", figure.title}, {"experiment", info.name}});
    }
    std::string text = "Experiments (run NAME, info NAME)\n" + rows_text(experiments, "  {name:<20} {title}\n") +
                       "\nFigures (figure NAME, or figure all)\n" +
                       rows_text(figures, "  {name:<20} {title} ({experiment})\n");
    if (environment.assets) try {
            const std::vector<PresetInfo> known = presets_in(environment.assets());
            text += "\nPresets (run EXPERIMENT --preset NAME)\n";
            for (const PresetInfo& one : known) {
                // A preset that cannot be read is still listed, with the reason.
                presets.push_back(one.problem.empty()
                                      ? Json{{"name", one.name}, {"title", one.title}, {"experiment", one.experiment}}
                                      : Json{{"name", one.name}, {"problem", one.problem}});
                text += row_text(presets.back(), one.problem.empty() ? "  {name:<20} {title} ({experiment})\n"
                                                                     : "  {name:<20} unreadable: {problem}\n");
            }
        } catch (const std::runtime_error& error) {
            environment.notice(fmt::format("no presets: {}", error.what()));
        }
    return {{{"experiments", experiments}, {"figures", figures}, {"presets", presets}}, text};
}

Json json_of(const FieldInfo& info) {
    Json json = {{"name", info.name},
                 {"label", info.label},
                 {"help", info.help},
                 {"group", info.group},
                 {"unit", info.unit},
                 {"default", json_value(info.default_value)},
                 {"live", info.applies == Applies::live}};
    const bool is_number =
        std::holds_alternative<int64_t>(info.default_value) || std::holds_alternative<double>(info.default_value);
    if (is_number) {
        json["minimum"] = json_number(info.minimum);
        json["maximum"] = json_number(info.maximum);
    }
    if (!info.choices.empty()) json["choices"] = info.choices;
    return json;
}

std::string text_of_field(const FieldInfo& info) {
    std::string text = fmt::format("  {:<26} {}", info.name, to_text(info.default_value));
    if (!info.unit.empty()) text += " " + info.unit;
    text += fmt::format("   ({}; {})\n", allowed_text(info),
                        info.applies == Applies::live ? "live: applies at once" : "restart: begins a new run");
    if (!info.label.empty() || !info.help.empty())
        text +=
            fmt::format("      {}{}{}\n", info.label, info.label.empty() || info.help.empty() ? "" : ": ", info.help);
    if (const std::string acts = acts_text(info); !acts.empty()) text += fmt::format("      Acts while {}.\n", acts);
    return text;
}

// Lists its settings, and its metrics with default settings. Metrics need a study, which may need files that are
// missing.
Answer info_of(const ExperimentInfo& experiment) {
    Json json = {{"name", experiment.name},       {"title", experiment.title},
                 {"summary", experiment.summary}, {"emergence_rule", experiment.emergence_rule},
                 {"settings", Json::array()},     {"step_unit", ""},
                 {"metrics", Json::array()}};
    std::string text = row_text(json, "{name}: {title}\n{summary}\n");
    if (!experiment.emergence_rule.empty()) text += experiment.emergence_rule + '\n';
    text += "Settings, with default, range, and when a change applies\n";
    std::string group;
    for (const FieldInfo& field : *experiment.fields) {
        json["settings"].push_back(json_of(field));
        if (field.group != group) text += '\n' + (group = field.group) + '\n';
        text += text_of_field(field);
    }
    text += "\nMetrics, the columns of metrics.csv with the default settings";
    try {
        const std::unique_ptr<Study> study = experiment.make(Settings(experiment.fields));
        json["step_unit"] = study->step_unit();
        if (!study->step_unit().empty()) text += fmt::format(" (steps are {})", study->step_unit());
        text += '\n';
        for (const MetricInfo& metric : study->metrics()) {
            json["metrics"].push_back({{"name", metric.name}, {"label", metric.label}, {"help", metric.help}});
            text += fmt::format("  {:<26} {}\n", metric.name, metric.label == metric.name ? "" : metric.label);
            if (!metric.help.empty()) text += fmt::format("      {}\n", metric.help);
        }
    } catch (const std::runtime_error& error) {
        json["problem"] = error.what();
        text += fmt::format("\n  unknown: {}\n", error.what());
    }
    return {json, text};
}

// Returns the experiment of this name, or the one to which a figure or a preset of this name belongs.
const ExperimentInfo& experiment_called(const std::string& name, const Environment& environment) {
    for (const ExperimentInfo& info : environment.experiments)
        if (figure_named(info, name) != nullptr) return info;
    const std::string of_preset = preset_experiment(name, environment);
    return named(environment.experiments, of_preset.empty() ? name : of_preset, "experiment");
}

Answer info(const InfoRequest& request, const Environment& environment) {
    if (!request.name.empty()) return info_of(experiment_called(request.name, environment));
    Answer all{Json::array()};
    for (const ExperimentInfo& one : environment.experiments) {
        const Answer answer = info_of(one);
        all.value.push_back(answer.value);
        all.text += answer.text + '\n';
    }
    return all;
}

}  // namespace

Command list_command() {
    return answering<Nothing>(
        "list", "List experiments, figures and presets", [](Options&, Nothing&) {}, list);
}

Command info_command() {
    return answering<InfoRequest>(
        "info", "Explain the settings of an experiment (default, range, unit, meaning) and its metrics",
        [](Options& options, InfoRequest& request) {
            options.text("name", "EXPERIMENT|FIGURE|PRESET",
                         "Experiment, or one of its figures or presets (default: all)", request.name);
        },
        info);
}

// Carries out handbook, which prints chapters in the terminal and searches them.

namespace {

// A chapter or a search. Without either it prints the list of chapters.
struct HandbookRequest {
    std::string chapter;
    std::vector<std::string> words;  // to search for
};

Answer list_of_chapters(const std::vector<handbook::Document>& chapters, int columns) {
    constexpr int kNameColumns = 28;
    Answer answer{{{"chapters", Json::array()}}, "Chapters (handbook CHAPTER)\n"};
    bool lab = false;
    for (const handbook::Document& chapter : chapters) {
        const std::string summary = summary_of(chapter);
        if (handbook::in_lab_book(chapter.name) && !std::exchange(lab, true)) answer.text += "The lab book\n";
        answer.value["chapters"].push_back({{"name", chapter.name}, {"title", chapter.title}, {"summary", summary}});
        const std::string line = fmt::format("  {:<{}}{}", chapter.name, kNameColumns - 2, summary);
        answer.text += handbook::wrapped(line, columns, kNameColumns) + '\n';
    }
    return answer;
}

Answer places_with(const std::string& words, const std::vector<handbook::Document>& chapters, int columns) {
    constexpr size_t kMostHits = 20;
    const std::vector<handbook::Hit> hits = handbook::find(chapters, words);
    if (hits.empty()) throw InputError("The handbook does not contain '{}'. Try fewer words.", words);
    Answer answer{{{"places", Json::array()}}};
    Json& places = answer.value["places"];
    for (const handbook::Hit& hit : hits) {
        places.push_back({{"chapter", hit.chapter}, {"section", hit.section}, {"excerpt", hit.excerpt}});
        if (places.size() <= kMostHits)
            answer.text += row_text(places.back(), "{chapter}: {section}\n") +
                           handbook::wrapped("    " + hit.excerpt, columns, 4) + '\n';
    }
    if (hits.size() > kMostHits) answer.text += fmt::format("{} more. Add a word.\n", hits.size() - kMostHits);
    return answer;
}

Answer read_handbook(const HandbookRequest& request, const Environment& environment) {
    const std::filesystem::path assets = environment.assets();
    if (!request.words.empty())
        return places_with(fmt::format("{}", fmt::join(request.words, " ")), handbook::read_chapters(assets),
                           environment.columns);
    if (request.chapter.empty()) return list_of_chapters(handbook::read_chapters(assets), environment.columns);
    const handbook::Document chapter = handbook::read_chapter(assets, request.chapter);
    const std::string text = handbook::plain_page(chapter, environment.columns);
    return {{{"name", chapter.name}, {"title", chapter.title}, {"text", text}}, text};
}

}  // namespace

Command handbook_command() {
    return answering<HandbookRequest>(
        "handbook", "Read the handbook: its chapters, one of them, or a search",
        [](Options& options, HandbookRequest& request) {
            const Option chapter =
                options.text("chapter", "CHAPTER", "Name of a chapter (default: list all)", request.chapter);
            options.texts("--search", "WORDS", "List the passages that contain all these words", request.words)
                .excludes(chapter);
        },
        read_handbook);
}

// These are help, man and completion.

Command help_command() {
    return command_of<std::string>(
        "help", "Show help for the program or for one command",
        [](Options& options, std::string& command) {
            options.text("command", "COMMAND", "Which command (default: the program)", command);
        },
        [](const std::string& command, const Environment& environment) {
            environment.out << help_text(command);
            return kDone;
        });
}

Command manual_command() {
    return command_of<Nothing>(
        "man", "Print the manual page: emergence-cli man | man -l -", [](Options&, Nothing&) {},
        [](const Nothing&, const Environment& environment) {
            environment.out << handbook::roff_page(handbook::read_chapter(environment.assets(), "command-line"),
                                                   "emergence-cli");
            return kDone;
        });
}

Command completion_command() {
    return command_of<std::string>(
        "completion", "Print a shell's completion script: source <(emergence-cli completion bash)",
        [](Options& options, std::string& shell) {
            options.choice("shell", {"bash", "zsh"}, "Which shell", shell).required();
        },
        [](const std::string& shell, const Environment& environment) {
            environment.out << completion_script(shell, command_words());
            return kDone;
        });
}

}  // namespace emergence::cli
