// Tells Python what can be run: experiments, presets, fields.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <filesystem>

#include "app/open/opening.h"
#include "app/python/native/convert.h"
#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/experiments/registry.h"
#include "core/files/folders.h"
#include "core/files/text.h"
#include "core/lab/figures/figures.h"
#include "core/settings/fields.h"

namespace emergence::python {
namespace {

py::dict dict_of_field(const FieldInfo& field) {
    const bool number =
        !std::holds_alternative<std::string>(field.default_value) && !std::holds_alternative<bool>(field.default_value);
    const auto bound = [&](double value) -> py::object {
        if (!number) return py::none();
        if (std::holds_alternative<int64_t>(field.default_value)) return py::int_(static_cast<int64_t>(value));
        return py::float_(value);
    };
    using namespace py::literals;
    return py::dict("name"_a = field.name, "default"_a = object_of(field.default_value), "label"_a = field.label,
                    "help"_a = field.help, "group"_a = field.group, "unit"_a = field.unit,
                    "minimum"_a = bound(field.minimum), "maximum"_a = bound(field.maximum),
                    "choices"_a = py::tuple(py::cast(field.choices)), "allowed"_a = allowed_text(field),
                    "live"_a = field.applies == Applies::live, "acts_while"_a = acts_text(field));
}

py::list all_experiments() {
    using namespace py::literals;
    py::list all;
    for (const ExperimentInfo& info : experiments()) {
        py::list figures;
        for (const FigureInfo& figure : info.figures)
            figures.append(py::make_tuple(figure.name, figure.title, !figure.draw, figure.preset));
        all.append(py::dict("name"_a = info.name, "title"_a = info.title, "summary"_a = info.summary,
                            "emergence_rule"_a = info.emergence_rule, "figures"_a = figures));
    }
    return all;
}

py::list all_presets() {
    using namespace py::literals;
    py::list all;
    for (const PresetInfo& preset : presets_in(assets_folder()))
        if (preset.problem.empty())
            all.append(py::dict("name"_a = preset.name, "title"_a = preset.title, "description"_a = preset.description,
                                "experiment"_a = preset.experiment, "group"_a = preset.group));
    return all;
}

bool is_experiment(const std::string& name) {
    for (const ExperimentInfo& info : experiments())
        if (info.name == name) return true;
    return false;
}

StartingPoint start_of(const Opening& opening) {
    if (opening.kind == OpeningKind::run)
        throw InputError("{}: is a saved run. Open it with emergence.load", opening.path.string());
    if (!opening.settings) throw InputError("{}: holds no settings of a run", opening.name);
    return starting_point(*opening.settings, find_experiment);
}

// Returns the experiment and the settings of a run. They come from an experiment's name, a preset's, or a file with
// settings, then from a preset of that experiment, and then from single fields.
py::tuple settings_for(const std::string& name, const std::optional<std::string>& preset, const py::dict& fields) {
    const ExperimentInfo* info = nullptr;
    Settings settings;
    if (is_experiment(name)) {
        info = &find_experiment(name);
        settings = Settings(info->fields);
    } else {
        if (!is_there(name)) {
            const auto names = preset_names(assets_folder());
            if (!contains(names, name)) find_experiment(name);  // explains what is meant
        }
        const StartingPoint start = start_of(opening_named(name));
        info = start.experiment;
        settings = start.settings;
    }
    if (preset) {
        const StartingPoint start = start_of(opening_of_preset(*preset));
        if (start.experiment != info)
            throw InputError("preset {}: is of experiment {}, but this run is of {}", *preset, start.experiment->name,
                             info->name);
        settings = start.settings;
    }
    set_fields(fields, settings);
    if (info->check) info->check(settings);
    return py::make_tuple(info->name, dict_of(settings));
}

// Returns the settings with which a figure is drawn.
py::tuple settings_of_figure(const std::string& name, const py::dict& fields) {
    for (const ExperimentInfo& info : experiments())
        for (const FigureInfo& figure : info.figures) {
            if (figure.name != name) continue;
            Settings settings(info.fields);
            if (!figure.preset.empty()) settings = start_of(opening_of_preset(figure.preset)).settings;
            settings = started(figure, settings);
            const Settings start = settings;
            set_fields(fields, settings);
            refuse_unused(info, figure, start, settings);
            if (info.check) info.check(settings);
            return py::make_tuple(info.name, dict_of(settings), static_cast<bool>(figure.draw));
        }
    std::vector<std::string> names;
    for (const ExperimentInfo& info : experiments())
        for (const FigureInfo& figure : info.figures) names.push_back(figure.name);
    throw InputError(unknown_name("figure", name, names, "emergence.figures() names all"));
}

}  // namespace

void add_catalogue(py::module_& module) {
    module.def("version", version_with_commit);
    module.def("assets", [] { return assets_folder().string(); });
    module.def("experiments", all_experiments);
    module.def("presets", all_presets);
    module.def("fields", [](const std::string& name) {
        py::list fields;
        for (const FieldInfo& field : *find_experiment(name).fields) fields.append(dict_of_field(field));
        return fields;
    });
    module.def("settings_for", settings_for);
    module.def("settings_of_figure", settings_of_figure);
}

}  // namespace emergence::python
