#include "core/lab/trainer/trainer.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "tests/support/toy_study.h"

using namespace emergence;
using namespace emergence::testing;

TEST_SUITE_BEGIN("threads");

namespace {

Trainer::Options options(int threads) {
    Trainer::Options result;
    result.threads = threads;
    result.find_experiment = find_toy;
    return result;
}

Restart toy(const std::vector<std::string>& changes = {}) {
    return {.experiment = "toy", .settings = toy_settings(changes)};
}

// The window's side: polls, keeps the history of the current run, and insists on what was promised.
class Watcher {
  public:
    explicit Watcher(Trainer& trainer) : trainer_(trainer) {}

    void poll() {
        const Published published = trainer_.poll();
        orderly_ = orderly_ && published.run_number >= run_number_;
        if (published.run_number != run_number_) {
            run_number_ = published.run_number;
            rows_.clear();
            latest_.reset();
        }
        for (const MetricRow& row : published.rows) take(row);
        if (!published.snapshot) return;
        const Snapshot& next = *published.snapshot;
        orderly_ = orderly_ && next.run_number == run_number_ && (!latest_ || next.step >= latest_->step);
        orderly_ = orderly_ && published.study != nullptr && all_rows_until(next);
        latest_ = published.snapshot;
    }

    // Polls until `done` says so; the limit only turns a hanging test into a failing one.
    template <class Done>
    bool wait(Done done) {
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        do {
            poll();
            if (latest_ && done(*latest_)) return true;
            std::this_thread::yield();
        } while (std::chrono::steady_clock::now() < limit);
        return false;
    }
    bool wait_for_state(RunState state) {
        return wait([state](const Snapshot& s) { return s.status.state == state; });
    }

    bool orderly() const { return orderly_; }
    const std::vector<MetricRow>& rows() const { return rows_; }
    uint64_t run_number() const { return run_number_; }

  private:
    // Each seed's rows are at 0, 10, 20, ...: none lost, none twice.
    void take(const MetricRow& row) {
        const auto [last, is_first] = last_step_.try_emplace({run_number_, row.seed_index}, row.step);
        orderly_ = orderly_ && row.step == (is_first ? 0 : last->second + 10);
        last->second = row.step;
        rows_.push_back(row);
    }

    bool all_rows_until(const Snapshot& snapshot) {
        for (size_t seed = 0; seed < snapshot.seeds.size(); ++seed) {
            const auto last = last_step_.find({run_number_, static_cast<int>(seed)});
            if (last == last_step_.end() || last->second < snapshot.seeds[seed].step / 10 * 10) return false;
        }
        return true;
    }

    Trainer& trainer_;
    uint64_t run_number_ = 0;
    std::vector<MetricRow> rows_;
    std::map<std::pair<uint64_t, int>, int64_t> last_step_;  // by run and seed
    std::shared_ptr<const Snapshot> latest_;
    bool orderly_ = true;
};

Command random_command(Stream& random) {
    const auto pick = [&random](int count) { return static_cast<int>(random.bits() % static_cast<uint32_t>(count)); };
    switch (pick(12)) {
        case 0:
            return Resume{};
        case 1:
            return Pause{};
        case 2:
            return StepOnce{pick(30)};
        case 3:
            return SetPace{pick(2) == 0 ? 0.0 : 1000.0 * random.uniform()};
        case 4:
            return SetThreads{pick(4)};  // 0 is refused
        case 5:
            return SetLive{.field = "probe", .value = random.uniform(-12.0, 12.0)};
        case 6:
            return SetLive{.field = "size", .value = int64_t{2}};  // refused
        case 7:
        case 8:
            return SetLive{.field = "num_steps", .value = int64_t{10 * pick(200)}};
        case 9:
            return toy({"size=" + std::to_string(1 + pick(16)), "num_seeds=" + std::to_string(1 + pick(8))});
        case 10:
            return toy({"diverge_seed=0", "diverge_step=" + std::to_string(1 + pick(300)), "num_steps=100000"});
        default:
            return toy({"throw_seed=1", "num_seeds=2", "throw_step=" + std::to_string(1 + pick(300))});
    }
}

}  // namespace

TEST_CASE("a run on its own thread gives what a headless run gives") {
    for (const int threads : {1, 2}) {
        std::atomic<int> wakes = 0;
        Trainer::Options with_wakes = options(threads);
        with_wakes.on_publish = [&wakes] { ++wakes; };
        Trainer trainer(toy({"num_steps=3000"}), with_wakes);
        Watcher watcher(trainer);
        REQUIRE(watcher.wait_for_state(RunState::finished));
        CHECK(watcher.orderly());
        CHECK(watcher.rows() == testing::toy_rows_without_a_window({"num_steps=3000"}));
        CHECK(wakes >= 2);
        CHECK(trainer.take_notices().empty());
    }
}

TEST_CASE("without a thread of its own a trainer trains inside poll, to the same bits") {
    int wakes = 0;
    Trainer::Options how = options(4);
    how.own_thread = false;
    how.slice = 0.001;
    how.on_publish = [&wakes] { ++wakes; };
    Trainer trainer(toy({"num_steps=3000"}), how);
    CHECK(wakes == 0);
    Watcher watcher(trainer);
    watcher.poll();
    CHECK(wakes > 0);  // otherwise nobody would poll again
    trainer.send(SetThreads{4});
    REQUIRE(watcher.wait_for_state(RunState::finished));
    CHECK(watcher.orderly());
    CHECK(watcher.rows() == testing::toy_rows_without_a_window({"num_steps=3000"}));
    CHECK(trainer.take_notices().empty());
    wakes = 0;
    trainer.poll();
    CHECK(wakes == 0);
    trainer.send(toy());
    CHECK(wakes == 1);
}

TEST_CASE("the window never waits for training: its calls return while a step is held open") {
    std::mutex mutex;
    std::condition_variable changed;
    bool held = false, released = false;
    testing::before_toy_advance = [&] {
        std::unique_lock lock(mutex);
        held = true;
        changed.notify_all();
        changed.wait(lock, [&] { return released; });
    };
    {
        Trainer trainer(toy(), options(1));
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return held; });
        lock.unlock();
        // The trainer's thread is now inside a step and stays there. Were one of these calls to wait for it,
        // nothing would ever open the gate, and this test would hang.
        for (int i = 0; i < 1000; ++i) {
            trainer.send(SetPace{0.0});
            trainer.poll();
            trainer.take_notices();
        }
        lock.lock();
        released = true;
        changed.notify_all();
        lock.unlock();
        Watcher watcher(trainer);
        CHECK(watcher.wait_for_state(RunState::finished));
    }
    testing::before_toy_advance = nullptr;
}

TEST_CASE("commands are obeyed at any pace") {
    Trainer::Options slow = options(1);
    slow.steps_per_second = 0.001;  // the first step would come after a quarter of an hour
    Trainer trainer(toy(), slow);
    Watcher watcher(trainer);
    REQUIRE(watcher.wait_for_state(RunState::running));
    trainer.send(Pause{});
    REQUIRE(watcher.wait_for_state(RunState::paused));
    trainer.send(StepOnce{});
    REQUIRE(watcher.wait([](const Snapshot& s) { return s.step == 1 && s.status.state == RunState::paused; }));
    trainer.send(Resume{});
    trainer.send(SetPace{0.0});
    REQUIRE(watcher.wait_for_state(RunState::finished));
    trainer.send(toy({"size=5"}));
    REQUIRE(watcher.wait([](const Snapshot& s) { return s.settings.integer("size") == 5; }));
    CHECK(watcher.run_number() == 2);
    CHECK(watcher.orderly());
}

TEST_CASE("a trainer ends while it trains, waits or has failed") {
    { const Trainer trainer(toy({"num_steps=1000000000"}), options(2)); }
    {
        Trainer::Options slow = options(1);
        slow.steps_per_second = 0.001;
        const Trainer trainer(toy(), slow);
    }
    { const Trainer trainer(toy({"size=16", "num_seeds=32"}), options(1)); }
    CHECK_THROWS_WITH_AS(Trainer(toy(), options(0)), doctest::Contains("threads: 0 is not"), InputError);
}

TEST_CASE("a storm of commands loses and doubles nothing, and calm can be reached") {
    Trainer trainer(toy({"num_steps=100000"}), options(2));
    Watcher watcher(trainer);
    std::atomic<bool> blowing = true;
    std::thread storm([&trainer, &blowing] {
        Stream random(7, Purpose::testing);
        for (int i = 0; i < 1500; ++i) {
            trainer.send(random_command(random));
            if (i % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
        blowing = false;
    });
    size_t notices = 0;
    while (blowing) {
        watcher.poll();
        notices += trainer.take_notices().size();
    }
    storm.join();
    CHECK(watcher.orderly());
    CHECK(notices > 0);
    CHECK(watcher.run_number() > 1);

    const uint64_t before = watcher.run_number();
    trainer.send(SetPace{0.0});
    trainer.send(toy({"seed=123"}));
    REQUIRE(watcher.wait(
        [](const Snapshot& s) { return s.settings.integer("seed") == 123 && s.status.state == RunState::finished; }));
    CHECK(watcher.run_number() > before);
    CHECK(watcher.orderly());
    CHECK(watcher.rows() == testing::toy_rows_without_a_window({"seed=123"}));
}

TEST_SUITE_END();
