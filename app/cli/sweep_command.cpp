// sweep: a grid of settings, cell by cell, saved after each.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/out_folder.h"
#include "app/cli/progress.h"
#include "app/cli/sweep_request.h"
#include "app/export/sweep_pictures.h"
#include "core/base/error.h"
#include "core/lab/figure_results.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;

// One of several processes that mpirun (Open MPI, MPICH) or srun has started side by side says so in its environment.
// They share a folder and nothing else, so that no MPI is linked.
struct Process {
    int rank = 0, size = 1;
    // Processes on this machine, itself included.
    int neighbours = 1;
};

int number_in_environment(const char* name, int otherwise) {
    const char* text = std::getenv(name);
    int value = otherwise;
    if (text != nullptr) std::from_chars(text, text + std::strlen(text), value);
    return value;
}

Process this_process() {
    constexpr const char* kNames[][3] = {
        {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
        {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"},
        {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_TASKS_PER_NODE"}};
    for (const auto& [rank, size, local] : kNames) {
        const Process process{number_in_environment(rank, 0), number_in_environment(size, 1),
                              std::max(1, number_in_environment(local, 1))};
        if (process.size > 1) return process;
    }
    return {};
}

// What is missing takes so long.
void print_estimate(const Sweep& sweep, const SweepScores& known, int threads,
                    const Environment& environment) {
    constexpr double kBudget = 1.0;  // seconds
    const int missing = sweep.cells() - count_whole(sweep, known);
    if (missing <= 0) return;
    const double seconds = estimate_seconds(sweep, known, kBudget);
    if (!std::isfinite(seconds)) return;
    environment.err << fmt::format("sweep: {} cells of {} seed{}: about {} on {} thread{}\n", missing,
                                   sweep.seeds, sweep.seeds == 1 ? "" : "s",
                                   duration_text(std::max(1.0, seconds / threads)), threads,
                                   threads == 1 ? "" : "s");
}

void refuse_lost_lines(const fs::path& folder, const Sweep& sweep) {
    if (const size_t lost = lines_outside_in(folder, sweep); lost > 0)
        throw InputError(fmt::format(
            "{}: holds {} finished lines of cells or seeds that this sweep does not have, and that it would "
            "lose. Choose another --out, or add --force, which moves what is there",
            folder.string(), lost));
}

}  // namespace

int run_sweep_command(const SweepRequest& request, const Environment& environment) {
    const FindExperiment find = [&environment](const std::string& name) -> const ExperimentInfo& {
        return find_experiment_in(environment.experiments, name);
    };
    const AskedSweep asked = sweep_asked_for(request, find, environment);
    const SweepText& text = asked.text;
    const Sweep& sweep = text.sweep;
    const fs::path& folder = asked.folder;
    const Process process = this_process();
    if (process.size > 1 && request.existing == Existing::replace)
        throw InputError("--force: not with several processes at once: one would move what another writes");
    std::error_code ignored;
    const bool is_sweep =
        fs::exists(folder / kSweepFile, ignored) || fs::exists(folder / kComputedFile, ignored);
    claim_folder(folder, is_sweep, request.existing, environment);
    const SweepScores known = known_in(folder, sweep, find);
    refuse_lost_lines(folder, sweep);
    check_score(sweep);
    prepare_folder(folder);
    if (!known.empty())
        environment.err << fmt::format("sweep: {} of {} cells are there already\n", count_whole(sweep, known),
                                       sweep.cells());

    GridProgressLine line(environment.err, environment.err_is_terminal);
    GridOptions options;
    options.threads = request.threads.value_or(std::max(1, default_threads() / process.neighbours));
    options.name =
        process.size == 1 ? "sweep" : fmt::format("sweep, {} of {}", process.rank + 1, process.size);
    options.stop = environment.stop;
    options.on_progress = [&line](const GridProgress& progress) { line.show(progress); };
    if (process.rank == 0) print_estimate(sweep, known, options.threads * process.size, environment);
    const Stopwatch watch;
    const SweepResult result = run_sweep_in(folder, text, known, options);
    line.finish(watch.seconds());
    for (const JobFailure& failure : result.failures)
        environment.err << fmt::format("emergence-cli: sweep: {}: {}\n", failure.label, failure.reason);
    for (const fs::path& picture : write_sweep_pictures(folder, sweep, result.scores, request.page))
        environment.out << picture.string() << '\n';
    for (const char* file : {kCellArraysFile, kCellsFile})
        environment.out << (folder / file).string() << '\n';
    environment.err << fmt::format("sweep: {} of {} cells, {:.1f} s, {:.1f} s of CPU\n",
                                   count_whole(sweep, result.scores), sweep.cells(), watch.seconds(),
                                   watch.cpu_seconds());
    if (const int at_work = cells_at_work(folder); at_work > 0)
        environment.err << fmt::format("sweep: other processes are computing {} cells\n", at_work);
    if (result.stopped)
        environment.err << fmt::format("emergence-cli: stopped; 'sweep {}' resumes it\n", folder.string());
    return result.stopped || !result.failures.empty() ? kFailure : kDone;
}

}  // namespace emergence::cli
