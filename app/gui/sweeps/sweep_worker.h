#pragma once
// Computes a phase diagram, or follows one that another process computes, on a thread of its own with less
// right to the processor than training and the window have.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/lab/sweep_folder.h"

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

    /// What is to be computed, and where it is kept.
    struct Order {
        std::filesystem::path folder;  // made where it is missing
        SweepText sweep;
        std::filesystem::path known_from = {};  // cells of another folder that need not be computed again
        int threads = 1;
    };

    /// `on_change` is called from other threads when there are news.
    explicit SweepWorker(std::function<void()> on_change = {});
    /// Stops at the next word of the seeds in training; cells that are whole are kept.
    ~SweepWorker();
    SweepWorker(const SweepWorker&) = delete;
    SweepWorker& operator=(const SweepWorker&) = delete;

    /// Reads what the folder has, and again whenever it has changed. Ends what was done before.
    void follow(std::filesystem::path folder, Sweep sweep);
    /// Computes what the folder lacks, then follows it. Ends what was done before.
    void start(Order order, FindExperiment find);
    /// Ends it at once for whoever asks, and follows the folder: seeds in training end by themselves, at
    /// their next word.
    void stop();
    bool running() const;
    News news() const;

  private:
    struct Task;
    struct Thread {
        std::shared_ptr<Task> task;
        std::thread thread;
    };
    void begin(std::function<void(Task&)> work, bool computes, std::filesystem::path folder, Sweep sweep);
    void leave();

    std::function<void()> on_change_;
    Thread present_;
    std::vector<Thread> leaving_;  // told to end, and not waited for
};

}  // namespace emergence
