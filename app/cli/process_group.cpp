#include "app/cli/process_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <thread>

namespace emergence::cli {
namespace {

std::optional<int> number_in_environment(const char* name) {
    const char* text = std::getenv(name);
    int value = 0;
    if (text == nullptr || std::from_chars(text, text + std::strlen(text), value).ec != std::errc())
        return std::nullopt;
    return value;
}

// What each launcher sets for its own children, the innermost first. An allocation (salloc, sbatch) sets SLURM_PROCID
// and SLURM_NTASKS too, for no process in particular: the variables of a step come from srun alone.
std::optional<ProcessGroup> started_by_launcher() {
    constexpr const char* kNames[][3] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
                                         {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_SIZE"},
                                         {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"},
                                         {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_TASKS_PER_NODE"},
                                         {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_TASKS_PER_NODE"}};
    for (const auto& [rank_name, size_name, local] : kNames) {
        const auto rank = number_in_environment(rank_name), size = number_in_environment(size_name);
        // The step in which salloc opens a shell has a number beyond those of steps.
        if (std::string_view(size_name) == "SLURM_NTASKS" && !number_in_environment("SLURM_STEP_ID")) continue;
        if (!rank || !size || *rank < 0 || *rank >= *size) continue;
        // SLURM's own PMI does not say how many are here, its step does.
        const int here =
            number_in_environment(local).value_or(number_in_environment("SLURM_STEP_TASKS_PER_NODE").value_or(1));
        return ProcessGroup{*rank, *size, std::clamp(here, 1, *size)};
    }
    return std::nullopt;
}

}  // namespace

ProcessGroup launched_group() {
    const auto launched = started_by_launcher();
    ProcessGroup group = launched.value_or(ProcessGroup{});
    std::optional<int> cores;
    if (launched || number_in_environment("SLURM_ARRAY_TASK_ID")) cores = number_in_environment("SLURM_CPUS_PER_TASK");
    // A process that was not launched has all of the allocation's cores on its machine, not those of one task.
    if (!launched && !cores) cores = number_in_environment("SLURM_CPUS_ON_NODE");
    group.cores = std::max(0, cores.value_or(0));
    return group;
}

ProcessGroup process_group() {
    ProcessGroup group = launched_group();
    // Each task of an array may start processes of its own.
    const int tasks = number_in_environment("SLURM_ARRAY_TASK_COUNT").value_or(1);
    if (tasks > 1) {
        const int step = std::max(1, number_in_environment("SLURM_ARRAY_TASK_STEP").value_or(1));
        const int task = (number_in_environment("SLURM_ARRAY_TASK_ID").value_or(0) -
                          number_in_environment("SLURM_ARRAY_TASK_MIN").value_or(0)) /
                         step;
        group.rank += std::clamp(task, 0, tasks - 1) * group.size;
        group.size *= tasks;
    }
    return group;
}

int threads_in(const ProcessGroup& group) {
    return group.cores > 0 ? group.cores : std::max(1, default_threads() / group.neighbours);
}

GridProcess grid_process(const Environment& environment) {
    const ProcessGroup group = process_group();
    return {group.rank, group.size, group.size > 1 && environment.tickets ? environment.tickets() : nullptr};
}

GridOptions grid_options(const std::string& name, int threads, GridProgressLine& line, const Environment& environment) {
    GridOptions options;
    options.threads = threads;
    options.name = name;
    options.stop = environment.stop;
    options.on_progress = [&line](const GridProgress& progress) { line.show(progress); };
    options.on_fewer_threads = [threads, &environment](int started) { environment.report_threads(started, threads); };
    return options;
}

bool take_turn(JobOwners& owners, const std::string& work, const Environment& environment) {
    if (owners.take(work)) return true;
    constexpr std::chrono::milliseconds kPause{200};
    environment.err << fmt::format("emergence-cli: waiting for another process, which writes the {}\n", work)
                    << std::flush;
    while (!environment.stopped() && !owners.take(work)) std::this_thread::sleep_for(kPause);
    // One that was killed has not done it.
    if (owners.is_taken_over(work)) return true;
    owners.release(work);
    return false;
}

std::string name_in_group(const std::string& name) {
    const ProcessGroup group = process_group();
    return group.size == 1 ? name : fmt::format("{}, {} of {}", name, group.rank + 1, group.size);
}

}  // namespace emergence::cli
