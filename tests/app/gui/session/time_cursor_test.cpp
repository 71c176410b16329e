#include "app/gui/session/time_cursor.h"

#include <doctest/doctest.h>

using namespace emergence;

namespace {

SnapshotHistory moments_until(int64_t end) {
    SnapshotHistory history(10);
    for (int64_t step = 0; step <= end; step += 10) {
        Snapshot snapshot;
        snapshot.step = step;
        history.add(std::make_shared<const Snapshot>(std::move(snapshot)));
    }
    return history;
}

}  // namespace

TEST_CASE("the newest moment is the live one") {
    const SnapshotHistory moments = moments_until(100);
    TimeCursor time;
    CHECK(time.live());
    time.show(43, moments);
    CHECK(time.step() == 40);
    time.show(96, moments);
    CHECK(time.live());
    time.show(-5, moments);
    CHECK(time.step() == 0);
    time.show(50, SnapshotHistory());
    CHECK(time.live());
}

TEST_CASE("back and forth by moments, over the newest to live") {
    const SnapshotHistory moments = moments_until(100);
    TimeCursor time;
    time.move(1, moments);
    CHECK(time.live());
    time.move(-1, moments);
    CHECK(time.step() == 90);
    time.move(-20, moments);
    CHECK(time.step() == 0);
    time.move(3, moments);
    CHECK(time.step() == 30);
    time.move(7, moments);
    CHECK(time.live());
}

TEST_CASE("playing goes through the whole run in ten seconds, faster or slower when asked, and ends live") {
    const SnapshotHistory moments = moments_until(100);
    TimeCursor time;
    time.play(moments);
    CHECK(time.step() == 0);
    time.advance(5.0, moments);
    CHECK(time.step() == 50);
    time.next_speed();
    time.advance(1.0, moments);
    CHECK(time.step() == 70);
    time.stop();
    time.advance(10.0, moments);
    CHECK(time.step() == 70);
    time.play(moments);
    time.advance(1.6, moments);
    CHECK(time.live());
    CHECK_FALSE(time.playing());
    time.play(moments_until(0));
    CHECK_FALSE(time.playing());
}
