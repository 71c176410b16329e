#include "app/cli/process_group.h"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>

#include "tests/support/scratch.h"

namespace emergence::cli {
namespace {

// Sets variables of the environment while it lives.
class Variables {
  public:
    explicit Variables(std::map<std::string, std::string> values) : values_(std::move(values)) {
        for (const auto& [name, value] : values_) ::setenv(name.c_str(), value.c_str(), 1);
    }
    ~Variables() {
        for (const auto& [name, value] : values_) ::unsetenv(name.c_str());
    }
    Variables(const Variables&) = delete;
    Variables& operator=(const Variables&) = delete;

  private:
    std::map<std::string, std::string> values_;
};

}  // namespace

TEST_CASE("mpirun, srun and arrays say which of how many processes this is") {
    CHECK(process_group().size == 1);
    {
        const Variables open_mpi(
            {{"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "8"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}});
        const ProcessGroup group = process_group();
        CHECK(group.rank == 3);
        CHECK(group.size == 8);
        CHECK(group.neighbours == 4);
        CHECK(name_in_group("sweep") == "sweep, 4 of 8");
    }
    {
        const Variables slurm({{"SLURM_ARRAY_TASK_ID", "14"},
                               {"SLURM_ARRAY_TASK_MIN", "10"},
                               {"SLURM_ARRAY_TASK_STEP", "2"},
                               {"SLURM_ARRAY_TASK_COUNT", "5"},
                               {"SLURM_CPUS_PER_TASK", "6"}});
        CHECK(process_group().rank == 2);
        CHECK(process_group().size == 5);
        CHECK(threads_in(process_group()) == 6);
        const Variables srun({{"SLURM_PROCID", "1"}, {"SLURM_NTASKS", "2"}, {"SLURM_STEP_NUM_TASKS", "2"}});
        CHECK(process_group().rank == 5);
        CHECK(process_group().size == 10);
        // Each task of an array is a command of its own: a run in it is trained.
        CHECK(launched_group().rank == 1);
        CHECK(launched_group().size == 2);
    }
}

TEST_CASE("the variables of an allocation start nothing") {
    // As sbatch gives them to its script, for four tasks of a core each on this machine.
    const Variables allocation({{"SLURM_JOB_ID", "7"},
                                {"SLURM_NTASKS", "4"},
                                {"SLURM_NPROCS", "4"},
                                {"SLURM_PROCID", "0"},
                                {"SLURM_LOCALID", "0"},
                                {"SLURM_NODEID", "0"},
                                {"SLURM_TASKS_PER_NODE", "4(x2)"},
                                {"SLURM_CPUS_PER_TASK", "1"}});
    CHECK(process_group().size == 1);
    CHECK(threads_in(process_group()) == default_threads());
    CHECK(name_in_group("sweep") == "sweep");
    {
        const Variables on_node({{"SLURM_CPUS_ON_NODE", "3"}, {"SLURM_JOB_CPUS_PER_NODE", "3(x2)"}});
        CHECK(threads_in(process_group()) == 3);
    }
    {  // The shell that salloc opens is a step of one task.
        const Variables shell({{"SLURM_STEP_ID", "4294967290"}, {"SLURM_STEP_NUM_TASKS", "1"}});
        CHECK(process_group().size == 1);
    }
    {
        const Variables step(
            {{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_STEP_TASKS_PER_NODE", "4"}});
        CHECK(process_group().size == 4);
        CHECK(process_group().neighbours == 4);
        CHECK(threads_in(process_group()) == 1);
        // mpirun in a step: its own children count.
        const Variables one({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}});
        CHECK(process_group().size == 1);
    }
    const Variables half({{"OMPI_COMM_WORLD_SIZE", "8"}, {"PMI_RANK", "9"}, {"PMI_SIZE", "4"}});
    CHECK(process_group().size == 1);
}

TEST_CASE("the last piece of work of a process that was killed at it is done by the one that waits") {
    const testing::Scratch scratch;
    std::filesystem::create_directory(scratch / "owners");
    const auto file = scratch / "owners" / name_of_text("pictures");
    testing::spit(file, "");
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - std::chrono::seconds(4));
    std::ostringstream out, err;
    const std::vector<ExperimentInfo> none;
    const Environment environment{.experiments = none, .out = out, .err = err, .assets = {}};
    JobOwners owners(scratch / "owners");
    CHECK(take_turn(owners, "pictures", environment));
    CHECK(err.str() == "emergence-cli: waiting for another process, which writes the pictures\n");
}

}  // namespace emergence::cli
