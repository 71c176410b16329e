// Carries out describe, which puts the pictures of a run or a figure into sentences.

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "app/cli/answer.h"
#include "app/cli/command.h"
#include "app/cli/job.h"
#include "app/cli/progress.h"
#include "app/cli/run_request.h"
#include "app/open/opening.h"
#include "app/open/run_folder.h"
#include "core/base/error.h"
#include "core/lab/figures/figures.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "core/settings/toml.h"

namespace emergence::cli {
namespace {

struct DescribeRequest {
    std::string name;  // a figure, a run's folder, a picture, a preset or any file with settings
};

// Finds what is to be described before anything is trained.
struct DescribedTarget {
    const ExperimentInfo* experiment = nullptr;
    Settings settings;
    std::optional<int64_t> step;                   // empty for the run's end
    std::string picture;                           // "" for every picture of the run
    std::shared_ptr<const Checkpoint> checkpoint;  // from a saved run, which is not trained
};

DescribedTarget described_target(const std::string& name, const Environment& environment) {
    const FindExperiment find = environment.find_experiment();
    for (const ExperimentInfo& info : environment.experiments)
        if (const FigureInfo* figure = figure_named(info, name))
            return {&info, figure_settings(info, *figure, environment.assets()), {}, name, {}};
    if (run_folder_at(name)) {
        RunToOpen run = saved_run(name, environment);
        return {run.experiment, std::move(run.settings), {}, "", std::move(run.checkpoint)};
    }
    const Opening opening = opening_named(name);
    if (!opening.settings)
        throw InputError(
            fmt::format("{}: holds no picture of a run. Name a run's folder, a figure (see list), a file that "
                        "Emergence drew, or a preset",
                        name));
    StartingPoint start = starting_point(*opening.settings, find);
    return {start.experiment, std::move(start.settings), start.step, opening.settings->figure, {}};
}

Answer said(const std::vector<Description>& descriptions) {
    Json pictures = Json::array();
    for (const Description& one : descriptions)
        pictures.push_back({{"name", one.id}, {"title", one.title}, {"sentences", one.sentences}});
    return {{{"pictures", pictures}}, text_of(descriptions)};
}

Answer describe_grid(const DescribedTarget& target, const FigureInfo& figure, const Environment& environment) {
    GridProgressLine line(environment);
    const Stopwatch watch;
    const MadeFigure made =
        figure.build(*target.experiment, target.settings, grid_options(figure.name, line, environment));
    line.finish(watch.seconds());
    if (made.stopped) return {Json(), "", kFailure};
    return said(describe(made.figure));
}

std::vector<Description> described_pictures(const DescribedTarget& target, const Run& run,
                                            const MetricHistory& history) {
    Snapshot snapshot = run.snapshot();
    snapshot.status.target_step = run.study().target_step();
    const ExperimentInfo& info = *target.experiment;
    const ShownPanels shown = panels_of(run.study(), snapshot, history);
    for (const FigureChoice& choice : figure_choices(info, shown))
        if (choice.name == target.picture && choice.kind != FigureChoice::Kind::grid)
            return describe(build_figure(choice, info, snapshot, history, shown));
    return describe_run(info, snapshot, shown, usual_staging(info.name).stage);
}

Answer describe_pictures(const DescribeRequest& request, const Environment& environment) {
    const DescribedTarget target = described_target(request.name, environment);
    if (const FigureInfo* figure = figure_named(*target.experiment, target.picture); figure != nullptr && !figure->draw)
        return describe_grid(target, *figure, environment);
    std::optional<BoundedOpening> bounded(std::in_place, request.name, target.settings);
    ThreadPool pool(environment.threads());
    Recorded recorded(target.experiment->make(target.settings), pool, target.step, 0);
    if (target.checkpoint) {
        restore(*target.checkpoint, recorded.run, recorded.history);
    } else {
        for (const MetricRow& row : recorded.run.advance_to(0)) recorded.history.append(row);
        bounded.reset();  // from here on a line says how far it is
        advance(recorded, target.experiment->name, environment, [](double) {});
    }
    if (recorded.stopped) return {Json(), "", kFailure};
    return said(described_pictures(target, recorded.run, recorded.history));
}

}  // namespace

Command describe_command() {
    return answering<DescribeRequest>(
        "describe", "Describe the pictures of a run or a figure in sentences; trains the run if needed",
        [](Options& options, DescribeRequest& request) {
            options
                .text("name", "FIGURE|PRESET|FILE|DIR",
                      "Folder of a run, a figure (see list), a file that Emergence drew, or a preset", request.name)
                .required();
            options.threads();
        },
        describe_pictures, true);
}

}  // namespace emergence::cli
