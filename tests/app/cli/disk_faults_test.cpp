// A disk that fails at any call: no torn file, no other result, a clear error, and the same command resumes it.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cerrno>
#include <functional>
#include <map>
#include <set>

#include "tests/app/cli/toy_commands.h"
#include "tests/support/failing_calls.h"
#include "tests/support/scratch.h"
#include "tests/support/small_sweep.h"

TEST_SUITE_BEGIN("release");

namespace emergence::cli::disk_faults_test {
namespace {

namespace fs = std::filesystem;
using namespace testing;

// All files by their names, without those that differ from run to run.
std::map<std::string, std::string> results_in(const fs::path& folder) {
    const std::set<std::string> differ = {"provenance.toml", "training-time.toml", "claims.toml"};
    std::map<std::string, std::string> results;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file() || differ.contains(entry.path().filename().string())) continue;
        const std::string name = fs::relative(entry.path(), folder).string();
        if (!name.starts_with("jobs/")) results[name] = slurp(entry.path());
    }
    return results;
}

// Every path that a command may write ends with --out.
struct Work {
    const char* name;
    std::vector<std::string> command;
    int code = kDone;
};

// Toys, their preset beside the folder's, and a quick experiment with seeds that a sweep can count.
Told do_work(const Work& work, const fs::path& out, const Scratch& scratch) {
    return tell(with_words(work.command, {"--out", out.string()}), {toy_with_figures(), find_experiment("regression")},
                scratch / "assets");
}

// Fails one call after the other; returns how often one failed.
int fail_each(const Work& work, const Scratch& scratch) {
    const fs::path whole = scratch / fmt::format("whole-{}/out", work.name);
    REQUIRE(do_work(work, whole, scratch).code == work.code);
    const auto expected = results_in(whole);
    REQUIRE(expected.size() > 1);
    int faults = 0;
    for (const SystemCall call : kFileCalls) {
        // All calls at the beginning, fewer of the pictures: bringing each file to the disk takes its time.
        for (size_t k = 1, step = 1;; k += step, step *= k > 4 ? 3 : 1) {
            const fs::path out = scratch / fmt::format("cut-{}-{}-{}/out", work.name, static_cast<int>(call), k);
            Told cut;
            bool failed = false;
            {
                const FailingCalls fault(call, k, call == SystemCall::write ? ENOSPC : EIO);
                cut = do_work(work, out, scratch);
                failed = fault.failed();
            }
            if (!failed) break;
            ++faults;
            INFO(work.name, ", ", static_cast<int>(call), ", ", k, ", ", cut.err);
            if (cut.code == work.code)
                CHECK(results_in(out) == expected);
            else
                CHECK(holds(cut.err, "emergence-cli: "));
            const Told again = do_work(work, out, scratch);
            CAPTURE(again.err);
            CHECK(again.code == work.code);
            CHECK(results_in(out) == expected);
            fs::remove_all(out.parent_path());
        }
    }
    return faults;
}

}  // namespace

TEST_CASE("a run, a figure and a sweep survive each call of the system that fails") {
    const Scratch scratch;
    const std::string sweep = (scratch / "s.toml").string();
    spit(sweep, testing::kQuickSweep);
    fs::create_directories(scratch / "assets/presets");
    spit(scratch / "assets/presets/toy.toml", "experiment = \"toy\"\n[settings]\nnum_steps = 20\nsize = 2\n");
    int faults = 0;
    for (const Work& work :
         {Work{"run", {"run", "toy", "--set", "num_steps=20", "--threads", "1"}},
          Work{"figure", {"figure", "toy-grid", "--threads", "1"}}, Work{"sweep", {"sweep", sweep, "--threads", "1"}}})
        faults += fail_each(work, scratch);
    MESSAGE(faults << " calls failed");
    CHECK(faults > 60);
}

TEST_CASE("what is made of saved runs survives each call of the system that fails, with the same command") {
    const Scratch scratch;
    const std::string a = (scratch / "a").string(), b = (scratch / "b").string();
    REQUIRE(run_toy({"run", "toy", "--set", "num_steps=20", "--out", a}).code == kDone);
    REQUIRE(run_toy({"run", "toy", "--set", "num_steps=20", "--set", "learning_rate=0.1", "--out", b}).code == kDone);
    int faults = 0;
    for (const Work& work : {Work{"compare", {"compare", a, b}}, Work{"export", {"export", a}}})
        faults += fail_each(work, scratch);
    CHECK(faults > 40);
}

}  // namespace emergence::cli::disk_faults_test

TEST_SUITE_END();
