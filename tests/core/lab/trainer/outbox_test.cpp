#include "core/lab/trainer/outbox.h"

#include <doctest/doctest.h>

using namespace emergence;

namespace {

std::shared_ptr<const Snapshot> snapshot_at(int64_t step) {
    Snapshot snapshot;
    snapshot.step = step;
    return std::make_shared<const Snapshot>(std::move(snapshot));
}

std::vector<MetricRow> rows_at(int64_t step) { return {{0, step, {1.0}}, {1, step, {2.0}}}; }

}  // namespace

TEST_CASE("snapshots may be lost, rows are not") {
    LockMeter meter;
    Outbox outbox(meter);
    CHECK(outbox.take().run_number == 0);
    outbox.begin_run(1, nullptr, rows_at(0), snapshot_at(0), nullptr);
    outbox.push(rows_at(10));
    outbox.publish(snapshot_at(10));
    outbox.push(rows_at(20));
    outbox.publish(snapshot_at(20));
    const Published first = outbox.take();
    CHECK(first.run_number == 1);
    REQUIRE(first.snapshot);
    CHECK(first.snapshot->step == 20);
    REQUIRE(first.rows.size() == 6);
    CHECK(first.rows[5].step == 20);
    const Published second = outbox.take();
    CHECK_FALSE(second.snapshot);
    CHECK(second.rows.empty());
    CHECK(second.run_number == 1);
}

TEST_CASE("a new run drops what is left of the old one") {
    LockMeter meter;
    Outbox outbox(meter);
    outbox.begin_run(1, nullptr, rows_at(0), snapshot_at(0), nullptr);
    outbox.push(rows_at(10));
    outbox.begin_run(2, nullptr, rows_at(0), snapshot_at(0), nullptr);
    const Published published = outbox.take();
    CHECK(published.run_number == 2);
    CHECK(published.rows == rows_at(0));
}

TEST_CASE("a run that is left comes with the rows that nobody had taken, once") {
    LockMeter meter;
    Outbox outbox(meter);
    outbox.begin_run(1, nullptr, rows_at(0), snapshot_at(0), nullptr);
    outbox.take();
    outbox.push(rows_at(10));
    outbox.begin_run(2, nullptr, rows_at(0), snapshot_at(0), nullptr, LeftRun{});
    const Published published = outbox.take();
    REQUIRE(published.left.size() == 1);
    REQUIRE(published.left[0].rows.size() == 1);
    CHECK(published.left[0].rows[0] == rows_at(10));
    CHECK(published.rows == rows_at(0));
    CHECK(outbox.take().left.empty());
}

TEST_CASE("moments come with the snapshot they end with, once") {
    LockMeter meter;
    Outbox outbox(meter);
    const auto moments = std::make_shared<const SnapshotHistory>();
    outbox.begin_run(1, nullptr, rows_at(0), snapshot_at(0), moments);
    outbox.publish(snapshot_at(5));
    CHECK(outbox.take().moments == moments);
    CHECK(outbox.take().moments == nullptr);
    const auto more = std::make_shared<const SnapshotHistory>();
    outbox.publish(snapshot_at(10), more);
    outbox.publish(snapshot_at(12));
    const Published published = outbox.take();
    CHECK(published.moments == more);
    CHECK(published.snapshot->step == 12);
}

TEST_CASE("a repeated notice is said once") {
    LockMeter meter;
    Outbox outbox(meter);
    for (const char* text : {"a", "a", "b", "a"}) outbox.notify({text});
    CHECK(outbox.take_notices().size() == 3);
    outbox.notify({"a"});
    CHECK(outbox.take_notices().size() == 1);
    CHECK(outbox.take_notices().empty());
}
