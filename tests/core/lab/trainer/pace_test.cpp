#include "core/lab/trainer/trainer.h"

#include <doctest/doctest.h>

#include <limits>

using namespace emergence;

TEST_SUITE_BEGIN("threads");

TEST_CASE("a pace of 0 allows everything, at once") {
    Pace pace;
    CHECK(pace.allowance(0.0) == std::numeric_limits<int64_t>::max());
    pace.spend(1'000'000);
    CHECK(pace.seconds_to_wait(0.0) == 0.0);
}

TEST_CASE("one step a second") {
    Pace pace;
    pace.set_rate(1.0, 100.0);
    pace.restart(100.0);
    CHECK(pace.allowance(100.0) == 0);
    CHECK(pace.seconds_to_wait(100.25) == doctest::Approx(0.75));
    CHECK(pace.allowance(101.0) == 1);
    pace.spend(1);
    CHECK(pace.allowance(101.5) == 0);
    CHECK(pace.seconds_to_wait(101.5) == doctest::Approx(0.5));
}

TEST_CASE("waking up late loses nothing, a long stall is not caught up with") {
    Pace pace;
    pace.set_rate(10.0, 0.0);
    pace.restart(0.0);
    int64_t taken = 0;
    for (int i = 1; i <= 100; ++i) {
        const int64_t steps = pace.allowance(0.13 * i);
        pace.spend(steps);
        taken += steps;
    }
    CHECK(taken == 130);
    CHECK(pace.allowance(1000.0) == 2);  // a quarter of a second's worth
}

TEST_CASE("fast paces come in batches of a few milliseconds") {
    Pace pace;
    pace.set_rate(1000.0, 0.0);
    pace.restart(0.0);
    CHECK(pace.allowance(0.005) == 0);
    CHECK(pace.seconds_to_wait(0.005) == doctest::Approx(0.003));
    CHECK(pace.allowance(0.0085) == 8);
}

TEST_CASE("waiting for as long as it says is enough") {
    for (const double rate : {0.3, 1.0, 7.0, 270.0, 12345.6}) {
        Pace pace;
        pace.set_rate(rate, 0.0);
        pace.restart(0.0);
        double now = 0.0;
        for (int i = 0; i < 1000; ++i) {
            now += pace.seconds_to_wait(now);
            const int64_t steps = pace.allowance(now);
            REQUIRE(steps > 0);
            pace.spend(steps);
        }
    }
}

TEST_CASE("a changed pace keeps what was earned") {
    Pace pace;
    pace.set_rate(1.0, 0.0);
    pace.restart(0.0);
    pace.set_rate(4.0, 0.5);
    CHECK(pace.seconds_to_wait(0.5) == doctest::Approx(0.125));
    pace.set_rate(0.0, 0.6);
    CHECK(pace.seconds_to_wait(0.6) == 0.0);
}

TEST_CASE("a chunk grows to the wanted time and shrinks again") {
    ChunkSize chunk(0.010);
    CHECK(chunk.steps() == 1);
    for (int i = 0; i < 20; ++i) {
        const int64_t before = chunk.steps();
        chunk.measured(before, 1e-4 * static_cast<double>(before));
        CHECK(chunk.steps() <= 2 * before);
    }
    CHECK(chunk.steps() == doctest::Approx(100).epsilon(0.02));
    for (int i = 0; i < 20; ++i) chunk.measured(chunk.steps(), 1e-3 * static_cast<double>(chunk.steps()));
    CHECK(chunk.steps() == doctest::Approx(10).epsilon(0.1));
    for (int i = 0; i < 20; ++i) chunk.measured(chunk.steps(), 0.5 * static_cast<double>(chunk.steps()));
    CHECK(chunk.steps() == 1);
    const int64_t before = chunk.steps();
    chunk.measured(0, 1.0);
    CHECK(chunk.steps() == before);
    for (int i = 0; i < 200; ++i) chunk.measured(chunk.steps(), 0.0);  // too fast to measure
    CHECK(chunk.steps() > 1000);
}

TEST_CASE("training time leaves pauses out") {
    TrainingClock clock;
    clock.start(10.0);
    clock.start(11.0);
    CHECK(clock.elapsed(12.0) == doctest::Approx(2.0));
    clock.stop(13.0);
    clock.stop(20.0);
    CHECK(clock.elapsed(100.0) == doctest::Approx(3.0));
    clock.start(100.0);
    CHECK(clock.elapsed(101.0) == doctest::Approx(4.0));
    clock.reset(101.0);
    CHECK(clock.elapsed(103.0) == doctest::Approx(2.0));
}

TEST_CASE("the rate is that of the last second of training") {
    TrainingClock clock;
    CHECK(clock.steps_per_second() == 0.0);
    clock.start(0.0);
    for (int i = 1; i <= 20; ++i) clock.reached(10 * i, 0.1 * i);  // 100 a second
    CHECK(clock.steps_per_second() == doctest::Approx(100.0));
    clock.stop(2.0);
    clock.start(50.0);
    for (int i = 1; i <= 20; ++i) clock.reached(200 + i, 50.0 + 0.1 * i);  // then 10 a second
    CHECK(clock.steps_per_second() == doctest::Approx(10.0));
    for (int i = 1; i <= 3; ++i) clock.reached(220 + i, 52.0 + 4.0 * i);  // then one in four seconds
    CHECK(clock.steps_per_second() == doctest::Approx(0.25));
}

TEST_CASE("a member of a convoy waits for none that has ended or left, and a place is used again") {
    Convoy convoy;
    const int a = convoy.join();
    CHECK(convoy.others(a).slowest == std::numeric_limits<int64_t>::max());
    CHECK(convoy.others(a).fastest == 0);
    const int b = convoy.join();
    CHECK(convoy.others(a).slowest == 0);
    convoy.report(a, 30, false);
    convoy.report(b, 20, false);
    CHECK(convoy.others(a).slowest == 20);
    CHECK(convoy.others(b).fastest == 30);
    convoy.report(b, 20, true);
    CHECK(convoy.others(a).slowest == std::numeric_limits<int64_t>::max());
    CHECK(convoy.others(a).fastest == 20);
    convoy.leave(b);
    CHECK(convoy.others(a).fastest == 0);
    CHECK(convoy.join() == b);
    CHECK(convoy.others(a).slowest == 0);
}

TEST_SUITE_END();
