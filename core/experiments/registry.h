#pragma once
// All experiments in an explicit table, one line each.

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/text.h"
#include "core/lab/study.h"
#include "core/settings/toml.h"

namespace emergence {

/// The entry of `all` (experiments or papers) that has this name. Throws InputError that lists the names.
const auto& named(const auto& all, const std::string& name, const std::string& kind, const std::string& hint = "") {
    std::vector<std::string> names;
    for (const auto& one : all) {
        if (one.name == name) return one;
        names.push_back(one.name);
    }
    throw InputError(unknown_name(kind, name, names, hint));
}

/// The table.
const std::vector<ExperimentInfo>& experiments();

/// The experiment `name`. Throws InputError with all names if it is unknown.
const ExperimentInfo& find_experiment(const std::string& name);

/// The settings with which a file opens: those that it contains (core/settings/embedded_settings.h), or those that show
/// its content, which is a user's MRP or a network that plays bandits. Throws InputError with the file's name.
SettingsFile settings_of_file(const std::filesystem::path& path);
/// The settings that made a file: those that it contains, or those of a run of the published code, which may be given
/// by its folder. Throws InputError with the file's name.
SettingsFile settings_that_made(const std::filesystem::path& path);

/// A paper and its experiments.
struct Paper {
    std::string name;                      // as the command `figure` takes it
    std::vector<std::string> experiments;  // by the registry's names
};

/// The papers in the registry's order.
const std::vector<Paper>& papers();

}  // namespace emergence
