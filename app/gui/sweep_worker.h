#pragma once
// Computes a phase diagram, or follows one that another process computes, on a thread of its own with less
// right to the processor than training and the window have.

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/runtime/sweep_folder.h"

namespace emergence {

class SweepWorker {
  public:
    /// What is known at a moment.
    struct News {
        std::shared_ptr<const SweepScores> scores;  // null where nothing has been read yet
        std::optional<GridProgress> progress;       // while it computes
        std::string trouble;                        // why it did not, or not all; "" where there is none
        bool pictured = false;                      // its pictures have been written
    };

    /// `on_change` is called from other threads when there are news.
    explicit SweepWorker(std::function<void()> on_change = {});
    /// Stops at the next word of the seeds in training; cells that are whole are kept.
    ~SweepWorker();
    SweepWorker(const SweepWorker&) = delete;
    SweepWorker& operator=(const SweepWorker&) = delete;

    /// Reads what the folder has, and again whenever it has changed.
    void follow(std::filesystem::path folder, Sweep sweep);
    /// Computes what the folder (made where it is missing) lacks, then follows it.
    void start(std::filesystem::path folder, SweepText sweep, int threads, FindExperiment find);
    void stop();
    bool running() const { return running_; }
    News news() const;

  private:
    void begin(std::function<void()> task);
    void end();
    void compute(const std::filesystem::path& folder, const SweepText& sweep, int threads,
                 const FindExperiment& find);
    void watch(const std::filesystem::path& folder, const Sweep& sweep);
    void tell(const std::function<void(News&)>& change);

    std::function<void()> on_change_;
    mutable std::mutex mutex_;
    std::condition_variable wake_;
    News news_;
    bool closing_ = false;
    std::atomic<bool> stop_ = false;
    std::atomic<bool> running_ = false;
    std::thread thread_;
};

}  // namespace emergence
