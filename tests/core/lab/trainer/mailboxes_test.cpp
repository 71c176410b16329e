#include "core/lab/trainer/trainer.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

using namespace emergence;

TEST_SUITE_BEGIN("threads");

namespace {

// Restarts by name, the others by letter: "a P b" is Restart a, Pause, Restart b.
std::string letters(const std::vector<Command>& commands) {
    std::string text;
    for (const Command& command : commands)
        if (const auto* restart = std::get_if<Restart>(&command))
            text += restart->experiment;
        else
            text += "RPO?LVT"[command.index()];
    return text;
}

std::vector<Command> commands_of(const std::string& text) {
    const std::map<char, Command> by_letter = {{'R', Resume{}},  {'P', Pause{}},   {'O', StepOnce{}},
                                               {'L', SetLive{}}, {'V', SetPace{}}, {'T', SetThreads{}}};
    std::vector<Command> commands;
    for (const char c : text)
        if (const auto found = by_letter.find(c); found != by_letter.end())
            commands.push_back(found->second);
        else
            commands.emplace_back(Restart{.experiment = std::string(1, c), .settings = {}});
    return commands;
}

std::string thinned(const std::string& text) { return letters(without_superseded(commands_of(text))); }

std::shared_ptr<const Snapshot> snapshot_at(int64_t step) {
    Snapshot snapshot;
    snapshot.step = step;
    return std::make_shared<const Snapshot>(std::move(snapshot));
}

std::vector<MetricRow> rows_at(int64_t step) { return {{0, step, {1.0}}, {1, step, {2.0}}}; }

void begin_run(Outbox& outbox, uint64_t number, std::shared_ptr<const SnapshotHistory> moments = nullptr,
               std::optional<LeftRun> left = {}) {
    outbox.begin_run({snapshot_at(0), std::move(moments), rows_at(0), number, nullptr}, std::move(left));
}

}  // namespace

TEST_CASE("of restarts that follow each other the last one is left") {
    CHECK(thinned("") == "");
    CHECK(thinned("abc") == "c");
    CHECK(thinned("RaPbVcT") == "RPVcT");
    CHECK(thinned("aLbc") == "aLc");
    CHECK(thinned("abLc") == "bLc");
    CHECK(thinned("LabR") == "LbR");
}

TEST_CASE("snapshots may be lost, rows are not") {
    Outbox outbox;
    CHECK(outbox.take().run_number == 0);
    begin_run(outbox, 1);
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
    Outbox outbox;
    begin_run(outbox, 1);
    outbox.push(rows_at(10));
    begin_run(outbox, 2);
    const Published published = outbox.take();
    CHECK(published.run_number == 2);
    CHECK(published.rows == rows_at(0));
}

TEST_CASE("a run that is left comes with the rows that nobody had taken, once") {
    Outbox outbox;
    begin_run(outbox, 1);
    outbox.take();
    outbox.push(rows_at(10));
    begin_run(outbox, 2, nullptr, LeftRun{});
    const Published published = outbox.take();
    REQUIRE(published.left.size() == 1);
    CHECK(published.left[0].rows == rows_at(10));
    CHECK(published.rows == rows_at(0));
    CHECK(outbox.take().left.empty());
}

TEST_CASE("moments come with the snapshot they end with, once") {
    Outbox outbox;
    const auto moments = std::make_shared<const SnapshotHistory>();
    begin_run(outbox, 1, moments);
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
    Outbox outbox;
    for (const char* text : {"a", "a", "b", "a"}) outbox.notify(text);
    CHECK(outbox.take_notices().size() == 3);
    outbox.notify("a");
    CHECK(outbox.take_notices().size() == 1);
    CHECK(outbox.take_notices().empty());
}

TEST_SUITE_END();
