// list and info: what there is.

#include <fmt/format.h>

#include <ostream>

#include "app/cli/commands.h"
#include "core/base/error.h"
#include "core/files/assets.h"
#include "core/settings/idle_fields.h"
#include "core/settings/toml.h"

namespace emergence::cli {
namespace {

// A preset that cannot be read is still listed: with what is wrong with it.
std::string preset_line(const std::filesystem::path& assets, const std::string& name) {
    try {
        const SettingsFile file = read_settings(preset_path(assets, name));
        return fmt::format("  {:<20} {} ({})\n", name, file.title, file.experiment);
    } catch (const InputError& error) {
        return fmt::format("  {:<20} unreadable: {}\n", name, error.what());
    }
}

void print_presets(const Environment& environment) {
    try {
        const std::filesystem::path assets = environment.assets();
        environment.out << "\nPresets (run EXPERIMENT --preset NAME)\n";
        for (const std::string& name : preset_names(assets)) environment.out << preset_line(assets, name);
    } catch (const std::runtime_error& error) {
        environment.err << "emergence-cli: no presets: " << error.what() << '\n';
    }
}

std::string field_text(const FieldInfo& info) {
    std::string text = fmt::format("  {:<26} {}", info.name, to_text(info.default_value));
    if (!info.unit.empty()) text += " " + info.unit;
    text +=
        fmt::format("   ({}; {})\n", allowed_text(info),
                    info.applies == Applies::live ? "live: applies at once" : "restart: begins a new run");
    if (!info.label.empty() || !info.help.empty())
        text += fmt::format("      {}{}{}\n", info.label, info.label.empty() || info.help.empty() ? "" : ": ",
                            info.help);
    if (const std::string acts = acts_text(info); !acts.empty())
        text += fmt::format("      Acts while {}.\n", acts);
    return text;
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
}

}  // namespace

int run_list(const Environment& environment) {
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
    if (!request.experiment.empty()) {
        print_info(find_experiment_in(environment.experiments, request.experiment), environment.out);
        return kDone;
    }
    for (const ExperimentInfo& info : environment.experiments) {
        print_info(info, environment.out);
        environment.out << '\n';
    }
    return kDone;
}

}  // namespace emergence::cli
