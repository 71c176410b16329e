#include "core/lab/jobs/thread_pool.h"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/base/error.h"

using namespace emergence;

TEST_SUITE_BEGIN("threads");

TEST_CASE("every job is done once, whatever the number of threads") {
    for (const int threads : {1, 2, 5}) {
        ThreadPool pool(threads);
        CHECK(pool.threads() == threads);
        for (int round = 0; round < 50; ++round) {
            std::vector<int> done(static_cast<size_t>(round), 0);
            pool.for_each(round, [&done](int i) { ++done[static_cast<size_t>(i)]; });
            CHECK(done == std::vector<int>(static_cast<size_t>(round), 1));
        }
    }
}

TEST_CASE("the first exception in the order of jobs comes out, after all jobs are done") {
    ThreadPool pool(3);
    std::atomic<int> done = 0;
    std::string message;
    try {
        pool.for_each(8, [&done](int i) {
            ++done;
            if (i == 2 || i == 5) throw std::runtime_error("job " + std::to_string(i));
        });
    } catch (const std::runtime_error& error) {
        message = error.what();
    }
    CHECK(message == "job 2");
    CHECK(done == 8);
    pool.for_each(2, [&done](int) { ++done; });  // and it still works
    CHECK(done == 10);
}

TEST_CASE("the number of threads can change between calls and is checked") {
    ThreadPool pool(1);
    for (const int threads : {4, 2, 1, 3}) {
        pool.set_threads(threads);
        CHECK(pool.threads() == threads);
        std::atomic<int> sum = 0;
        pool.for_each(10, [&sum](int i) { sum += i; });
        CHECK(sum == 45);
    }
    CHECK_THROWS_WITH_AS(pool.set_threads(0), doctest::Contains("threads: 0 is not"), InputError);
    CHECK_THROWS_WITH_AS(ThreadPool(-1), "threads: -1 is not a whole number from 1 to 256", InputError);
    CHECK(pool.threads() == 3);
}

TEST_SUITE_END();
