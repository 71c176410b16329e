// list and info: what there is.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <filesystem>
#include <memory>
#include <ostream>

#include "app/cli/command.h"
#include "app/cli/json.h"
#include "app/cli/run_request.h"
#include "app/handbook/chapters.h"
#include "app/handbook/html.h"
#include "app/handbook/plain.h"
#include "app/install/command_words.h"
#include "app/open/opening.h"
#include "core/base/error.h"
#include "core/settings/fields.h"

namespace emergence::cli {

namespace {

struct ListRequest {
    bool json = false;
};

struct InfoRequest {
    std::string name;  // of an experiment, a figure or a preset; "" is all experiments
    bool json = false;
};

// A preset that cannot be read is still listed, with the reason.
void print_presets(const Environment& environment) {
    try {
        const std::vector<PresetInfo> presets = presets_in(environment.assets());
        environment.out << "\nPresets (run EXPERIMENT --preset NAME)\n";
        for (const PresetInfo& preset : presets)
            environment.out << (preset.problem.empty()
                                    ? fmt::format("  {:<20} {} ({})\n", preset.name, preset.title, preset.experiment)
                                    : fmt::format("  {:<20} unreadable: {}\n", preset.name, preset.problem));
    } catch (const std::runtime_error& error) {
        environment.err << "emergence-cli: no presets: " << error.what() << '\n';
    }
}

std::string field_text(const FieldInfo& info) {
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

// The metrics of a run with the default settings. They need a study, and that may need files that are not there.
struct KnownMetrics {
    MetricTable table;
    std::string step_unit;
    std::string problem;  // "" if the table is known
};

KnownMetrics metrics_of(const ExperimentInfo& experiment) {
    try {
        const std::unique_ptr<Study> study = experiment.make(Settings(experiment.fields));
        return {study->metrics(), study->step_unit(), ""};
    } catch (const std::runtime_error& error) {
        return {{}, "", error.what()};
    }
}

void print_metrics(const ExperimentInfo& experiment, std::ostream& out) {
    const KnownMetrics known = metrics_of(experiment);
    out << "\nMetrics, the columns of metrics.csv with the default settings"
        << (known.step_unit.empty() ? "" : fmt::format(" (steps are {})", known.step_unit)) << '\n';
    if (!known.problem.empty()) out << "  unknown: " << known.problem << '\n';
    for (const MetricInfo& metric : known.table)
        out << fmt::format("  {:<26} {}\n", metric.name, metric.label == metric.name ? "" : metric.label)
            << (metric.help.empty() ? "" : fmt::format("      {}\n", metric.help));
}

void print_info(const ExperimentInfo& experiment, std::ostream& out) {
    out << experiment.name << ": " << experiment.title << '\n' << experiment.summary << '\n';
    if (!experiment.emergence_rule.empty()) out << experiment.emergence_rule << '\n';
    out << "Settings, each with its default (and what is allowed; when a change applies)\n";
    std::string group;
    for (const FieldInfo& info : *experiment.fields) {
        if (info.group != group) out << '\n' << (group = info.group) << '\n';
        out << field_text(info);
    }
    print_metrics(experiment, out);
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

Json json_of(const ExperimentInfo& experiment) {
    Json json = {{"name", experiment.name},
                 {"title", experiment.title},
                 {"summary", experiment.summary},
                 {"emergence_rule", experiment.emergence_rule}};
    json["settings"] = Json::array();
    for (const FieldInfo& info : *experiment.fields) json["settings"].push_back(json_of(info));
    const KnownMetrics known = metrics_of(experiment);
    json["step_unit"] = known.step_unit;
    json["metrics"] = Json::array();
    for (const MetricInfo& metric : known.table)
        json["metrics"].push_back({{"name", metric.name}, {"label", metric.label}, {"help", metric.help}});
    if (!known.problem.empty()) json["problem"] = known.problem;
    return json;
}

Json json_of_presets(const Environment& environment) {
    Json presets = Json::array();
    if (!environment.assets) return presets;
    for (const PresetInfo& preset : presets_in(environment.assets())) {
        if (preset.problem.empty())
            presets.push_back({{"name", preset.name}, {"title", preset.title}, {"experiment", preset.experiment}});
        else
            presets.push_back({{"name", preset.name}, {"problem", preset.problem}});
    }
    return presets;
}

void print_list_as_json(const Environment& environment) {
    Json json = {{"experiments", Json::array()}, {"figures", Json::array()}};
    for (const ExperimentInfo& info : environment.experiments) {
        json["experiments"].push_back({{"name", info.name}, {"title", info.title}});
        for (const FigureInfo& figure : info.figures)
            json["figures"].push_back({{"name", figure.name}, {"title", figure.title}, {"experiment", info.name}});
    }
    json["presets"] = json_of_presets(environment);
    print_json(json, environment.out);
}

// The experiment of this name, or the one that a figure or a preset of this name belongs to.
const ExperimentInfo& experiment_called(const std::string& name, const Environment& environment) {
    for (const ExperimentInfo& info : environment.experiments)
        if (figure_named(info, name) != nullptr) return info;
    const std::string of_preset = preset_experiment(name, environment);
    return find_experiment_in(environment.experiments, of_preset.empty() ? name : of_preset);
}

int run_list(const ListRequest& request, const Environment& environment) {
    if (request.json) {
        print_list_as_json(environment);
        return kDone;
    }
    std::ostream& out = environment.out;
    out << "Experiments (run NAME, info NAME)\n";
    for (const ExperimentInfo& info : environment.experiments)
        out << fmt::format("  {:<20} {}\n", info.name, info.title);
    out << "\nFigures (figure NAME, or figure all)\n";
    for (const ExperimentInfo& info : environment.experiments)
        for (const FigureInfo& figure : info.figures)
            out << fmt::format("  {:<20} {} ({})\n", figure.name, figure.title, info.name);
    if (environment.assets) print_presets(environment);
    return kDone;
}

int run_info(const InfoRequest& request, const Environment& environment) {
    std::vector<const ExperimentInfo*> asked;
    if (!request.name.empty())
        asked.push_back(&experiment_called(request.name, environment));
    else
        for (const ExperimentInfo& info : environment.experiments) asked.push_back(&info);
    if (request.json) {
        Json json = Json::array();
        for (const ExperimentInfo* info : asked) json.push_back(json_of(*info));
        print_json(request.name.empty() ? json : json.front(), environment.out);
        return kDone;
    }
    for (const ExperimentInfo* info : asked) {
        print_info(*info, environment.out);
        if (request.name.empty()) environment.out << '\n';
    }
    return kDone;
}

}  // namespace

Command list_command() {
    return command_of<ListRequest>(
        "list", "List experiments, figures and presets",
        [](Options& options, ListRequest& request) { options.json(request.json); }, run_list);
}

Command info_command() {
    return command_of<InfoRequest>(
        "info", "Every setting of an experiment: default, range, unit, meaning; and its metrics",
        [](Options& options, InfoRequest& request) {
            options.text("name", "EXPERIMENT|FIGURE|PRESET",
                         "The experiment, or a figure or preset of it (default: all)", request.name);
            options.json(request.json);
        },
        run_info);
}

// handbook: the chapters in the terminal, as HTML pages, and a search in them.

namespace {

// A chapter; all as HTML pages; or a search. Without any of these: the list of chapters.
struct HandbookRequest {
    std::string chapter;
    std::optional<std::string> html;  // folder for the pages
    std::vector<std::string> words;   // to search for
    bool json = false;
};

constexpr size_t kMostHits = 20;
constexpr int kNameColumns = 24;

Json chapters_as_json(const std::filesystem::path& assets) {
    Json chapters = Json::array();
    for (const handbook::Document& chapter : handbook::read_chapters(assets))
        chapters.push_back({{"name", chapter.name}, {"title", chapter.title}, {"summary", summary_of(chapter)}});
    return {{"chapters", chapters}};
}

std::string list_of_chapters(const std::filesystem::path& assets, int columns) {
    std::string text = "Chapters (handbook CHAPTER)\n";
    for (const handbook::Document& chapter : handbook::read_chapters(assets))
        text += handbook::wrapped(fmt::format("  {:<{}}{}", chapter.name, kNameColumns - 2, summary_of(chapter)),
                                  columns, kNameColumns) +
                '\n';
    return text;
}

std::vector<handbook::Hit> hits_of(const std::filesystem::path& assets, const std::string& words) {
    std::vector<handbook::Hit> hits = handbook::find(handbook::read_chapters(assets), words);
    if (hits.empty()) throw InputError(fmt::format("The handbook has no place with '{}'. Try fewer words.", words));
    return hits;
}

Json hits_as_json(const std::vector<handbook::Hit>& hits) {
    Json places = Json::array();
    for (const handbook::Hit& hit : hits)
        places.push_back({{"chapter", hit.chapter}, {"section", hit.section}, {"excerpt", hit.excerpt}});
    return {{"places", places}};
}

std::string list_of_hits(const std::vector<handbook::Hit>& hits, int columns) {
    std::string text;
    for (size_t i = 0; i < std::min(hits.size(), kMostHits); ++i)
        text += fmt::format("{}: {}\n{}\n", hits[i].chapter, hits[i].section,
                            handbook::wrapped("    " + hits[i].excerpt, columns, 4));
    if (hits.size() > kMostHits) text += fmt::format("{} more. Add a word.\n", hits.size() - kMostHits);
    return text;
}

int run_handbook(const HandbookRequest& request, const Environment& environment) {
    const std::filesystem::path assets = environment.assets();
    std::string text;
    Json json;
    if (request.html) {
        const std::filesystem::path index = std::filesystem::path(*request.html) / "index.html";
        environment.would("write the handbook's pages into " + *request.html);
        if (environment.dry_run) throw DryRunEnds();
        handbook::write_html(assets, *request.html);
        text = index.string() + '\n';
        json = {{"files", {index.string()}}};
    } else if (!request.words.empty()) {
        const auto hits = hits_of(assets, fmt::format("{}", fmt::join(request.words, " ")));
        text = list_of_hits(hits, environment.columns);
        json = hits_as_json(hits);
    } else if (request.chapter.empty()) {
        text = list_of_chapters(assets, environment.columns);
        json = chapters_as_json(assets);
    } else {
        const handbook::Document chapter = handbook::read_chapter(assets, request.chapter);
        text = handbook::plain_page(chapter, environment.columns);
        json = {{"name", chapter.name}, {"title", chapter.title}, {"text", text}};
    }
    if (request.json)
        print_json(json, environment.out);
    else
        environment.out << text;
    return kDone;
}

}  // namespace

Command handbook_command() {
    return command_of<HandbookRequest>(
        "handbook", "Read the handbook: its chapters, one of them, or a search",
        [](Options& options, HandbookRequest& request) {
            const Option chapter =
                options.text("chapter", "CHAPTER", "Name of the chapter (default: list them)", request.chapter);
            const Option html =
                options.text("--html", "DIR", "Write all chapters as HTML pages into a folder", request.html)
                    .excludes(chapter);
            options.texts("--search", "WORDS", "List the places that contain all these words", request.words)
                .excludes(chapter)
                .excludes(html);
            options.dry_run();
            options.json(request.json);
        },
        run_handbook);
}

// help, man and completion: what an installed program says of itself.

Command help_command() {
    return {"help", "Help of the program, or of one command", [](Options& options) -> Action {
                auto command = std::make_shared<std::string>();
                options.text("command", "COMMAND", "Which command (default: the program)", *command);
                return [command](const Environment& environment) {
                    environment.out << help_text(*command);
                    return kDone;
                };
            }};
}

Command manual_command() {
    return {"man", "Print a manual page: emergence-cli man | man -l -", [](Options& options) -> Action {
                auto page = std::make_shared<std::string>("emergence-cli");
                options.choice("page", {"emergence-cli", "emergence-experiments"},
                               "Which page (default: emergence-cli)", *page);
                return [page](const Environment& environment) {
                    const bool settings = *page == "emergence-experiments";
                    const std::string chapter = settings ? "settings" : "command-line";
                    environment.out << handbook::roff_page(handbook::read_chapter(environment.assets(), chapter), *page,
                                                           settings ? 7 : 1);
                    return kDone;
                };
            }};
}

Command completion_command() {
    return {"completion", "Print a shell's completion script: source <(emergence-cli completion bash)",
            [](Options& options) -> Action {
                auto shell = std::make_shared<std::string>();
                options.choice("shell", {"bash", "fish", "zsh"}, "Which shell", *shell).required();
                return [shell](const Environment& environment) {
                    environment.out << completion_script(*shell, command_words());
                    return kDone;
                };
            }};
}

}  // namespace emergence::cli
