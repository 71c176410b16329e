#include "app/gui/session/past.h"

#include <doctest/doctest.h>

#include "tests/support/toy_study.h"

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

TEST_CASE("back and forth by moments, of which the newest is the live one") {
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

TEST_CASE("playing goes through the whole run in ten seconds, and ends live") {
    const SnapshotHistory moments = moments_until(100);
    TimeCursor time;
    time.play(moments);
    CHECK(time.step() == 0);
    time.advance(5.0, moments);
    CHECK(time.step() == 50);
    time.advance(2.0, moments);
    CHECK(time.step() == 70);
    time.stop();
    time.advance(10.0, moments);
    CHECK(time.step() == 70);
    time.play(moments);
    time.advance(3.1, moments);
    CHECK(time.live());
    CHECK_FALSE(time.playing());
    time.play(moments_until(0));
    CHECK_FALSE(time.playing());
}

using namespace emergence::testing;

namespace {

Setup with(const std::vector<std::string>& changes) { return {&toy_info(), toy_settings(changes), {}}; }

}  // namespace

TEST_CASE("undo goes back step by step, redo forth again, and a new change forgets what was undone") {
    UndoList list;
    CHECK_FALSE(list.undo(with({})));
    list.note(with({}), "");
    list.note(with({"size=4"}), "");
    Setup now = with({"size=5"});
    CHECK(*list.next_undo() == with({"size=4"}));
    now = *list.undo(now);
    CHECK(now == with({"size=4"}));
    now = *list.undo(now);
    CHECK(now == with({}));
    CHECK_FALSE(list.undo(now));
    now = *list.redo(now);
    CHECK(now == with({"size=4"}));
    list.note(now, "");
    CHECK(list.next_redo() == nullptr);
    CHECK(*list.undo(with({"size=6"})) == with({"size=4"}));
}

TEST_CASE(
    "a drag is one step, another field or another drag is another, and one that ends where it began is "
    "none") {
    UndoList list;
    list.note(with({}), "size");
    list.note(with({"size=4"}), "size");
    list.note(with({"size=5"}), "size");
    list.end_gesture(with({"size=6"}));
    list.note(with({"size=6"}), "size");
    list.note(with({"size=7"}), "num_seeds");
    CHECK(*list.undo(with({"size=7", "num_seeds=2"})) == with({"size=7"}));
    CHECK(*list.undo(with({"size=7"})) == with({"size=6"}));
    CHECK(*list.undo(with({"size=6"})) == with({}));

    list.note(with({}), "size");
    list.end_gesture(with({}));
    CHECK(list.next_undo() == nullptr);
}

TEST_CASE("the list is bounded") {
    UndoList list;
    for (int i = 0; i < 1000; ++i) list.note(with({"seed=" + std::to_string(i)}), "");
    Setup now = with({"seed=1000"});
    size_t steps = 0;
    while (const auto back = list.undo(now)) {
        now = *back;
        ++steps;
    }
    CHECK(steps == UndoList::kMostSteps);
    CHECK(now == with({"seed=800"}));
}

TEST_CASE("a step is named by what it changes") {
    CHECK(change_text(with({"size=4"}), with({})) == "size 4 → 3");
    CHECK(change_text(with({"size=4", "seed=3"}), with({})) == "2 settings");
    Setup b = with({});
    b.difference = Difference{"size", int64_t{5}};
    CHECK(change_text(with({}), b) == "B with size 5");
    CHECK(change_text(b, with({})) == "close B");
}
