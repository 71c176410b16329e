#pragma once
// Which process computes which job of a folder: one small file per job, made with O_EXCL, names its owner. No two
// processes compute the same job, and the jobs of a lost process are taken over.

#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>

namespace emergence {

/// Used by several threads at once.
class JobOwners {
  public:
    /// The time without a sign of life after which the owner on another machine counts as lost.
    static constexpr std::chrono::seconds kLostAfter{120};

    /// The files lie in `folder`, which is made with the first. `me`: of tests.
    explicit JobOwners(std::filesystem::path folder, std::string me = this_process(),
                        std::chrono::seconds lost_after = kLostAfter);
    /// Releases what it still owns.
    ~JobOwners();
    JobOwners(const JobOwners&) = delete;
    JobOwners& operator=(const JobOwners&) = delete;

    /// Makes the job ours; false if a living process owns it. `job`: any text. An owner is lost if its process on
    /// this machine has ended, or if it has not kept its job for lost_after. Throws IoError if no file can be made.
    bool take(const std::string& job);
    /// A sign of life, written at most every few seconds.
    void keep(const std::string& job);
    void release(const std::string& job);
    /// The number of jobs that living processes own, ours included.
    int count_living() const;

    /// Host, namespace of processes, number and start of a process: no two are the same.
    static std::string this_process();

  private:
    std::filesystem::path file_of(const std::string& job) const;
    bool make(const std::filesystem::path& file) const;
    bool is_lost(const std::filesystem::path& file) const;

    std::filesystem::path folder_;
    std::string me_;
    std::chrono::seconds lost_after_;
    std::mutex mutex_;
    // Our jobs, with the time of the last sign of life.
    std::map<std::string, std::chrono::steady_clock::time_point> mine_;
};

}  // namespace emergence
