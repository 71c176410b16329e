#pragma once
// Computes a phase diagram, or follows one that another process computes, with a lower priority than training and the
// window.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/gui/shell/jobs.h"
#include "core/lab/sweeps/sweep_run.h"

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

    explicit SweepWorker(Jobs& jobs) : jobs_(jobs) {}
    ~SweepWorker() { leave(); }
    SweepWorker(const SweepWorker&) = delete;
    SweepWorker& operator=(const SweepWorker&) = delete;

    /// Reads what the folder has, and again whenever it has changed. Ends what was done before.
    void follow(std::filesystem::path folder, Sweep sweep);
    /// Computes what the folder lacks, then follows it. Ends what was done before; seeds in training end by themselves,
    /// at their next report, and only then it begins.
    void start(Order order, FindExperiment find);
    /// Follows the folder instead of computing. Finished cells stay.
    void stop();
    bool running() const { return computing_.active(); }
    const News& news() const { return news_; }

  private:
    void leave();
    void watch();

    Jobs& jobs_;
    std::filesystem::path folder_;
    Sweep sweep_;
    News news_;
    Job computing_, watching_;
};

}  // namespace emergence
