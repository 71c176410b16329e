// import and export, and runs of the published code where a run's settings are asked for.
#include <doctest/doctest.h>

#include <algorithm>

#include "app/cli/commands.h"
#include "core/experiments/in_context_td/published/published_run.h"
#include "core/experiments/registry.h"
#include "core/files/array_files.h"
#include "tests/app/cli/told.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"

namespace emergence::cli::published_commands_test {
namespace {

namespace fs = std::filesystem;
using testing::data_file;
using testing::Scratch;
using testing::slurp;

}  // namespace

TEST_CASE("a run of the published code becomes a run's folder, and that one its form again") {
    const Scratch scratch;
    const std::string sample = data_file("wang_code_run").string(), run = (scratch / "run").string();
    const Told imported = tell({"import", sample, "--out", run});
    CAPTURE(imported.err);
    REQUIRE(imported.code == kDone);
    for (const char* name :
         {"config.toml", "metrics.csv", "weights.npz", "checkpoint.npz", "wang-2.pdf", "data.npz", "params.json"})
        CHECK_MESSAGE(fs::exists(scratch / "run" / name), name);
    const std::string csv = slurp(scratch / "run/metrics.csv");
    CHECK(std::count(csv.begin(), csv.end(), '\n') == 41);
    CHECK(csv.find("logged_implicit_weight_similarity") != std::string::npos);
    CHECK(read_published_run(scratch / "run") == read_published_run(sample));
    // Its settings open it again, wherever it was imported from.
    CHECK(slurp(scratch / "run/config.toml").find("replay = \".\"\n") != std::string::npos);
    fs::rename(run, scratch / "moved");
    const Told moved = tell({"resume", (scratch / "moved").string()});
    CAPTURE(moved.err);
    CHECK(moved.code == kDone);
    fs::rename(scratch / "moved", run);

    const std::string back = (scratch / "back").string();
    REQUIRE(tell({"export", run, "--out", back}).code == kDone);
    PublishedRun again = read_published_run(back);
    const PublishedRun before = read_published_run(sample);
    CHECK(again.P == before.P);
    CHECK(again.Q == before.Q);
    CHECK(again.steps == before.steps);
    CHECK(again.params == before.params);
}

TEST_CASE("a run of ours is written in the published code's form, a folder a seed") {
    const Scratch scratch;
    const std::string run = (scratch / "run").string(), out = (scratch / "out").string();
    REQUIRE(tell({"run", "td", "--set", "num_mrps=20", "--set", "bank_size=16", "--set", "initial_gain=0.2", "--seeds",
                  "2", "--out", run})
                .code == kDone);
    const Told exported = tell({"export", run, "--out", out});
    REQUIRE(exported.code == kDone);
    CHECK(exported.err.find("params.json has no place for these settings: initial_gain") != std::string::npos);
    const PublishedRun second = read_published_run(scratch / "out/seed_1");
    CHECK(second.steps == std::vector<int64_t>{10, 20});
    CHECK(second.params.random_seed == 1);
    const auto P = std::get<std::vector<float>>(read_npz(scratch / "run/weights.npz").at("P").values);
    REQUIRE(P.size() == 162);
    CHECK(std::equal(P.begin() + 81, P.end(), second.P.begin() + 81));
    // And trained on from there.
    const std::string data = (scratch / "out/seed_1/data.npz").string(), on = (scratch / "on").string();
    REQUIRE(tell({"run", "td", "--weights", data, "--set", "num_mrps=10", "--set", "bank_size=16", "--seeds", "1",
                  "--out", on})
                .code == kDone);
    CHECK(slurp(scratch / "on/config.toml").find("weights = \"data.npz\"\n") != std::string::npos);
}

TEST_CASE("runs of the published code with other numbers than 0, 1, .. are drawn, each with its own values") {
    const Scratch scratch;
    const std::string run = (scratch / "run").string(), out = (scratch / "out").string();
    REQUIRE(tell({"run", "td", "--set", "num_mrps=20", "--set", "bank_size=16", "--seeds", "11", "--out", run}).code ==
            kDone);
    REQUIRE(tell({"export", run, "--out", out}).code == kDone);
    // In the order of folders 0, 1, 10, 2, .., and two of them numbered 5 and 7.
    const auto replayed = [&](const std::string& runs, const std::string& seeds) {
        const std::string folder = (scratch / ("of-" + seeds)).string();
        const Told told = tell({"figure", "wang-2", "--set", "replay=" + runs, "num_mrps=20", "bank_size=16", "--seeds",
                                seeds, "--out", folder},
                               experiments(), testing::source_dir() / "assets");
        CAPTURE(told.err);
        CHECK(told.code == kDone);
        CHECK(fs::exists(fs::path(folder) / "wang-2.pdf"));
        return slurp(fs::path(folder) / "seeds.csv");
    };
    const auto row_of = [](const std::string& csv, const std::string& seed) {
        const size_t at = csv.find("\n" + seed + ",");
        REQUIRE(at != std::string::npos);
        return csv.substr(at, csv.find('\n', at + 1) - at);
    };
    const std::string all = replayed(out, "11");
    fs::create_directories(scratch / "two");
    for (const char* seed : {"seed_5", "seed_7"}) fs::rename(scratch / "out" / seed, scratch / "two" / seed);
    const std::string two = replayed((scratch / "two").string(), "2");
    for (const char* seed : {"5", "7"}) CHECK(row_of(two, seed) == row_of(all, seed));
    CHECK(slurp(scratch / "of-2/config.toml").find("runs = [\"Seeds 5, 7\"]") != std::string::npos);
    CHECK(slurp(scratch / "of-2/wang-2.svg").find("Seeds 5, 7") != std::string::npos);
    CHECK(row_of(two, "5") != row_of(all, "10"));
}

TEST_CASE("a bench's networks are exported as weights with a table, and identify reads them") {
    const Scratch scratch;
    const std::string run = (scratch / "bench").string(), out = (scratch / "networks").string();
    REQUIRE(tell({"run", "bench", "--seeds", "1", "--set", "num_networks=8", "num_layers=2", "d=2", "n=8",
                  "num_states=4", "log_interval=4", "--out", run})
                .code == kDone);
    const Told exported = tell({"export", run, "--format", "networks", "--out", out});
    CAPTURE(exported.err);
    REQUIRE(exported.code == kDone);
    const std::string csv = slurp(scratch / "networks/networks.csv");
    CHECK(csv.starts_with("seed,network,truth,made_as,disguise,pattern,iws,line_up,map,"));
    CHECK(std::count(csv.begin(), csv.end(), '\n') == 3);
    CHECK(read_npz(scratch / "networks/seed-0-network-7.npz").at("P").shape == std::vector<size_t>{2, 5, 5});
    CHECK(tell({"identify", (scratch / "networks/seed-0-network-7.npz").string(), "--set", "n=8"}).code == kDone);
    CHECK(tell({"export", data_file("wang_code_run").string(), "--format", "networks", "--out", out}).code ==
          kBadInput);
}

TEST_CASE("what cannot be imported or exported is told on one line") {
    const Scratch scratch;
    const std::string out = (scratch / "out").string();
    const Told none = tell({"import", scratch.path().string(), "--out", out});
    CHECK(none.code == kBadInput);
    CHECK(none.err.find("no run of the published code") != std::string::npos);
    CHECK_FALSE(fs::exists(scratch / "out"));
    CHECK(tell({"import", data_file("wang_code_run").string()}).err.find("--out is required") != std::string::npos);
    CHECK(tell({"export", "nowhere", "--out", out}).code == kBadInput);
    const Told other =
        tell({"export", (testing::source_dir() / "assets/presets/regression.toml").string(), "--out", out});
    CHECK(other.code == kBadInput);
    CHECK(other.err.find("not weights of regression") != std::string::npos);
    CHECK(tell({"run", scratch.path().string()}).code == kBadInput);
}

}  // namespace emergence::cli::published_commands_test
