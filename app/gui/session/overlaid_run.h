#pragma once
// Kept runs that are drawn beside the present one.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/lab/snapshot.h"
#include "core/lab/study.h"

namespace emergence {

struct OverlaidRun {
    std::filesystem::path folder;
    std::string name;  // as it stands in legends
    std::shared_ptr<const Study> study;
    MetricHistory history;
    std::shared_ptr<const Snapshot> snapshot;  // its last moment
};

/// The folders' names, with as many of the folders that they lie in as tell one from another: "a/td", "b/td".
std::vector<std::string> names_apart(const std::vector<std::filesystem::path>& folders);

/// Reads a run's folder and describes its last moment. Throws InputError.
std::shared_ptr<const OverlaidRun> overlaid_run(const std::filesystem::path& folder, const FindExperiment& find);

}  // namespace emergence
