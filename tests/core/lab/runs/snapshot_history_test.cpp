#include "core/lab/runs/run.h"

#include <doctest/doctest.h>

using namespace emergence;

namespace {

SnapshotHistory::Moment moment(int64_t step, size_t doubles = 0) {
    Snapshot snapshot;
    snapshot.step = step;
    if (doubles > 0) snapshot.weights["w"] = {{doubles}, std::vector<double>(doubles)};
    return std::make_shared<const Snapshot>(std::move(snapshot));
}

std::vector<int64_t> steps(const SnapshotHistory& history) {
    std::vector<int64_t> all;
    for (const auto& one : history.moments()) all.push_back(one->step);
    return all;
}

}  // namespace

TEST_CASE("moments stay evenly spaced as a run grows") {
    SnapshotHistory history(10, 6);
    for (int64_t step = 0; step <= 60; step += 10) history.add(moment(step));
    CHECK(history.stride() == 20);
    CHECK(steps(history) == std::vector<int64_t>{0, 20, 40, 60});
    CHECK(history.next_after(60) == 80);
    for (int64_t step = 80; step <= 120; step += 20) history.add(moment(step));
    CHECK(steps(history) == std::vector<int64_t>{0, 40, 80, 120});
}

TEST_CASE("the newest moment is there wherever it is, and goes when it is passed") {
    SnapshotHistory history(10);
    history.add(moment(0));
    history.add(moment(7));
    CHECK(steps(history) == std::vector<int64_t>{0, 7});
    history.add(moment(9));
    CHECK(steps(history) == std::vector<int64_t>{0, 9});
    history.add(moment(10));
    history.add(moment(13));
    CHECK(steps(history) == std::vector<int64_t>{0, 10, 13});
    const auto again = moment(13);
    history.add(again);
    CHECK(history.moments().back() == again);
    CHECK(steps(history) == std::vector<int64_t>{0, 10, 13});
}

TEST_CASE("what is kept depends on the steps alone, not on who looked in between") {
    SnapshotHistory regular(10, 16);
    SnapshotHistory looked_at(10, 16);
    for (int64_t step = 0; step <= 5000; ++step) {
        if (step % 10 == 0) regular.add(moment(step));
        if (step % 10 == 0 || step % 7 == 3) looked_at.add(moment(step));
    }
    CHECK(steps(regular) == steps(looked_at));
}

TEST_CASE("memory is bounded in a run of a million steps, in number and in bytes") {
    SnapshotHistory history(1);
    for (int64_t step = 0; step <= 1'000'000; ++step) history.add(moment(step));
    CHECK(history.moments().size() <= 256);
    CHECK(history.moments().size() > 120);
    CHECK(history.moments().front()->step == 0);
    CHECK(history.moments().back()->step == 1'000'000);
    for (size_t i = 2; i + 1 < history.moments().size(); ++i)
        CHECK(history.moments()[i]->step - history.moments()[i - 1]->step == history.stride());

    SnapshotHistory heavy(1, 256, 100'000);
    for (int64_t step = 0; step <= 1000; ++step) {
        heavy.add(moment(step, 1000));
        REQUIRE(heavy.bytes() <= 100'000);
    }
    CHECK(heavy.moments().size() >= 5);
    CHECK(heavy.bytes() >= 8000 * heavy.moments().size());
    SnapshotHistory too_heavy(1, 256, 10);
    for (int64_t step = 0; step <= 100; ++step) too_heavy.add(moment(step));
    CHECK(steps(too_heavy) == std::vector<int64_t>{0, 100});
}

TEST_CASE("the nearest moment is found") {
    SnapshotHistory history(10, 4);
    CHECK(history.nearest(5) == nullptr);
    for (int64_t step = 0; step <= 100; step += 10) history.add(moment(step));
    CHECK(history.nearest(-5)->step == 0);
    CHECK(history.nearest(20)->step == 0);
    CHECK(history.nearest(21)->step == 40);
    CHECK(history.nearest(1000)->step == 100);
}
