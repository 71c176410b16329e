#pragma once
// The jobs of a grid, handed out by MPI: a counter per grid in the memory of the first process, which the others
// increase by one-sided communication.

#include <memory>

#include "core/lab/jobs/job_grid.h"

namespace emergence::cli {

/// The MPI job of which this process is a part.
class MpiTickets : public JobTickets {
  public:
    /// Joins the job, once in a process. Null if mpirun (or srun with PMIx) has not started this process, or has started
    /// it alone: then MPI is not touched.
    static std::unique_ptr<MpiTickets> join();
    /// Leaves the job. Waits for the other processes as long as they live. If one is stopped or lost, ends the whole
    /// job, unless `interrupted`: this process has not seen the end of the work.
    virtual void leave(int exit_code, bool interrupted) = 0;
};

}  // namespace emergence::cli
