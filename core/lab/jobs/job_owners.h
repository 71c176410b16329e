#pragma once
// Which process computes which job of a folder: one small file per job, made with O_EXCL, names its owner. No two
// processes compute the same job, and the jobs of a lost process are taken over.

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "core/files/process_name.h"

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

}  // namespace emergence
