#include "app/gui/session/overlaid_run.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/open/run_folder.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

fs::path last_parts(const fs::path& path, size_t count) {
    const std::vector<fs::path> parts(path.begin(), path.end());
    fs::path tail;
    for (size_t i = parts.size() - std::min(count, parts.size()); i < parts.size(); ++i) tail /= parts[i];
    return tail;
}

}  // namespace

std::vector<std::string> names_apart(const std::vector<fs::path>& folders) {
    std::vector<std::string> names;
    for (const fs::path& folder : folders) {
        const auto parts = static_cast<size_t>(std::distance(folder.begin(), folder.end()));
        size_t count = 1;
        while (count < parts && std::any_of(folders.begin(), folders.end(), [&](const fs::path& other) {
                   return other != folder && last_parts(other, count) == last_parts(folder, count);
               }))
            ++count;
        names.push_back(last_parts(folder, count).string());
    }
    return names;
}

std::shared_ptr<const OverlaidRun> overlaid_run(const std::filesystem::path& folder, const FindExperiment& find) {
    const RunToOpen kept = run_in(folder, find);
    ThreadPool pool(1);
    Run run(kept.experiment->make(kept.settings), pool);
    auto overlaid = std::make_shared<OverlaidRun>();
    overlaid->history = MetricHistory(run.study().metrics(), run.num_seeds());
    restore(*kept.checkpoint, run, overlaid->history);
    overlaid->folder = folder;
    overlaid->name = folder.filename().string();
    overlaid->study = run.shared_study();
    overlaid->snapshot = std::make_shared<const Snapshot>(run.snapshot());
    return overlaid;
}

}  // namespace emergence
