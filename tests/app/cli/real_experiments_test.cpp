// The command line with the experiments that there are, their presets and the program itself.
#include <doctest/doctest.h>
#include <sys/wait.h>

#include "core/files/array_files.h"
#include "core/files/csv.h"
#include "core/settings/toml.h"
#include "tests/app/cli/told.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"

namespace emergence::cli::real_experiments_test {
namespace {

namespace fs = std::filesystem;
using namespace testing;

}  // namespace

TEST_CASE("the experiment td: --seeds counts from seed, weights and columns are as promised") {
    const Scratch scratch;
    const std::vector<std::string> arguments = {
        "run",   "td",     "--set",   "num_mrps=20", "--set", "bank_size=16",
        "--set", "seed=3", "--seeds", "2",           "--out", (scratch / "r").string()};
    check_done(tell(arguments));
    const NumericTable metrics = read_csv(scratch / "r/metrics.csv");
    CHECK(metrics.column("seed") == std::vector<double>{3, 3, 3, 4, 4, 4});
    CHECK(metrics.column("mrp") == std::vector<double>{0, 10, 20, 0, 10, 20});
    const ArrayMap weights = read_npz(scratch / "r/weights.npz");
    CHECK(weights.at("P").shape == std::vector<size_t>{2, 1, 9, 9});
    CHECK(std::holds_alternative<std::vector<float>>(weights.at("Q").values));
    CHECK(fs::exists(scratch / "r/wang-2.pdf"));
}

TEST_CASE("run takes an MRP of one's own and draws it; a bad one is refused in one line") {
    const Scratch scratch;
    const fs::path world = scratch / "mine.toml";
    spit(world, "transition = [[0.5, 0.5], [1, 0]]\nreward = [1, 0]\nfeatures = [[1, 0], [0, 1]]\n");
    const auto run = [&](const fs::path& out) {
        return tell({"run", world.string(), "--set", "num_mrps=10", "--set", "bank_size=16", "--seeds", "2", "--out",
                     out.string()});
    };
    CHECK(run(scratch / "r").code == kDone);
    CHECK(fs::exists(scratch / "r/td-world.pdf"));
    CHECK(holds(slurp(scratch / "r/td-world.csv"), "stationary_2"));
    CHECK(holds(slurp(scratch / "r/config.toml"), "mine.toml"));
    spit(world, "transition = [[0.5, 0.4], [1, 0]]\nreward = [1, 0]\nfeatures = [[1, 0], [0, 1]]\n");
    check_refused(run(scratch / "s"), "mine.toml: transition row 1: expected a sum of 1, not 0.9");
    CHECK_FALSE(fs::exists(scratch / "s"));
}

TEST_CASE("a transformer that cannot play is told, and a weights file is looked into") {
    const Scratch scratch;
    const Told without = check_done(tell({"run", "bandit-eval", "--set", "d=16", "--set", "rounds=20", "--set",
                                          "num_environments=5", "--seeds", "1", "--out", (scratch / "eval").string()}));
    CHECK(holds(without.err,
                "emergence-cli: The transformer 'cosine' cannot play here: its weights are for "
                "d = 32 instead of 16."));
    const fs::path weights = testing::source_dir() / "assets" / "weights" / "bandit-cosine.npz";
    const Told inside = check_done(tell({"run", weights.string(), "--set", "rounds=20", "--set", "num_environments=5",
                                         "--out", (scratch / "inside").string()}));
    CHECK_FALSE(holds(inside.err, "emergence-cli:"));
    CHECK(holds(slurp(scratch / "inside" / "config.toml"), "experiment = \"bandit-inside\""));
    CHECK(fs::exists(scratch / "inside" / "bandit-inside-matrices.png"));
}

TEST_CASE("a figure says which of its runs keep a setting that was asked for, and which setting has no effect") {
    const Scratch scratch;
    const auto err = [&](const char* figure, const char* change) {
        return tell({"figure", figure, "--set", change, "--dry-run", "--out", (scratch / "f").string()}, experiments(),
                    testing::source_dir() / "assets")
            .err;
    };
    CHECK(err("printed", "num_mrps=200") == "emergence-cli: runs with their own num_mrps keep it: rate 0.0001\n");
    CHECK(err("average-reward", "gamma=0.5") == "emergence-cli: gamma has no effect while loss = average_reward\n");
    CHECK(err("td-lambda", "n=20").empty());
}

}  // namespace emergence::cli::real_experiments_test
