#include "core/lab/training_loop.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/error.h"
#include "tests/support/toy_study.h"

using namespace emergence;
using emergence::testing::find_toy;
using emergence::testing::toy_settings;

namespace {

// A loop on a clock that only moves when the loop is told to wait, or by hand.
struct Bench {
    explicit Bench(const std::vector<std::string>& changes = {}, double pace = 0.0, bool run_now = true)
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
        const std::vector<Notice> notices = outbox.take_notices();
        return notices.empty() ? "" : notices.back().text;
    }

    double now = 1000.0;
    int wakes = 0;
    LockMeter meter;
    Outbox outbox{meter};
    TrainingLoop loop;
    std::shared_ptr<const Snapshot> latest;
    SnapshotHistory moments;
    std::vector<MetricRow> rows;
    uint64_t run_number = 0;
};

// What there is to be seen of a snapshot, its time and state left out.
bool same_picture(const Snapshot& a, const Snapshot& b) {
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

SetLive set_live(const char* field, FieldValue value) { return {.field = field, .value = std::move(value)}; }

}  // namespace

TEST_CASE("a restart publishes step 0 at once") {
    Bench bench;
    CHECK(bench.look().step == 0);
    CHECK(bench.look().run_number == 1);
    CHECK(bench.look().experiment == "toy");
    CHECK(bench.state() == RunState::running);
    CHECK(bench.rows.size() == 4);
    CHECK(bench.wakes == 1);
    CHECK(Bench({}, 0.0, false).state() == RunState::paused);
}

TEST_CASE("it trains to the target, and its rows are those of a headless run") {
    Bench bench;
    bench.play_to_rest();
    CHECK(bench.state() == RunState::finished);
    CHECK(bench.look().step == 100);
    CHECK(bench.look().status.target_step == 100);
    CHECK(bench.rows == testing::toy_rows_without_a_window({}));
    CHECK(Bench({"num_steps=0"}).state() == RunState::finished);
}

TEST_CASE("the pace is kept, and pauses are not counted") {
    Bench bench({}, 1.0);
    bench.play(0.5);
    CHECK(bench.look().step == 0);
    bench.play(1.0);
    CHECK(bench.look().step == 1);
    bench.play(10.0);
    CHECK(bench.look().step == 11);
    CHECK(bench.look().status.steps_per_second == doctest::Approx(1.0));
    CHECK(bench.look().status.pace == 1.0);
    bench.obey(Pause{});
    bench.play(100.0);
    CHECK(bench.state() == RunState::paused);
    CHECK(bench.look().step == 11);
    CHECK(bench.look().status.elapsed_seconds == doctest::Approx(11.5));
    CHECK(bench.look().status.steps_per_second == 0.0);
    bench.obey(Resume{}, SetPace{20.0});
    bench.play(2.0);
    CHECK(bench.look().step == 51);
    CHECK(bench.look().status.elapsed_seconds == doctest::Approx(13.5));
    bench.obey(SetPace{0.0});
    bench.play(0.0);
    CHECK(bench.state() == RunState::finished);
}

TEST_CASE("a pace out of range is refused") {
    Bench bench({}, 5.0);
    for (const double pace : {-1.0, std::nan(""), 1e12}) {
        bench.obey(SetPace{pace});
        CHECK(bench.notice().find("pace: found") == 0);
        CHECK(bench.look().status.pace == 5.0);
    }
    CHECK_THROWS_AS(Bench({}, -1.0), InputError);
}

TEST_CASE("publishing is held back, but the end is shown at once") {
    Bench bench({"num_steps=1000"}, 1000.0);
    bench.play(0.5);
    CHECK(bench.wakes <= 1 + 16);
    CHECK(bench.wakes >= 10);
    bench.play(0.1);
    bench.play_to_rest();
    CHECK(bench.look().step == 1000);
    CHECK(bench.state() == RunState::finished);
}

TEST_CASE("steps by hand are taken at once, add up, and end in a pause") {
    Bench bench({}, 0.5, false);
    bench.obey(StepOnce{});
    bench.play(0.0);
    CHECK(bench.look().step == 1);
    CHECK(bench.state() == RunState::paused);
    bench.obey(StepOnce{}, StepOnce{3});
    bench.play(0.0);
    CHECK(bench.look().step == 5);
    bench.obey(StepOnce{0});
    CHECK(bench.state() == RunState::paused);
    bench.obey(StepOnce{10}, Resume{});  // runs freely instead
    bench.play(4.0);
    CHECK(bench.look().step == 7);
    bench.obey(StepOnce{std::numeric_limits<int64_t>::max()});
    bench.play(0.0);
    CHECK(bench.look().step == 100);
    CHECK(bench.state() == RunState::finished);
}

TEST_CASE("a finished run stays finished") {
    Bench bench;
    bench.play_to_rest();
    const int wakes = bench.wakes;
    bench.obey(StepOnce{}, Resume{}, Pause{});
    bench.play_to_rest();
    CHECK(bench.state() == RunState::finished);
    CHECK(bench.look().step == 100);
    CHECK(bench.wakes == wakes);
}

TEST_CASE("moving the stop condition lets a finished run go on") {
    Bench bench;
    bench.play_to_rest();
    bench.obey(set_live("num_steps", int64_t{150}));
    CHECK(bench.state() == RunState::running);
    CHECK(bench.look().status.target_step == 150);
    bench.play_to_rest();
    CHECK(bench.look().step == 150);
    CHECK(bench.state() == RunState::finished);
    CHECK(bench.rows == testing::toy_rows_without_a_window({"num_steps=150"}));
    CHECK(bench.look().settings.integer("num_steps") == 150);
}

TEST_CASE("a paused run that a moved stop condition finished is paused again when it moves back") {
    Bench bench({}, 0.0, false);
    bench.obey(StepOnce{50});
    bench.play_to_rest();
    bench.obey(set_live("num_steps", int64_t{40}));
    CHECK(bench.state() == RunState::finished);
    bench.obey(set_live("num_steps", int64_t{60}));
    CHECK(bench.state() == RunState::paused);
    CHECK(bench.look().step == 50);
}

TEST_CASE("live fields act at once, others and bad values are refused") {
    Bench bench({}, 0.0, false);
    const double before = bench.look().scalars[0].value;
    bench.obey(set_live("probe", 3.0));
    CHECK(bench.look().scalars[0].value == doctest::Approx(3.0 * before));
    const int wakes = bench.wakes;
    bench.obey(set_live("probe", 3.0));  // changes nothing
    CHECK(bench.wakes == wakes);
    bench.obey(set_live("size", int64_t{2}));
    CHECK(bench.notice() == "size: found a change during a run, allowed is one that restarts it");
    bench.obey(set_live("probe", 11.0));
    CHECK(bench.notice() == "probe: found '11', allowed is a number from -10 to 10");
    bench.obey(set_live("prob", 1.0));
    CHECK(bench.notice() == "unknown field 'prob' (did you mean 'probe'?)");
    CHECK(bench.look().settings.number("probe") == 3.0);
}

TEST_CASE("a refused restart leaves the run alone") {
    Bench bench({}, 1.0);
    bench.play(5.5);
    const std::vector<std::pair<Restart, std::string>> refused = {
        {{.experiment = "toy", .settings = toy_settings({"size=16", "num_seeds=8"})},
         "size: size * num_seeds is above 64, allowed is up to 64"},
        {{.experiment = "joy", .settings = toy_settings()}, "unknown experiment 'joy', there are: toy"},
        {{.experiment = "toy", .settings = toy_settings({"describe_fails_from=0"})},
         "the toy cannot be described"}};
    for (const auto& [restart, reason] : refused) {
        bench.obey(restart);
        CHECK(bench.notice() == reason);
        CHECK(bench.look().run_number == 1);
        CHECK(bench.state() == RunState::running);
    }
    bench.play(10.0);
    CHECK(bench.look().step == 15);
}

TEST_CASE("restarts in one batch are one run, and older rows are dropped") {
    Bench bench;
    bench.play_to_rest();
    std::vector<Command> dragged;
    for (int i = 1; i <= 8; ++i)
        dragged.emplace_back(
            Restart{.experiment = "toy", .settings = toy_settings({"size=" + std::to_string(i)})});
    bench.loop.obey(dragged);
    CHECK(bench.look().run_number == 2);
    CHECK(bench.look().settings.integer("size") == 8);
    CHECK(bench.rows.size() == 4);
    bench.play_to_rest();
    bench.look();
    CHECK(bench.rows == testing::toy_rows_without_a_window({"size=8"}));
}

TEST_CASE("a first restart that is refused leaves an empty, failed snapshot") {
    Bench bench({"size=16", "num_seeds=8"});
    CHECK(bench.state() == RunState::failed);
    CHECK(bench.look().status.reason == "size: size * num_seeds is above 64, allowed is up to 64");
    CHECK(bench.notice() == bench.look().status.reason);
    bench.obey(Resume{}, StepOnce{}, Pause{}, set_live("probe", 2.0), SetPace{3.0}, SetThreads{2});
    CHECK(bench.state() == RunState::failed);
    CHECK(bench.loop.turn() == std::numeric_limits<double>::infinity());
    bench.obey(Restart{.experiment = "toy", .settings = toy_settings()});
    CHECK(bench.state() == RunState::running);
    CHECK(bench.look().run_number == 2);
    CHECK(bench.look().status.threads == 2);
}

TEST_CASE("a failed seed is counted and the others go on") {
    Bench bench({"diverge_seed=1", "diverge_step=34", "throw_seed=2", "throw_step=57"});
    bench.play_to_rest();
    CHECK(bench.state() == RunState::finished);
    CHECK(bench.look().seeds[1].failed);
    CHECK(bench.look().seeds[2].reason == "the toy was told to throw (after step 56)");
    CHECK_FALSE(bench.look().seeds[0].failed);
    CHECK(bench.rows == testing::toy_rows_without_a_window(
                            {"diverge_seed=1", "diverge_step=34", "throw_seed=2", "throw_step=57"}));
}

TEST_CASE("when every seed has failed the run has, and a restart helps") {
    Bench bench({"all_diverge=true", "diverge_step=34"});
    bench.play_to_rest();
    CHECK(bench.state() == RunState::failed);
    CHECK(bench.look().step == 33);
    CHECK(bench.look().status.reason == "all 4 seeds failed; seed 0: the loss is not finite at step 34");
    bench.obey(Resume{}, StepOnce{}, Pause{});
    CHECK(bench.state() == RunState::failed);
    bench.obey(set_live("probe", 2.0));
    CHECK(bench.state() == RunState::failed);
    CHECK(bench.look().settings.number("probe") == 2.0);
    bench.obey(Restart{.experiment = "toy", .settings = toy_settings()});
    bench.play_to_rest();
    CHECK(bench.state() == RunState::finished);
    CHECK(bench.look().status.reason.empty());
}

TEST_CASE("a run that cannot be described fails with its last good snapshot") {
    Bench bench({"describe_fails_from=50"}, 10.0);
    bench.play(20.0);
    CHECK(bench.state() == RunState::failed);
    CHECK(bench.look().status.reason == "the toy cannot be described");
    CHECK(bench.look().step == 49);
    CHECK(bench.look().matrices.size() == 1);
    bench.obey(set_live("probe", 2.0));
    CHECK(bench.state() == RunState::failed);
    bench.obey(Restart{.experiment = "toy", .settings = toy_settings()});
    CHECK(bench.state() == RunState::running);
}

TEST_CASE("the number of threads changes nothing but the speed") {
    Bench bench({}, 10.0);
    bench.play(2.0);
    bench.obey(SetThreads{3});
    CHECK(bench.look().status.threads == 3);
    bench.obey(SetThreads{0});
    CHECK(bench.notice() == "threads: found 0, allowed is a whole number from 1 to 256");
    bench.play_to_rest();
    bench.look();
    CHECK(bench.rows == testing::toy_rows_without_a_window({}));
}

TEST_CASE(
    "a moment is the snapshot of a fresh run at that step, whatever the pace, the pauses and the threads") {
    Bench fast({"num_steps=900"});
    fast.obey(SetThreads{2});
    fast.play_to_rest();
    fast.look();
    Bench slow({"num_steps=900"}, 37.0);
    slow.play(3.3);
    slow.obey(Pause{});
    slow.play(10.0);
    slow.obey(StepOnce{17}, SetPace{1234.0});
    slow.play(1.0);
    slow.obey(Resume{});
    slow.play_to_rest();
    slow.look();
    REQUIRE(fast.moments.moments().size() == 91);
    REQUIRE(slow.moments.moments().size() == 91);
    for (size_t i = 0; i < 91; ++i) {
        const Snapshot& moment = *fast.moments.moments()[i];
        CHECK(moment.step == static_cast<int64_t>(10 * i));
        CHECK(same_picture(moment, *slow.moments.moments()[i]));
        ThreadPool pool(1);
        Run fresh(testing::toy_info().make(toy_settings({"num_steps=900"})), pool);
        fresh.advance_to(moment.step);
        const Snapshot evaluated = fresh.study().inspect(moment, {"evaluate", moment.settings});
        CHECK(same_picture(evaluated, fresh.snapshot()));
        CHECK(evaluated.evaluated);
    }
}

TEST_CASE("moments are thinned in a long run, begin anew with a run, and stay after a failure") {
    Bench bench({"num_steps=20000"});
    bench.play_to_rest();
    bench.look();
    CHECK(bench.moments.stride() == 80);
    CHECK(bench.moments.moments().size() == 251);
    bench.obey(Restart{"toy", toy_settings({"all_diverge=true", "diverge_step=35"}), true});
    bench.play_to_rest();
    CHECK(bench.state() == RunState::failed);
    CHECK(bench.moments.moments().size() == 4);
    CHECK(bench.moments.moments().back()->step == 30);
    CHECK(bench.moments.moments().back()->run_number == 2);
}

TEST_CASE("moments wake the window no oftener than a display needs") {
    Bench bench({"num_steps=100000", "log_interval=1"}, 2000.0);
    bench.play(1.0);
    CHECK(bench.wakes >= 20);
    CHECK(bench.wakes <= 32);
    bench.look();
    CHECK(bench.moments.moments().size() > 128);
}

namespace {

// Two runs that are compared, on a clock of which every look takes four milliseconds.
struct Pair {
    std::unique_ptr<TrainingLoop> make(Outbox& outbox, double pace) {
        Trainer::Options options;
        options.steps_per_second = pace;
        options.find_experiment = find_toy;
        options.convoy = convoy;
        auto loop =
            std::make_unique<TrainingLoop>(std::move(options), outbox, [this] { return now += 0.004; });
        loop->obey({Restart{"toy", toy_settings({"num_steps=1000"}), true}});
        return loop;
    }
    int64_t step_a() const { return convoy->fastest_other(1); }
    int64_t step_b() const { return convoy->fastest_other(0); }

    double now = 0.0;
    std::shared_ptr<Convoy> convoy = std::make_shared<Convoy>();
    LockMeter meter;
    Outbox outbox_a{meter}, outbox_b{meter};
};

}  // namespace

TEST_CASE("runs that are compared advance side by side, however much faster one of them is") {
    Pair pair;
    const auto a = pair.make(pair.outbox_a, 0.0);
    const auto b = pair.make(pair.outbox_b, 0.0);
    int64_t furthest = 0;
    for (int i = 0; i < 20'000; ++i) {
        a->turn();
        if (i % 5 == 0) b->turn();
        furthest = std::max(furthest, std::abs(pair.step_a() - pair.step_b()));
    }
    CHECK(pair.step_a() == 1000);
    CHECK(pair.step_b() == 1000);
    CHECK(furthest <= 12);
    CHECK(furthest > 0);
}

TEST_CASE(
    "one that joins late catches up whatever the pace, while the other waits; one that has ended is not "
    "waited for") {
    Pair pair;
    const auto a = pair.make(pair.outbox_a, 100.0);
    while (pair.step_a() < 200) a->turn();
    auto b = pair.make(pair.outbox_b, 0.001);
    for (int i = 0; i < 100; ++i) CHECK(a->turn() > 0.0);
    CHECK(pair.step_a() == 200);
    while (pair.step_b() < 190) b->turn();
    for (int i = 0; i < 100; ++i) b->turn();
    CHECK(pair.step_b() <= 202);
    b->obey({Restart{"toy", toy_settings({"num_steps=5"}), true}, SetPace{0.0}});
    while (pair.step_b() < 5) b->turn();
    while (pair.step_a() < 300) a->turn();
    b.reset();
    while (pair.step_a() < 400) a->turn();
    CHECK(pair.step_a() >= 400);
}

TEST_CASE(
    "a state that is asked for comes with its moment and rows, and a run goes on from it to the same bits") {
    Bench whole({"num_steps=60"});
    whole.play_to_rest();
    whole.look();

    Bench first({"num_steps=60"}, 0.0, false);
    first.obey(StepOnce{23});
    first.play(5.0);
    first.obey(TakeState{});
    const Published published = first.outbox.take();
    REQUIRE(published.saved);
    const SavedRun& saved = *published.saved;
    CHECK(saved.state.step == 23);
    CHECK(saved.moment.step == 23);
    CHECK(saved.moment.run_number == published.run_number);
    CHECK(first.outbox.take().saved == nullptr);

    auto checkpoint = std::make_shared<Checkpoint>();
    checkpoint->seeds = saved.state.seeds;
    checkpoint->rows = published.rows;
    checkpoint->seconds = 12.5;
    Bench second;
    second.obey(Restart{.experiment = "toy", .settings = saved.state.settings, .from = checkpoint});
    CHECK(second.look().step == 23);
    CHECK(second.rows == published.rows);
    CHECK(second.latest->status.elapsed_seconds == 12.5);
    second.play_to_rest();
    CHECK(same_picture(second.look(), *whole.latest));
    CHECK(second.rows == whole.rows);

    // What does not fit leaves the run as it was.
    checkpoint->seeds.pop_back();
    second.obey(Restart{.experiment = "toy", .settings = saved.state.settings, .from = checkpoint});
    CHECK(second.notice().find("seeds") != std::string::npos);
    CHECK(same_picture(second.look(), *whole.latest));
}
