#pragma once
// The finished jobs of a folder's grids: one file per job. An interrupted figure of many runs is resumed from them, and
// several processes on any machines that see the folder divide the jobs among themselves.

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "core/base/array.h"
#include "core/files/folder_lock.h"

namespace emergence {

/// A name for any text, the same in every process: 16 hexadecimal digits.
std::string name_of_text(const std::string& text);

/// Used by several threads at once.
class JobOwners {
  public:
    /// The time without a sign of life after which an owner counts as lost, although its process may exist: on another
    /// machine, or stopped.
    static constexpr std::chrono::seconds kLostAfter{120};

    /// The files lie in `folder`, which is made with the first. `me`: of tests.
    explicit JobOwners(std::filesystem::path folder, std::string me = this_process(),
                       std::chrono::seconds lost_after = kLostAfter);
    /// Releases what it still owns, and removes what lost processes have left.
    ~JobOwners();
    JobOwners(const JobOwners&) = delete;
    JobOwners& operator=(const JobOwners&) = delete;

    /// Makes the job ours until it is released; false if a living process owns it, this one too. `job`: any text. A
    /// thread gives a sign of life every few seconds, however long the job computes. An owner is lost if its process on
    /// this machine has ended, or if it has given no sign of life for lost_after. Throws IoError if no file can be made.
    bool take(const std::string& job);
    /// Whether take() took the job, which is ours, from a lost process. That may be a stopped one, which goes on later.
    bool is_taken_over(const std::string& job);
    void release(const std::string& job);
    /// The number of jobs that living processes own, ours included.
    int count_living() const;

  private:
    std::filesystem::path file_of(const std::string& job) const;
    bool make(const std::filesystem::path& file) const;
    bool is_lost(const std::filesystem::path& file) const;
    std::optional<std::chrono::seconds> age_of(const std::filesystem::path& file) const;
    void remove_lost() const;
    void give_signs_of_life(const std::stop_token& stop);

    std::filesystem::path folder_;
    std::string me_;
    std::chrono::seconds lost_after_;
    std::mutex mutex_;
    std::set<std::string> mine_, taken_over_;
    std::condition_variable_any ends_;
    std::jthread signs_;
};

/// The folder of the finished jobs, and that of the owners of those that are being computed.
inline constexpr const char* kJobsFolder = "jobs";
inline constexpr const char* kOwnersFolder = "owners";

/// Used by several threads at once.
class JobFolder {
  public:
    /// `identity`: what the results depend on (settings, version and commit). Jobs of another identity are not seen.
    /// `others`: such folders, from which jobs are taken that depend on less than their grid.
    JobFolder(std::filesystem::path folder, const std::string& identity,
              std::vector<std::filesystem::path> others = {});

    /// The number of the next grid, from 1. A folder's grids begin in the same order in every process.
    int next_grid();
    /// A name for the folder, the same in every process that was given the same path and identity.
    std::string tag() const { return name_of_text(folder_.string() + '\n' + identity_); }
    /// A finished job's result; nullopt while the job is unfinished, or if its file is damaged. `alone`: all that the
    /// result depends on, if that is less than `identity`.
    std::optional<ArrayMap> load(const std::string& job, const std::string& alone = "");
    /// Throws IoError.
    void save(const std::string& job, const ArrayMap& result, double cpu_seconds, const std::string& alone = "");
    JobOwners& owners() { return owners_; }

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
    JobOwners owners_;
    mutable std::mutex mutex_;
    int grids_ = 0;
    std::map<std::string, double> loaded_;  // seconds by job
    std::map<std::filesystem::path, int> taken_;
    std::optional<std::map<std::string, std::filesystem::path>> files_of_others_;  // by the ends of their names
};

}  // namespace emergence
