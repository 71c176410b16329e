// A run that was stopped goes on: the files are those of one that never was.
#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <map>
#include <string>

#include "app/cli/commands.h"
#include "app/cli/job.h"
#include "core/experiments/registry.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"
#include "core/lab/store/checkpoint.h"
#include "tests/app/cli/told.h"
#include "tests/support/scratch.h"
#include "tests/support/toy_study.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;
using namespace testing;

Told tell_toy(const std::vector<std::string>& arguments, bool stop_at_once = false) {
    const std::atomic<bool> stop{stop_at_once};
    return tell(arguments, {testing::toy_info()}, {}, &stop);
}

// Every file by its name, without those that say when and for how long the run was trained.
std::map<std::string, std::string> contents_of(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (const std::string name = entry.path().filename().string();
            entry.is_regular_file() && name != kProvenanceFile && name != kTrainingTimeFile)
            files[fs::relative(entry.path(), folder).string()] = slurp(entry.path());
    return files;
}

}  // namespace

TEST_CASE("a stopped run is resumed to the same files") {
    const Scratch scratch;
    const std::string whole = (scratch / "whole").string(), cut = (scratch / "cut").string();
    CHECK(tell_toy({"run", "toy", "--set", "diverge_seed=1", "--out", whole}).code == kDiverged);
    CHECK(tell_toy({"run", "toy", "--set", "diverge_seed=1", "--out", cut}, true).code == kFailure);
    CHECK(slurp(scratch / "cut/metrics.csv") != slurp(scratch / "whole/metrics.csv"));
    CHECK(tell_toy({"resume", cut}, true).code == kFailure);
    CHECK(tell_toy({"resume", cut, "--threads", "2", "--autosave", "0"}).code == kDiverged);
    CHECK(contents_of(scratch / "cut") == contents_of(scratch / "whole"));
}

TEST_CASE("a run whose folder is renamed meanwhile is saved there, and one whose folder is removed says so") {
    const Scratch scratch;
    const std::string whole = (scratch / "whole").string(), old = (scratch / "old").string(),
                      moved = (scratch / "new").string();
    CHECK(tell_toy({"run", "toy", "--out", whole}).code == kDone);
    const auto train_while = [&](const std::function<void()>& change) {
        std::atomic<bool> done = false;
        testing::before_toy_advance = [&] {
            if (fs::exists(scratch / "old/metrics.csv") && !done.exchange(true)) change();
        };
        const Told told = tell_toy({"run", "toy", "--threads", "1", "--out", old});
        testing::before_toy_advance = nullptr;
        CAPTURE(told.err);
        CHECK(told.code == kFailure);
        CHECK_FALSE(fs::exists(old));
        return told.err;
    };
    CHECK(holds(train_while([&] { fs::rename(old, moved); }),
                old + ": was renamed to " + fs::canonical(scratch.path()).string() + "/new while its run trained"));
    CHECK(tell_toy({"resume", moved}).code == kDone);
    CHECK(contents_of(moved) == contents_of(whole));
    CHECK(holds(train_while([&] { fs::remove_all(old); }), old + ": was deleted while its run trained"));
}

TEST_CASE("a run that another program writes is left alone") {
    const Scratch scratch;
    const std::string folder = (scratch / "r").string();
    CHECK(tell_toy({"run", "toy", "--out", folder}, true).code == kFailure);
    const std::string before = slurp(scratch / "r/checkpoint.npz");
    {
        const auto mine = FolderLock::take(folder);
        REQUIRE(mine);
        check_refused(tell_toy({"resume", folder}), "another program, perhaps the window, is writing this run",
                      kFailure);
        CHECK(holds(tell_toy({"run", "toy", "--out", folder, "--force"}).err, "is writing there. Nothing was changed"));
    }
    CHECK(slurp(scratch / "r/checkpoint.npz") == before);
    CHECK(tell_toy({"resume", folder}).code == kDone);
}

TEST_CASE("a finished run can be made longer, but not another one") {
    const Scratch scratch;
    const std::string whole = (scratch / "whole").string(), more = (scratch / "more").string();
    CHECK(tell_toy({"run", "toy", "--set", "num_steps=80", "--out", whole}).code == kDone);
    CHECK(tell_toy({"run", "toy", "--set", "num_steps=30", "--out", more}).code == kDone);
    CHECK(tell_toy({"resume", more, "--set", "num_steps=80"}).code == kDone);
    CHECK(slurp(scratch / "more/weights.npz") == slurp(scratch / "whole/weights.npz"));
    CHECK(slurp(scratch / "more/metrics.csv") == slurp(scratch / "whole/metrics.csv"));
    check_refused(tell_toy({"resume", more, "--set", "num_steps=40"}), "has already trained 80 steps");
    check_refused(tell_toy({"resume", more, "--set", "size=2"}),
                  "--set: a resumed run cannot change size. It can change: num_steps");
}

TEST_CASE("of a damaged checkpoint the one before it is used, with a sentence") {
    const Scratch scratch;
    const std::string run = (scratch / "r").string();
    CHECK(tell_toy({"run", "toy", "--out", run}).code == kDone);
    REQUIRE(fs::exists(scratch / "r" / kOlderCheckpointFile));
    const std::string weights = slurp(scratch / "r/weights.npz");
    const std::string sound = slurp(scratch / "r" / kCheckpointFile);
    spit(scratch / "r" / kCheckpointFile, sound.substr(0, sound.size() / 2));
    const Told resumed = check_done(tell_toy({"resume", run}));
    check_holds(resumed.err, {"checkpoint.npz: ", "using the previous one, checkpoint-before.npz"});
    CHECK(slurp(scratch / "r/weights.npz") == weights);

    fs::create_directories(scratch / "empty");
    check_refused(tell_toy({"resume", (scratch / "empty").string()}),
                  "holds no checkpoint.npz. Name the folder of a run");
    CHECK(holds(tell_toy({"resume", (scratch / "nowhere").string()}).err, "there is no such folder"));
}

TEST_CASE("run names the command for a saved run") {
    const Scratch scratch;
    const std::string folder = (scratch / "r").string();
    CHECK(tell_toy({"run", "toy", "--out", folder}).code == kDone);
    CHECK(tell_toy({"run", folder}).err ==
          "emergence-cli: " + folder + ": is a saved run. Resume it with: emergence-cli resume " + folder + "\n");
}

TEST_CASE("a run is resumed as the first command asked: moments, autosave, page, dots, caption, the preset's plots") {
    const Scratch scratch;
    const std::string cut = (scratch / "cut").string(), whole = (scratch / "whole").string();
    const std::vector<std::string> page = {"--width",   "3.4in", "--dpi",      "80", "--no-caption",
                                           "--moments", "3",     "--autosave", "7"};
    const auto run = [&](const std::string& out, bool stop) {
        return tell_toy(with_words({"run", "toy", "--out", out}, page), stop).code;
    };
    CHECK(run(cut, true) == kFailure);
    CHECK(run(whole, false) == kDone);
    CHECK(tell_toy({"resume", cut}).code == kDone);
    CHECK(contents_of(cut) == contents_of(whole));
    // A second time, by what the resuming session noted.
    CHECK(tell_toy({"resume", cut}).code == kDone);
    CHECK(contents_of(cut) == contents_of(whole));
    const PageFormat again = page_in(cut);
    CHECK(again.width_inches == 3.4);
    CHECK(again.dots_per_inch == 80);
    CHECK_FALSE(again.caption);
    CHECK(last_session_in(cut).moments == 3);
    CHECK(last_session_in(cut).autosave == 7.0);
    CHECK(find_checkpoint(cut).checkpoint.moments.size() <= 3);
    ProvenanceSession session;
    session.stage = {"map", "a \"b\""};
    session.width = "no width";
    Provenance(scratch.path(), false).write(session);
    CHECK(last_session_in(scratch.path()).stage == session.stage);
    CHECK(page_in(scratch.path()) == PageFormat{});
}

TEST_CASE("an edited config is told, and not written over") {
    const Scratch scratch;
    const std::string cut = (scratch / "cut").string();
    CHECK(tell_toy({"run", "toy", "--out", cut}, true).code == kFailure);
    std::string config = slurp(scratch / "cut/config.toml");
    const size_t at = config.find("size = ");
    REQUIRE(at != std::string::npos);
    config.replace(at, config.find('\n', at) - at, "size = 6");
    spit(scratch / "cut/config.toml", config);
    check_refused(tell_toy({"resume", cut}), "was edited: size is 6, but the run was trained with ");
    CHECK(slurp(scratch / "cut/config.toml") == config);
}

TEST_CASE("two values for one setting are refused, whichever options say them") {
    const Scratch scratch;
    const std::string out = (scratch / "a").string();
    const std::vector<std::vector<std::string>> contradictions = {{"td", "--seeds", "1", "--set", "seeds=3"},
                                                                  {"regression", "--set", "seeds=3", "--seeds", "1"},
                                                                  {"td", "--set", "gamma=0.1", "gamma=0.2"},
                                                                  {"td", "--seed", "4", "--set", "seed=5"}};
    for (const std::vector<std::string>& words : contradictions) {
        check_refused(tell(with_words({"run", "--out", out}, words), experiments()), "given both as");
    }
    CHECK_FALSE(fs::exists(out));
    CHECK(tell_toy({"run", "toy", "--set", "learning_rate=0.1", "learning_rate=0.1", "--out", out}).code == kDone);
}

}  // namespace emergence::cli
