#include "core/files/folder_lock.h"

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/failing_calls.h"
#include "tests/support/scratch.h"

namespace emergence::folder_lock_test {

namespace {

// This machine has no process 0.
std::string dead_owner() {
    std::string dead = this_process();
    const size_t pid = dead.find(" " + std::to_string(::getpid()) + " ");
    REQUIRE(pid != std::string::npos);
    return dead.replace(pid, std::string::npos, " 0 1\n");
}

}  // namespace

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
    testing::spit(scratch / kLockFile, "another machine 12 34\n");
    CHECK_FALSE(FolderLock::take(scratch.path()));
}

TEST_CASE("without the system's locks, of many that find a dead owner's file one alone takes the folder") {
    const testing::FailingCalls none(testing::SystemCall::flock, 1, EOPNOTSUPP, true);
    constexpr int kProcesses = 8, kRounds = 200;
    struct Shared {
        std::atomic<int> ready[kRounds], tried[kRounds], taken[kRounds];
    };
    void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(memory != MAP_FAILED);
    auto& shared = *new (memory) Shared();
    const testing::Scratch scratch;
    const std::string dead = dead_owner();
    for (int round = 0; round < kRounds; ++round) {
        const std::filesystem::path folder = scratch / std::to_string(round);
        std::filesystem::create_directory(folder);
        testing::spit(folder / kLockFile, dead);
    }
    std::vector<pid_t> children;
    for (int i = 0; i < kProcesses; ++i) {
        children.push_back(::fork());
        if (children.back() != 0) continue;
        for (int round = 0; round < kRounds; ++round) {
            ++shared.ready[round];
            while (shared.ready[round] < kProcesses) std::this_thread::yield();
            const auto mine = FolderLock::take(scratch / std::to_string(round));
            if (mine && mine->holds(scratch / std::to_string(round))) ++shared.taken[round];
            ++shared.tried[round];
            while (shared.tried[round] < kProcesses) std::this_thread::yield();
        }
        ::_exit(0);
    }
    for (const pid_t child : children) ::waitpid(child, nullptr, 0);
    for (int round = 0; round < kRounds; ++round) {
        CHECK(shared.taken[round] == 1);
        CHECK(testing::count_entries(scratch / std::to_string(round)) <= 1);  // nobody leaves a file of the race
    }
    ::munmap(memory, sizeof(Shared));
}

TEST_CASE("without the system's locks a file whose name was cut is free after seconds") {
    const testing::FailingCalls none(testing::SystemCall::flock, 1, EOPNOTSUPP, true);
    const testing::Scratch scratch;
    const std::string name = this_process() + '\n';
    for (const size_t length : {size_t{0}, name.size() / 2, name.size() - 1}) {
        testing::spit(scratch / kLockFile, name.substr(0, length));
        CHECK_FALSE(FolderLock::take(scratch.path()));
        std::filesystem::last_write_time(scratch / kLockFile,
                                         std::filesystem::file_time_type::clock::now() - std::chrono::seconds(10));
        CHECK(FolderLock::take(scratch.path()));
    }
}

}  // namespace emergence::folder_lock_test
