// list and info: what there is.

#include <fmt/format.h>

#include <memory>
#include <ostream>

#include "app/cli/command.h"
#include "app/cli/json.h"
#include "app/cli/target_of_request.h"
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

}  // namespace emergence::cli
