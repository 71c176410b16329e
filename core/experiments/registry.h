#pragma once
// Every experiment there is: an explicit table, one line each.

#include <filesystem>
#include <string>
#include <vector>

#include "core/io/toml.h"
#include "core/runtime/study.h"

namespace emergence {

const std::vector<ExperimentInfo>& experiments();

/// Throws InputError, listing the names, where there is none of that name.
const ExperimentInfo& find_experiment(const std::string& name);

/// What a file asks to be opened: the settings that it holds or is (core/io/embedded_settings.h), or those
/// that look at what is in it: an own MRP, a network that was trained to play bandits. Throws InputError,
/// naming the file.
SettingsFile settings_of_file(const std::filesystem::path& path);

/// What belongs to which paper.
struct Paper {
    std::string name;  // as `reproduce` takes it
    std::string citation;
    std::vector<std::string> experiments;  // by the registry's names
};

/// In the registry's order.
const std::vector<Paper>& papers();

}  // namespace emergence
