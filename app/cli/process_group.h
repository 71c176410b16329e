#pragma once
// The processes that mpirun, srun or a SLURM array has started side by side. They say so in their environment. The
// variables of an allocation alone (salloc, sbatch) start nothing.

#include "app/cli/commands.h"
#include "app/cli/progress.h"
#include "core/lab/jobs/job_folder.h"
#include "core/lab/jobs/job_grid.h"

namespace emergence::cli {

struct ProcessGroup {
    int rank = 0, size = 1;
    /// Processes on this machine, itself included.
    int neighbours = 1;
    /// Cores that the engine gives to each process; 0 if it does not say.
    int cores = 0;
};
ProcessGroup process_group();
/// The same without the other tasks of an array, which are commands of their own.
ProcessGroup launched_group();

/// Threads of a process that was asked for none: its share of the machine's cores.
int threads_in(const ProcessGroup& group);

/// This process among those of its group, with tickets if the program was built with MPI and mpirun has started it.
GridProcess grid_process(const Environment& environment);

/// Of a grid in the process group: shown by `line`, stopped by the environment.
GridOptions grid_options(const std::string& name, int threads, GridProgressLine& line, const Environment& environment);

/// True if nobody else is at this last piece of work, which is ours then until `owners` ends. Otherwise waits until the
/// other process has finished it.
bool take_turn(JobOwners& owners, const std::string& work, const Environment& environment);

/// "sweep", or "sweep, 2 of 4".
std::string name_in_group(const std::string& name);

}  // namespace emergence::cli
