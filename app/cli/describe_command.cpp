// Carries out describe, which puts the pictures of a saved run into sentences.

#include "app/cli/answer.h"
#include "app/cli/command.h"
#include "app/cli/run_request.h"
#include "app/open/opening.h"
#include "app/open/run_folder.h"
#include "core/lab/figures/figures.h"
#include "core/lab/runs/run.h"

namespace emergence::cli {
namespace {

struct DescribeRequest {
    std::string folder;  // of a run
};

Answer describe_pictures(const DescribeRequest& request, const Environment& environment) {
    const RunToOpen opened = saved_run(request.folder, environment);
    const RestoredRun restored(opened, environment.threads());
    const auto& [pool, run, history] = restored;
    Snapshot snapshot = run.snapshot();
    snapshot.status.target_step = run.study().target_step();
    const ExperimentInfo& info = *opened.experiment;
    const std::vector<Description> descriptions =
        describe_run(info, snapshot, panels_of(run.study(), snapshot, history), usual_staging(info.name).stage);
    Json pictures = Json::array();
    for (const Description& one : descriptions)
        pictures.push_back({{"name", one.id}, {"title", one.title}, {"sentences", one.sentences}});
    return {{{"pictures", pictures}}, text_of(descriptions)};
}

}  // namespace

Command describe_command() {
    return answering<DescribeRequest>(
        "describe", "Describe the pictures of a saved run in sentences",
        [](Options& options, DescribeRequest& request) {
            options.text("folder", "DIR", "Folder of the run", request.folder).required();
            options.threads();
        },
        describe_pictures);
}

}  // namespace emergence::cli
