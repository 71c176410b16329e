#pragma once
// The runs of a folder, followed while other processes write there. Nothing is trained to read them.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/gui/shell/jobs.h"
#include "app/open/run_folder.h"
#include "core/lab/snapshot.h"
#include "core/lab/study.h"
#include "core/pictures/figure_spec.h"
#include "core/settings/fields.h"

namespace emergence {

struct ListedRun {
    std::filesystem::path folder;
    RunMark mark;
    std::filesystem::file_time_type saved_at;
    std::string experiment;            // the experiment's name
    std::optional<Settings> settings;  // nullopt if they cannot be read
    int64_t step = 0;
    int seeds = 0;
    bool has_checkpoint = false;            // it can be resumed
    std::optional<int> emerged;             // number of emerged seeds; nullopt if unknown or if there is no rule
    std::map<std::string, Summary> scores;  // the last value of each metric, over the seeds that have not failed
    std::map<std::string, std::string> score_labels;  // labels for legends, by metric
    std::set<std::string> shares;                     // metrics that are 0 or 1 for each seed
    std::string trouble;                              // why something could not be read; "" if all was read
};

/// Reads a run's folder: its checkpoint, or else config.toml and metrics.csv. nullopt if the folder holds no run. Never
/// throws.
std::optional<ListedRun> read_run(const std::filesystem::path& folder, const FindExperiment& find);

/// "layers L 4, seed 8" for each run: the settings that differ among the runs of its experiment.
std::vector<std::string> differences_of(const std::vector<const ListedRun*>& runs);

class WatchedRuns {
  public:
    using Runs = std::vector<ListedRun>;

    explicit WatchedRuns(Jobs& jobs) : jobs_(jobs) {}
    ~WatchedRuns() { stop(); }
    WatchedRuns(const WatchedRuns&) = delete;
    WatchedRuns& operator=(const WatchedRuns&) = delete;

    /// Reads the folder and its subfolders, two levels deep, now and whenever a run changes.
    void follow(std::filesystem::path folder, FindExperiment find);
    void stop() { watching_.cancel(); }
    /// The latest list; null before the first reading.
    const std::shared_ptr<const Runs>& runs() const { return runs_; }

  private:
    class Reader;

    Jobs& jobs_;
    Job watching_;
    std::filesystem::path folder_;
    std::shared_ptr<Reader> reader_;  // used by one job after another
    std::shared_ptr<const Runs> runs_;
};

}  // namespace emergence
