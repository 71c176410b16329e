#include "core/lab/jobs/job_owners.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <thread>
#include <vector>

#include "tests/support/scratch.h"

namespace emergence {
namespace {

using testing::Scratch;
using namespace std::chrono_literals;

}  // namespace

TEST_CASE("a job has one owner, until it is released") {
    const Scratch scratch;
    JobOwners one(scratch / "owners", "somewhere 1 1"), other(scratch / "owners", "somewhere 2 2");
    CHECK(one.take("n=5"));
    CHECK_FALSE(other.take("n=5"));
    CHECK(other.take("n=6"));
    CHECK(one.count_living() == 2);
    one.release("n=5");
    CHECK(other.take("n=5"));
    one.release("n=5");  // not its own any more
    CHECK_FALSE(one.take("n=5"));
}

TEST_CASE("an owner that gives no sign of life is lost, and takes nothing back") {
    const Scratch scratch;
    JobOwners lost(scratch / "owners", "somewhere 1 1"),
        next(scratch / "owners", "somewhere 2 2", std::chrono::seconds(0));
    CHECK(lost.take("n=5"));
    std::this_thread::sleep_for(2100ms);  // times of files are compared in seconds
    CHECK(next.count_living() == 0);
    CHECK(next.take("n=5"));
    CHECK(next.is_taken_over("n=5"));
    CHECK_FALSE(lost.is_taken_over("n=5"));
    lost.release("n=5");
    CHECK(lost.count_living() == 1);
}

TEST_CASE("the jobs of a process that has ended are free at once") {
    const Scratch scratch;
    const pid_t child = ::fork();
    if (child == 0) {
        JobOwners owners(scratch / "owners");
        ::_exit(owners.take("n=5") ? 0 : 1);
    }
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(status == 0);
    REQUIRE(testing::count_entries(scratch / "owners") == 1);
    {
        JobOwners owners(scratch / "owners");
        CHECK(owners.take("n=5"));
    }
    CHECK_FALSE(std::filesystem::exists(scratch / "owners"));
}

TEST_CASE("what ended and nameless owners have left is removed by the next one that looks, the rest stays") {
    const Scratch scratch;
    const auto leave = [&](const char* name, const std::string& text) {
        std::filesystem::create_directories(scratch / "owners");
        testing::spit(scratch / "owners" / name, text);
        std::filesystem::last_write_time(scratch / "owners" / name,
                                         std::filesystem::file_time_type::clock::now() - 20s);
    };
    std::string dead = this_process();
    dead.replace(dead.find(" " + std::to_string(::getpid()) + " "), std::string::npos, " 0 1\n");
    leave("0123", dead);
    leave("now-4567", "");
    leave("89ab", "");
    leave("cdef", "another machine 1 2\n");
    { const JobOwners next(scratch / "owners"); }
    CHECK(testing::count_entries(scratch / "owners") == 1);
    std::filesystem::remove(scratch / "owners/cdef");
    { const JobOwners next(scratch / "owners"); }
    CHECK_FALSE(std::filesystem::exists(scratch / "owners"));
}

TEST_CASE("an owner that was killed before it had written its name is lost after seconds") {
    for (const char* text : {"", "somewh", "somewhere 1 1"}) {
        const Scratch scratch;
        JobOwners one(scratch / "owners", "somewhere 1 1"), next(scratch / "owners", "somewhere 2 2");
        CHECK(one.take("n=5"));
        const auto file = std::filesystem::directory_iterator(scratch / "owners")->path();
        testing::spit(file, text);
        CHECK_FALSE(next.take("n=5"));
        std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - 10s);
        CHECK(next.take("n=5"));
    }
}

TEST_CASE("of many processes that want the same jobs each gets its own") {
    const Scratch scratch;
    constexpr int kProcesses = 4, kCells = 200;
    std::vector<pid_t> children;
    for (int i = 0; i < kProcesses; ++i) {
        const pid_t child = ::fork();
        if (child == 0) {
            JobOwners owners(scratch / "owners");
            int mine = 0;
            for (int job = 0; job < kCells; ++job) mine += owners.take(std::to_string(job)) ? 1 : 0;
            testing::spit(scratch / ("done" + std::to_string(i)), std::to_string(mine));
            // Nobody leaves before all have tried every job.
            for (int k = 0; k < kProcesses; ++k)
                while (!std::filesystem::exists(scratch / ("done" + std::to_string(k))))
                    std::this_thread::sleep_for(5ms);
            ::_exit(0);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) ::waitpid(child, nullptr, 0);
    int all = 0;
    for (int i = 0; i < kProcesses; ++i)
        all += std::stoi(testing::slurp(scratch / ("done" + std::to_string(i))));
    CHECK(all == kCells);
}

}  // namespace emergence
