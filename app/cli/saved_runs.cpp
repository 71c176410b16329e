#include "app/cli/saved_runs.h"

#include <fmt/format.h>

#include <ostream>

#include "app/open/bounded_opening.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"

namespace emergence::cli {

RunToOpen saved_run(const std::string& folder, const Environment& environment) {
    const auto found = run_folder_at(folder);
    if (!found) throw InputError(fmt::format("{}: is no folder of a run", folder));
    RunToOpen opened = run_in(*found, [&environment](const std::string& name) -> const ExperimentInfo& {
        return find_experiment_in(environment.experiments, name);
    });
    if (!opened.notice.empty()) environment.err << fmt::format("emergence-cli: {}\n", opened.notice);
    return opened;
}

std::vector<ComparedRun> saved_runs(const std::vector<std::string>& folders, const Environment& environment) {
    std::vector<ComparedRun> runs;
    for (const std::string& folder : folders) {
        const RunToOpen opened = saved_run(folder, environment);
        const BoundedOpening bounded(opened.folder.string(), opened.settings);
        ThreadPool pool(1);
        Run run(opened.experiment->make(opened.settings), pool);
        MetricHistory history(run.study().metrics(), run.num_seeds());
        restore(*opened.checkpoint, run, history);
        const auto named = *run_folder_at(folder);
        runs.push_back({composed((named.has_filename() ? named : named.parent_path()).filename().string()),
                        run.snapshot(), std::move(history)});
    }
    for (size_t i = 0; i < runs.size(); ++i)
        for (size_t j = 0; j < i; ++j)
            if (runs[i].name == runs[j].name) {
                runs[i].name = folders[i];
                runs[j].name = folders[j];
            }
    return runs;
}

}  // namespace emergence::cli
