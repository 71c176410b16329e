// sweep: a grid of settings, cell by cell, saved after each.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "app/cli/command.h"
#include "app/cli/job.h"
#include "app/cli/out_folder.h"
#include "app/cli/progress.h"
#include "app/cli/sweep_request.h"
#include "app/export/sweep_pictures.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/lab/figures/figure_results.h"
#include "core/lab/sweeps/sweep_picture.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;

// What is missing takes so long.
void print_estimate(const Sweep& sweep, const SweepScores& known, int threads, const Environment& environment) {
    constexpr double kBudget = 1.0;  // seconds
    const int missing = sweep.cells() - count_whole(sweep, known);
    if (missing <= 0) return;
    const double seconds = estimate_seconds(sweep, known, kBudget);
    if (!std::isfinite(seconds)) return;
    environment.err << fmt::format("sweep: {} cells of {}: about {} on {}\n", missing, counted(sweep.seeds, "seed"),
                                   duration_text(std::max(1.0, seconds / threads)), counted(threads, "thread"));
}

void refuse_lost_lines(const fs::path& folder, const Sweep& sweep) {
    if (const size_t lost = lines_outside_in(folder, sweep); lost > 0)
        throw InputError(fmt::format(
            "{}: holds {} finished lines of cells or seeds that this sweep does not have, and that it would "
            "lose. Choose another --out, or add --force, which replaces it",
            folder.string(), lost));
}

void write_results(const fs::path& folder, const Sweep& sweep, const SweepScores& scores, const PageFormat& page,
                   const Environment& environment) {
    write_sweep_columns(folder, sweep);
    for (const fs::path& picture : write_sweep_pictures(folder, sweep, scores, page)) environment.wrote(picture);
    for (const char* file : {kCellArraysFile, kCellsFile, kColumnsFile})
        if (std::error_code ignored; fs::exists(folder / file, ignored))  // no cell, no file of cells
            environment.wrote(folder / file);
}

int run_sweep(const SweepRequest& request, const Environment& environment) {
    const FindExperiment find = [&environment](const std::string& name) -> const ExperimentInfo& {
        return find_experiment_in(environment.experiments, name);
    };
    const AskedSweep asked = sweep_asked_for(request, find, environment);
    const SweepText& text = asked.text;
    const Sweep& sweep = text.sweep;
    const fs::path& folder = asked.folder;
    const auto holds_sweep = [&folder] {
        std::error_code ignored;
        return fs::exists(folder / kSweepFile, ignored) || fs::exists(folder / kComputedFile, ignored);
    };
    environment.would(
        fmt::format("compute {} of the sweep, {} each", counted(sweep.cells(), "cell"), counted(sweep.seeds, "seed")));
    claim_folder(folder, holds_sweep(), request.existing, environment);
    const SweepScores known = known_in(folder, sweep, find);
    refuse_lost_lines(folder, sweep);
    check_score(sweep);
    prepare_folder(folder);
    const FolderLock lock = enter_folder(folder, holds_sweep);
    known_in(folder, sweep, find);  // another one may have begun there meanwhile
    // First, so that the same command knows its folder again wherever it is ended.
    if (!holds_sweep()) begin_sweep_in(folder, text);
    if (!known.empty())
        environment.err << fmt::format("sweep: {} of {} cells are there already\n", count_whole(sweep, known),
                                       sweep.cells());

    GridProgressLine line(environment.err, environment.err_is_terminal, environment.err_columns);
    GridOptions options = grid_options("sweep", request.threads.value_or(default_threads()), line, environment);
    environment.has_saved("Finished cells are saved", folder);
    print_estimate(sweep, known, options.threads, environment);
    ProvenanceSession session{environment.command, local_time("%Y-%m-%d %H:%M:%S %z"), options.threads};
    note_page(request.page, session);
    const Provenance provenance(folder, true);
    provenance.write(session);
    const Stopwatch watch;
    const SweepResult result = run_sweep_in(folder, text, known, options);
    line.finish(watch.seconds());
    environment.has_saved(fmt::format("{} of {} cells are saved", count_whole(sweep, result.scores), sweep.cells()),
                          folder);
    for (const JobFailure& failure : result.failures)
        environment.err << fmt::format("emergence-cli: sweep: {}: {}\n", failure.label, failure.reason);
    session.seconds = watch.seconds();
    session.cpu_seconds = watch.cpu_seconds();
    provenance.write(session);
    write_results(folder, sweep, result.scores, request.page, environment);
    environment.err << fmt::format("sweep: {} of {} cells, {:.1f} s, {:.1f} s of CPU\n",
                                   count_whole(sweep, result.scores), sweep.cells(), watch.seconds(),
                                   watch.cpu_seconds());
    if (const std::string failed = failed_text(sweep, result.scores); !failed.empty())
        environment.err << fmt::format("sweep: {}; the picture marks them and shows no mean\n", failed);
    return result.stopped || !result.failures.empty() ? kFailure : kDone;
}

}  // namespace

Command sweep_command() {
    return command_of<SweepRequest>(
        "sweep", "Compute all scores over a grid of settings, several seeds per cell",
        [](Options& options, SweepRequest& request) {
            options
                .text("name", "SWEEP|EXPERIMENT|FILE|DIR",
                      "A sweep (TOML), one of assets/sweeps by its name, the folder of one to resume, or an "
                      "experiment for --set",
                      request.file)
                .required();
            options.changes("Values of an axis, field=1,2,3 or field=FROM:TO:COUNT[:log]; one value for all cells",
                            request.changes);
            options.text("--preset", "PRESET", "Settings of all cells, for an experiment (see list)", request.preset);
            options.text("--score", "NAME",
                         "What the picture shows: emerged, a metric, a read-out or a quantity of each seed "
                         "(see handbook quantities)",
                         request.score);
            options.seeds("Seeds per cell (default: the sweep's, or 4)", request.seeds);
            options.flag("--save-weights", "Save the last weights of each cell too, as weights/CELL.npz",
                         request.weights);
            options.text("--x", "NAME", "Setting across the picture (default: the first)", request.x);
            options.text("--y", "NAME", "Setting down the picture (default: the second)", request.y);
            options.texts("--at", "FIELD=VALUE",
                          "Value of another axis at which the picture is drawn (default: its first): field=value",
                          request.at, true);
            options.out("Folder for the results (default: out/<name>); its finished cells stay", request.out,
                        request.existing);
            options.threads(request.threads);
            options.page(request.page);
            options.files_as_json();
        },
        run_sweep, true);
}

}  // namespace emergence::cli
