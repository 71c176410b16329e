// sweep: a phase diagram, cell by cell, kept after each.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/out_folder.h"
#include "app/cli/progress.h"
#include "app/export/sweep_pictures.h"
#include "core/base/error.h"
#include "core/files/assets.h"
#include "core/lab/figure_results.h"
#include "core/lab/sweep_folder.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;

// The file that was named: a path, the folder of a sweep, or one of assets/sweeps.
fs::path file_of(const std::string& name, const Environment& environment) {
    std::error_code ignored;
    if (fs::is_directory(name, ignored)) return sweep_file_at(name).value_or(fs::path(name) / kSweepFile);
    if (fs::exists(name, ignored)) return name;
    const fs::path shipped = environment.assets() / "sweeps" / (name + ".toml");
    return fs::exists(shipped, ignored) ? shipped : fs::path(name);
}

// One of several processes that mpirun (Open MPI, MPICH) or srun has started side by side says so in its
// environment. They share a folder and nothing else, so that no MPI is linked.
struct Process {
    SweepShare share;
    int neighbours = 1;  // processes on this machine, itself included
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
        const Process process{{number_in_environment(rank, 0), number_in_environment(size, 1)},
                              std::max(1, number_in_environment(local, 1))};
        if (process.share.size > 1 && process.share.rank >= 0 && process.share.rank < process.share.size)
            return process;
    }
    return {};
}

}  // namespace

int run_sweep_command(const SweepRequest& request, const Environment& environment) {
    const fs::path file = file_of(request.file, environment);
    const FindExperiment find = [&environment](const std::string& name) -> const ExperimentInfo& {
        return find_experiment_in(environment.experiments, name);
    };
    const SweepText text = read_sweep(file, find);
    const Sweep& sweep = text.sweep;
    std::error_code ignored;
    const bool in_place =
        fs::is_directory(request.file, ignored) && file == fs::path(request.file) / kSweepFile;
    const fs::path folder = request.out ? fs::path(*request.out)
                            : in_place  ? fs::path(request.file)
                                        : fs::path("out") / file.stem();
    const Process process = this_process();
    if (process.share.size > 1 && request.existing == Existing::replace)
        throw InputError("--force: not with several processes at once: one would move what another writes");
    const bool is_sweep =
        fs::exists(folder / kSweepFile, ignored) || fs::exists(folder / kComputedFile, ignored);
    claim_folder(folder, is_sweep, request.existing, environment);
    const SweepScores known = known_in(folder, sweep, find);
    if (const size_t lost = lines_outside_in(folder, sweep); lost > 0)
        throw InputError(fmt::format(
            "{}: holds {} finished scores of cells or seeds that this sweep does not have, and that it would "
            "lose. Choose another --out, or add --force, which moves what is there",
            folder.string(), lost));
    check_score(sweep);
    prepare_folder(folder);
    const int total = sweep.columns() * sweep.rows();
    if (!known.empty())
        environment.err << fmt::format("sweep: {} of {} cells are there already\n", count_whole(sweep, known),
                                       total);

    GridProgressLine line(environment.err, environment.err_is_terminal);
    GridOptions options;
    options.threads = request.threads.value_or(std::max(1, default_threads() / process.neighbours));
    options.name = process.share.size == 1
                       ? "sweep"
                       : fmt::format("sweep, {} of {}", process.share.rank + 1, process.share.size);
    options.stop = environment.stop;
    options.on_progress = [&line](const GridProgress& progress) { line.show(progress); };
    const Stopwatch watch;
    const SweepResult result = run_sweep_in(folder, text, known, options, process.share);
    line.finish(watch.seconds());
    for (const JobFailure& failure : result.failures)
        environment.err << fmt::format("emergence-cli: sweep: {}: {}\n", failure.label, failure.reason);
    const SweepScores all = cells_in(folder, sweep);
    for (const fs::path& picture : write_sweep_pictures(folder, sweep, all))
        environment.out << picture.string() << '\n';
    const fs::path own = folder / cells_file(process.share);
    environment.out << own.string() << '\n';
    environment.err << fmt::format("sweep: {} of {} cells, {:.1f} s, {:.1f} s of CPU\n",
                                   count_whole(sweep, all), total, watch.seconds(), watch.cpu_seconds());
    if (result.stopped)
        environment.err << fmt::format("emergence-cli: stopped; 'sweep {}' resumes it\n", folder.string());
    return result.stopped || !result.failures.empty() ? kFailure : kDone;
}

}  // namespace emergence::cli
