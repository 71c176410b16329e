#include "app/cli/process_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace emergence::cli {
namespace {

int number_in_environment(const char* name, int otherwise) {
    const char* text = std::getenv(name);
    int value = otherwise;
    if (text != nullptr) std::from_chars(text, text + std::strlen(text), value);
    return value;
}

ProcessGroup started_by_launcher() {
    constexpr const char* kNames[][3] = {
        {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
        {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"},
        {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_TASKS_PER_NODE"}};
    for (const auto& [rank, size, local] : kNames) {
        ProcessGroup group{number_in_environment(rank, 0), number_in_environment(size, 1),
                           std::max(1, number_in_environment(local, 1))};
        if (group.size > 1) return group;
    }
    return {};
}

}  // namespace

ProcessGroup process_group() {
    ProcessGroup group = started_by_launcher();
    // Each task of an array may start processes of its own.
    const int tasks = number_in_environment("SLURM_ARRAY_TASK_COUNT", 1);
    if (tasks > 1) {
        const int step = std::max(1, number_in_environment("SLURM_ARRAY_TASK_STEP", 1));
        const int task = (number_in_environment("SLURM_ARRAY_TASK_ID", 0) -
                          number_in_environment("SLURM_ARRAY_TASK_MIN", 0)) /
                         step;
        group.rank += std::clamp(task, 0, tasks - 1) * group.size;
        group.size *= tasks;
    }
    group.cores = std::max(0, number_in_environment("SLURM_CPUS_PER_TASK", 0));
    return group;
}

int threads_in(const ProcessGroup& group) {
    return group.cores > 0 ? group.cores : std::max(1, default_threads() / group.neighbours);
}

GridProcess grid_process(const Environment& environment) {
    const ProcessGroup group = process_group();
    return {group.rank, group.size, group.size > 1 && environment.tickets ? environment.tickets() : nullptr};
}

bool take_turn(JobOwners& owners, const std::string& work, const Environment& environment) {
    if (owners.take(work)) return true;
    constexpr std::chrono::milliseconds kPause{200};
    environment.err << fmt::format("emergence-cli: waiting for another process, which writes the {}\n", work)
                    << std::flush;
    while (!(environment.stop && *environment.stop) && !owners.take(work))
        std::this_thread::sleep_for(kPause);
    owners.release(work);
    return false;
}

std::string name_in_group(const std::string& name) {
    const ProcessGroup group = process_group();
    return group.size == 1 ? name : fmt::format("{}, {} of {}", name, group.rank + 1, group.size);
}

}  // namespace emergence::cli
