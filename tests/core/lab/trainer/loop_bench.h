#pragma once
// A training loop in a test: on a clock that only moves when the loop is told to wait, or by hand.

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/lab/trainer/trainer.h"
#include "tests/support/toy_study.h"

namespace emergence::testing {

// A loop with its clock, its outbox and all that was published.
struct LoopBench {
    explicit LoopBench(const std::vector<std::string>& changes = {}, double pace = 0.0, bool run_now = true)
        : loop(options(pace), outbox, [this] { return now; }) {
        obey(Restart{.experiment = "toy", .settings = toy_settings(changes), .run_now = run_now});
    }

    Trainer::Options options(double pace) {
        Trainer::Options result;
        result.steps_per_second = pace;
        result.find_experiment = find_toy;
        result.on_publish = [this] { ++wakes; };
        return result;
    }

    template <class... Commands>
    void obey(Commands... commands) {
        loop.obey({Command(commands)...});
    }

    // The latest snapshot, with all rows of its run so far.
    const Snapshot& look() {
        Published published = outbox.take();
        if (published.run_number != run_number) rows.clear();
        run_number = published.run_number;
        rows.insert(rows.end(), published.rows.begin(), published.rows.end());
        if (published.snapshot) latest = published.snapshot;
        if (published.moments) moments = *published.moments;
        if (published.saved) saved = published.saved;
        return *latest;
    }
    RunState state() { return look().status.state; }

    // Turns, waiting as told, until the clock has gone on by `seconds` or the loop has nothing to do.
    void play(double seconds) {
        const double end = now + seconds;
        for (int i = 0; i < 100'000; ++i) {
            const double wait = loop.turn();
            if (now + wait > end) {
                now = end;
                return;
            }
            now += wait;
        }
        FAIL("the loop does not come to rest");
    }
    void play_to_rest() { play(1e9); }

    std::string notice() {
        const std::vector<std::string> notices = outbox.take_notices();
        return notices.empty() ? "" : notices.back();
    }

    double now = 1000.0;
    int wakes = 0;
    Outbox outbox;
    TrainingLoop loop;
    std::shared_ptr<const Snapshot> latest;
    SnapshotHistory moments;
    std::shared_ptr<const SavedRun> saved;
    std::vector<MetricRow> rows;
    uint64_t run_number = 0;
};

// What there is to be seen of a snapshot, its time and state left out.
inline bool same_picture(const Snapshot& a, const Snapshot& b) {
    bool same = a.step == b.step && a.settings == b.settings && a.seeds.size() == b.seeds.size() &&
                a.matrices.size() == b.matrices.size() && a.scalars.size() == b.scalars.size();
    for (size_t i = 0; same && i < a.seeds.size(); ++i)
        same = a.seeds[i].emerged_at == b.seeds[i].emerged_at && a.seeds[i].step == b.seeds[i].step;
    for (size_t i = 0; same && i < a.matrices.size(); ++i)
        for (size_t k = 0; k < a.matrices[i].seeds.size(); ++k)
            same = same && a.matrices[i].seeds[k].values == b.matrices[i].seeds[k].values;
    for (size_t i = 0; same && i < a.scalars.size(); ++i) same = a.scalars[i].value == b.scalars[i].value;
    return same;
}

inline SetLive set_live(const char* field, FieldValue value) { return {.field = field, .value = std::move(value)}; }

}  // namespace emergence::testing
