#include "core/files/folder_lock.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "core/files/process_name.h"
#include "tests/support/failing_calls.h"
#include "tests/support/scratch.h"

namespace emergence::folder_lock_test {

TEST_CASE("a folder is one's own until it is let go") {
    const testing::Scratch scratch;
    std::optional<FolderLock> mine = FolderLock::take(scratch.path());
    REQUIRE(mine);
    CHECK_FALSE(FolderLock::take(scratch.path()));
    std::optional<FolderLock> moved = std::move(mine);
    mine.reset();
    CHECK_FALSE(FolderLock::take(scratch.path()));
    moved.reset();
    CHECK(FolderLock::take(scratch.path()));
    CHECK_FALSE(FolderLock::take(scratch / "nowhere"));
}

TEST_CASE("a folder is taken over with its files, and its former owner notices") {
    const testing::Scratch scratch;
    const std::filesystem::path folder = scratch / "run";
    std::filesystem::create_directory(folder);
    testing::spit(folder / "checkpoint.npz", "state");
    const auto stopped = FolderLock::take(folder);
    REQUIRE(stopped);
    CHECK(stopped->holds(folder));
    const auto mine = FolderLock::take_over(folder);
    REQUIRE(mine);
    CHECK(mine->holds(folder));
    CHECK_FALSE(stopped->holds(folder));
    CHECK_FALSE(FolderLock::take(folder));
    CHECK(testing::slurp(folder / "checkpoint.npz") == "state");
    CHECK(testing::count_entries(scratch.path()) == 1);
}

TEST_CASE("a take-over is one rename: before it and after it no file has moved") {
    const testing::Scratch scratch;
    for (const bool fails : {true, false}) {
        const std::filesystem::path folder = scratch / (fails ? "before" : "after");
        std::filesystem::create_directory(folder);
        testing::spit(folder / "checkpoint.npz", "state");
        const auto stopped = FolderLock::take(folder);
        REQUIRE(stopped);
        const testing::FailingCalls fault(testing::SystemCall::rename, fails ? 1 : 2, EIO);
        const auto mine = FolderLock::take_over(folder);
        CHECK(mine.has_value() == !fails);
        CHECK(fault.count() == 1);
        CHECK(stopped->holds(folder) == fails);
        CHECK(testing::slurp(folder / "checkpoint.npz") == "state");
        CHECK(testing::count_entries(folder) == (fails ? 1 : 2));
    }
    CHECK(testing::count_entries(scratch.path()) == 2);
}

TEST_CASE("the one that took a folder over may die, and the stopped one never has it back") {
    const testing::Scratch scratch;
    std::optional<FolderLock> stopped = FolderLock::take(scratch.path());
    REQUIRE(stopped);
    // What one that took it over and was killed has left: this machine has no process 0.
    std::string dead = this_process();
    const size_t pid = dead.find(" " + std::to_string(::getpid()) + " ");
    REQUIRE(pid != std::string::npos);
    dead.replace(pid, std::string::npos, " 0 1");
    testing::spit(scratch / kLockFile, dead);
    CHECK_FALSE(stopped->holds(scratch.path()));
    {
        const auto next = FolderLock::take(scratch.path());
        REQUIRE(next);
        CHECK(next->holds(scratch.path()));
        CHECK_FALSE(FolderLock::take(scratch.path()));
    }
    CHECK_FALSE(stopped->holds(scratch.path()));
    stopped.reset();
    const auto last = FolderLock::take(scratch.path());
    REQUIRE(last);
    CHECK(last->holds(scratch.path()));
    CHECK(testing::count_entries(scratch.path()) == 0);
}

TEST_CASE("a lock knows where its folder has gone") {
    const testing::Scratch scratch;
    std::filesystem::create_directory(scratch / "run");
    const auto mine = FolderLock::take(scratch / "run");
    REQUIRE(mine);
    CHECK(mine->place() == std::filesystem::canonical(scratch / "run"));
    std::filesystem::rename(scratch / "run", scratch / "renamed");
    CHECK_FALSE(mine->holds(scratch / "run"));
    CHECK(mine->place() == std::filesystem::canonical(scratch / "renamed"));
    std::filesystem::remove(scratch / "renamed");
    CHECK_FALSE(mine->holds(scratch / "renamed"));
    CHECK_FALSE(mine->place());
}

TEST_CASE("without the system's locks a file names the owner; a dead one's is free") {
    const testing::Scratch scratch;
    const testing::FailingCalls none(testing::SystemCall::flock, 1, EOPNOTSUPP, true);
    std::optional<FolderLock> mine = FolderLock::take(scratch.path());
    REQUIRE(mine);
    CHECK(mine->holds(scratch.path()));
    CHECK_FALSE(FolderLock::take(scratch.path(), std::chrono::milliseconds(120)));
    mine.reset();
    CHECK(testing::count_entries(scratch.path()) == 0);
    testing::spit(scratch / kLockFile, "another machine 12 34");
    CHECK_FALSE(FolderLock::take(scratch.path()));
    const auto taken = FolderLock::take_over(scratch.path());
    REQUIRE(taken);
    CHECK(taken->holds(scratch.path()));
}

}  // namespace emergence::folder_lock_test
