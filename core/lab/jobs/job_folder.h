#pragma once
// The finished jobs of a folder's grids: one file per job. An interrupted figure of many runs is resumed from them, and
// several processes on any machines that see the folder divide the jobs among themselves.

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "core/base/array.h"
#include "core/lab/jobs/job_owners.h"

namespace emergence {

/// The folder of the finished jobs, and that of the owners of those that are being computed.
inline constexpr const char* kJobsFolder = "jobs";
inline constexpr const char* kOwnersFolder = "owners";

/// Used by several threads at once.
class JobFolder {
  public:
    /// `identity`: what the results depend on (settings, version and commit). Jobs of another identity are not seen.
    JobFolder(std::filesystem::path folder, const std::string& identity);

    /// The number of the next grid, from 1. A folder's grids begin in the same order in every process.
    int next_grid();
    /// A name for the folder, the same in every process that was given the same path and identity.
    std::string tag() const { return name_of_text(folder_.string() + '\n' + identity_); }
    /// A finished job's result; nullopt if there is none, or if its file is damaged.
    std::optional<ArrayMap> load(const std::string& job);
    /// Throws IoError.
    void save(const std::string& job, const ArrayMap& result, double cpu_seconds);
    JobOwners& owners() { return owners_; }

    /// The processor time that the jobs took whose results load() has given.
    double loaded_cpu_seconds() const;

  private:
    std::filesystem::path file_of(const std::string& job) const;

    std::filesystem::path folder_;
    std::string identity_;
    JobOwners owners_;
    mutable std::mutex mutex_;
    int grids_ = 0;
    std::map<std::string, double> loaded_;  // seconds by job
};

}  // namespace emergence
