#pragma once
// Every experiment there is: an explicit table, one line each.

#include <filesystem>
#include <string>
#include <vector>

#include "core/lab/study.h"
#include "core/settings/toml.h"

namespace emergence {

const std::vector<ExperimentInfo>& experiments();

/// Throws InputError, listing the names, where there is none of that name.
const ExperimentInfo& find_experiment(const std::string& name);

/// What a file asks to be opened: the settings that it holds or is (core/settings/embedded_settings.h), or those
/// that look at what is in it: an own MRP, a network that was trained to play bandits. Throws InputError,
/// naming the file.
SettingsFile settings_of_file(const std::filesystem::path& path);
/// The settings that made a file: those that it holds or is, or those of a run of the published code, which may be its
/// folder. Throws InputError, naming the file.
SettingsFile settings_that_made(const std::filesystem::path& path);

/// What belongs to which paper.
struct Paper {
    std::string name;  // as `reproduce` takes it
    std::string citation;
    std::vector<std::string> experiments;  // by the registry's names
};

/// In the registry's order.
const std::vector<Paper>& papers();

}  // namespace emergence
