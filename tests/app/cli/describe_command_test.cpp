// describe from the outside: a folder and nonsense in; sentences out.
#include "tests/app/cli/toy_commands.h"
#include "tests/support/scratch.h"

namespace emergence::cli {

TEST_CASE("a saved run is described in sentences") {
    const testing::Scratch scratch;
    const std::string folder = (scratch / "run").string();
    std::filesystem::create_directories(scratch / "presets");
    testing::spit(scratch / "presets/toy.toml", "experiment = \"toy\"\n");
    REQUIRE(run_toy({"run", "toy", "--out", folder}, scratch.path()).code == kDone);
    const Told run = check_done(run_toy({"describe", folder}, scratch.path()));
    CHECK(run.err.empty());  // nothing is trained
    CHECK(run.out.starts_with(testing::toy_info().title + "\n100 of 100 "));
    CHECK(testing::holds(run.out, "The x axis shows "));
    CHECK(testing::holds(command_refusal(run_toy({"describe", "nowhere"}, scratch.path())), "nowhere"));
}

}  // namespace emergence::cli
