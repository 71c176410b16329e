#pragma once
// A run of every experiment, as small as it comes: what is tested of all experiments is tested with these.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/experiments/registry.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"

namespace emergence::testing {

/// Field and value, of fields that have not their defaults.
using Changes = std::vector<std::pair<const char*, std::string>>;

struct SmallRun {
    std::string experiment;
    Changes changes;
    /// Where it has logged several rows, the last of them at this step.
    int64_t steps = 10;
};

/// At least one of each experiment; several where it computes in several ways.
const std::vector<SmallRun>& small_runs();
/// The first one of that experiment. The test fails if there is none.
const SmallRun& small_run(const std::string& experiment);

/// The settings of one: two seeds, unless it says another number or its experiment has only one, and its changes.
Settings settings_of(const SmallRun& run);
/// The field with the length of a training, of which 0 steps leave the network as it was drawn; null if none.
const FieldInfo* training_length(const ExperimentInfo& info);
/// Its changes, "d=2 bank_size=16", for messages.
std::string text_of(const SmallRun& run);
/// The experiment's defaults with these changes. Throws InputError where they do not go together.
Settings settings_with(const std::string& experiment, const Changes& changes);

/// Sets several fields: "n=12, seeds=2".
void change(Settings& settings, std::string_view changes);
/// The same of an experiment's defaults. Throws InputError where they do not go together.
Settings settings_of(const std::string& experiment, std::string_view changes);

/// The plot with this id. The test fails if there is none.
const PlotSpec& required_plot(const Snapshot& snapshot, const std::string& id);

struct OwnPool {
    ThreadPool pool;
};
/// A run at step 0 on a pool of its own.
class RunOf : private OwnPool, public Run {
  public:
    RunOf(const ExperimentInfo& info, const Settings& settings, int threads = 2)
        : OwnPool{ThreadPool(threads)}, Run(info.make(settings), pool) {}
    RunOf(const std::string& experiment, const Settings& settings, int threads = 2)
        : RunOf(find_experiment(experiment), settings, threads) {}
    RunOf(const std::string& experiment, const Changes& changes, int threads = 2)
        : RunOf(experiment, settings_with(experiment, changes), threads) {}
    explicit RunOf(const SmallRun& small, int threads = 2) : RunOf(small.experiment, settings_of(small), threads) {}

    /// The history of the rows up to there.
    MetricHistory history_to(int64_t step) {
        MetricHistory history(study().metrics(), num_seeds());
        for (const MetricRow& row : advance_to(step)) history.append(row);
        return history;
    }
};

}  // namespace emergence::testing
