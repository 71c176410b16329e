#include "app/cli/process_group.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <map>
#include <string>

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
        const Variables open_mpi({{"OMPI_COMM_WORLD_RANK", "3"},
                                  {"OMPI_COMM_WORLD_SIZE", "8"},
                                  {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}});
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
        const Variables srun({{"SLURM_PROCID", "1"}, {"SLURM_NTASKS", "2"}});
        CHECK(process_group().rank == 5);
        CHECK(process_group().size == 10);
    }
}

}  // namespace emergence::cli
