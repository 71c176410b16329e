#pragma once
// The finished jobs of a folder's grids: one file per job. An interrupted figure of many runs is resumed from them.

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/base/array.h"

namespace emergence {

/// A name for any text, always the same: 16 hexadecimal digits.
std::string name_of_text(const std::string& text);

/// The folder of the finished jobs.
inline constexpr const char* kJobsFolder = "jobs";

/// Used by several threads at once.
class JobFolder {
  public:
    /// `identity`: what the results depend on (settings, version and commit). Jobs of another identity are not seen.
    /// `others`: such folders, from which jobs are taken that depend on less than their grid.
    JobFolder(std::filesystem::path folder, const std::string& identity,
              std::vector<std::filesystem::path> others = {});

    /// The number of the next grid, from 1. A folder's grids begin in the same order at every start.
    int next_grid();
    /// A finished job's result; nullopt while the job is unfinished, or if its file is damaged. `alone`: all that the
    /// result depends on, if that is less than `identity`.
    std::optional<ArrayMap> load(const std::string& job, const std::string& alone = "");
    /// Throws IoError.
    void save(const std::string& job, const ArrayMap& result, double cpu_seconds, const std::string& alone = "");

    /// The processor time that the jobs took whose results load() has given.
    double loaded_cpu_seconds() const;
    /// How many jobs load() has taken from which of the other folders.
    std::map<std::filesystem::path, int> taken() const;

  private:
    std::filesystem::path file_of(const std::string& job, const std::string& alone) const;
    std::optional<ArrayMap> read(const std::string& job, const std::filesystem::path& file);
    std::filesystem::path elsewhere(const std::filesystem::path& file);

    std::filesystem::path folder_;
    std::vector<std::filesystem::path> others_;
    std::string identity_;
    mutable std::mutex mutex_;
    int grids_ = 0;
    std::map<std::string, double> loaded_;  // seconds by job
    std::map<std::filesystem::path, int> taken_;
    std::optional<std::map<std::string, std::filesystem::path>> files_of_others_;  // by the ends of their names
};

}  // namespace emergence
