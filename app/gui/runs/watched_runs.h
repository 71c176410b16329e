#pragma once
// The runs of a folder, as far as they can be told without training: followed while other processes write to
// it.

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
    std::string experiment;            // its name
    std::optional<Settings> settings;  // nothing where they cannot be read
    int64_t step = 0;
    int seeds = 0;
    bool has_checkpoint = false;                      // it can be resumed
    std::optional<int> emerged;                       // seeds; nothing where there is no rule, or it is not known
    std::map<std::string, Summary> scores;            // the last of each metric, over the seeds that have not failed
    std::map<std::string, std::string> score_labels;  // by the metrics' names, as legends have them
    std::set<std::string> shares;                     // of the metrics: 0 or 1 a seed
    std::string trouble;                              // why that is not all; "" where it is
};

/// Reads a run's folder: its checkpoint, or where it has none config.toml and metrics.csv. Nothing where it
/// holds no run. Throws nothing.
std::optional<ListedRun> read_run(const std::filesystem::path& folder, const FindExperiment& find);

/// "layers L 4, seed 8" for each run: the settings that are not the same in all runs of its experiment.
std::vector<std::string> differences_of(const std::vector<const ListedRun*>& runs);

class WatchedRuns {
  public:
    using Runs = std::vector<ListedRun>;

    explicit WatchedRuns(Jobs& jobs) : jobs_(jobs) {}
    ~WatchedRuns() { stop(); }
    WatchedRuns(const WatchedRuns&) = delete;
    WatchedRuns& operator=(const WatchedRuns&) = delete;

    /// Reads the folder and those in it, two levels deep, now and whenever a run in it has changed.
    void follow(std::filesystem::path folder, FindExperiment find);
    void stop() { watching_.cancel(); }
    /// The latest; null where nothing has been read yet.
    const std::shared_ptr<const Runs>& runs() const { return runs_; }

  private:
    class Reader;

    Jobs& jobs_;
    Job watching_;
    std::filesystem::path folder_;
    std::shared_ptr<Reader> reader_;  // the jobs', one after the other
    std::shared_ptr<const Runs> runs_;
};

}  // namespace emergence
