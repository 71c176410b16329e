#include "app/gui/session/overlaid_run.h"

#include <utility>

#include "app/open/run_folder.h"
#include "core/lab/run.h"
#include "core/lab/thread_pool.h"

namespace emergence {

std::shared_ptr<const OverlaidRun> overlaid_run(const std::filesystem::path& folder,
                                                const FindExperiment& find) {
    const RunToOpen kept = run_in(folder, find);
    ThreadPool pool(1);
    Run run(kept.experiment->make(kept.settings), pool);
    auto overlaid = std::make_shared<OverlaidRun>();
    for (Snapshot& moment : outlines_before(*kept.checkpoint, run))
        overlaid->moments.push_back(std::make_shared<const Snapshot>(std::move(moment)));
    overlaid->history = MetricHistory(run.study().metrics(), run.num_seeds());
    restore(*kept.checkpoint, run, overlaid->history);
    overlaid->folder = folder;
    overlaid->name = folder.filename().string();
    overlaid->study = run.shared_study();
    overlaid->snapshot = std::make_shared<const Snapshot>(run.snapshot());
    overlaid->moments.push_back(std::make_shared<const Snapshot>(run.outline()));
    return overlaid;
}

}  // namespace emergence
