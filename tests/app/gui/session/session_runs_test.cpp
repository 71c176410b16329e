#include "app/gui/session/session.h"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "app/gui/session/followed_run.h"
#include "tests/app/gui/bench_of_panels.h"

using namespace emergence;
using namespace emergence::testing;

TEST_SUITE_BEGIN("threads");

namespace {

// A session on real trainers of the toy.
struct RealSession {
    explicit RealSession(const std::vector<std::string>& changes, double pace = 0.0) {
        Session::Options options;
        options.steps_per_second = pace;
        options.open_other = [this, pace](const Restart& first, int) { return open(first, pace); };
        session = std::make_unique<Session>(toy_info(), toy_settings(changes),
                                            open({"toy", toy_settings(changes), true}, pace), jobs, options);
    }
    std::unique_ptr<TrainerLink> open(const Restart& first, double pace) {
        Trainer::Options options;
        options.steps_per_second = pace;
        options.convoy = convoy;
        options.find_experiment = find_toy;
        return std::make_unique<LiveTrainer>(first, std::move(options));
    }
    // The limit only turns a hanging test into a failing one.
    template <class Done>
    bool wait(Done done) {
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (std::chrono::steady_clock::now() < limit) {
            session->update();
            if (session->live_snapshot() && done()) return true;
            std::this_thread::yield();
        }
        return false;
    }
    bool wait_for(RunState state) {
        return wait([&] { return session->live_snapshot()->status.state == state; });
    }

    std::shared_ptr<Convoy> convoy = std::make_shared<Convoy>();
    Jobs jobs;
    std::unique_ptr<Session> session;
};

Snapshot fresh_snapshot(const std::vector<std::string>& changes, int64_t step) {
    ThreadPool pool(1);
    Run run(toy_info().make(toy_settings(changes)), pool);
    run.advance_to(step);
    return run.snapshot();
}

bool shows_the_same(const Snapshot& a, const Snapshot& b) {
    bool same = a.step == b.step && a.evaluated && a.scalars.size() == b.scalars.size();
    for (size_t i = 0; same && i < a.matrices.size(); ++i)
        for (size_t k = 0; k < a.matrices[i].seeds.size(); ++k)
            same = same && a.matrices[i].seeds[k].values == b.matrices[i].seeds[k].values;
    for (size_t i = 0; same && i < a.scalars.size(); ++i) same = a.scalars[i].value == b.scalars[i].value;
    return same;
}

}  // namespace

TEST_CASE("the scrubber shows exactly the snapshot of a step: that of a fresh run advanced to it") {
    const std::vector<std::string> changes = {"num_steps=400"};
    RealSession real(changes);
    REQUIRE(real.wait_for(RunState::finished));
    Session& session = *real.session;
    REQUIRE(session.moments().moments().size() == 41);
    for (const int64_t step : {0, 10, 250, 130, 390, 0}) {
        session.show_step(step);
        REQUIRE(real.wait([&] { return session.snapshot()->step == step; }));
        CHECK(shows_the_same(*session.snapshot(), fresh_snapshot(changes, step)));
        CHECK(session.live_snapshot()->step == 400);
    }
    session.show_step(133);
    REQUIRE(real.wait([&] { return session.snapshot()->step == 130; }));
    session.set_field("probe", 4.0);  // acts on what is shown
    REQUIRE(real.wait([&] { return session.snapshot()->settings.number("probe") == 4.0; }));
    CHECK(session.snapshot()->step == 130);
    CHECK(shows_the_same(*session.snapshot(), fresh_snapshot({"num_steps=400", "probe=4"}, 130)));
    session.show_live();
    CHECK(session.snapshot() == session.live_snapshot());
}

TEST_CASE("undo returns a run as it was left, with its past, and redo the one that took its place") {
    const std::vector<std::string> changes = {"num_steps=1000000"};
    RealSession real(changes, 400.0);
    Session& session = *real.session;
    const auto shown = [&] { return session.live_snapshot(); };
    REQUIRE(real.wait([&] { return shown()->step > 300; }));
    session.toggle_running();
    REQUIRE(real.wait_for(RunState::paused));
    const int64_t left_at = shown()->step;
    session.set_field("size", int64_t{4});
    session.end_gesture();
    session.set_running(true);
    REQUIRE(real.wait([&] { return shown()->settings.integer("size") == 4 && shown()->step > 300; }));
    session.set_running(false);
    REQUIRE(real.wait_for(RunState::paused));
    const int64_t second_at = shown()->step;

    session.undo();
    REQUIRE(real.wait([&] { return shown()->settings.integer("size") != 4; }));
    CHECK(shown()->step == left_at);
    CHECK(shown()->status.state == RunState::paused);
    CHECK(shows_the_same(*shown(), fresh_snapshot(changes, left_at)));
    CHECK(session.history().steps().back() == static_cast<double>(left_at - left_at % 10));
    CHECK(session.moments().moments().front()->step == 0);
    CHECK(session.moments().moments().size() > 30);

    session.redo();
    REQUIRE(real.wait([&] { return shown()->settings.integer("size") == 4; }));
    CHECK(shown()->step == second_at);
    session.undo();
    REQUIRE(real.wait([&] { return shown()->settings.integer("size") != 4; }));
    CHECK(shown()->step == left_at);
}

TEST_CASE("training goes on while the past is looked at; a restart comes back to live and forgets the pin") {
    RealSession real({"num_steps=1000000"}, 2000.0);
    Session& session = *real.session;
    REQUIRE(real.wait([&] { return session.live_snapshot()->step > 60; }));
    session.show_step(30);
    session.toggle_pin();
    REQUIRE(real.wait([&] { return session.snapshot()->step == 30; }));
    const int64_t before = session.live_snapshot()->step;
    REQUIRE(real.wait([&] { return session.live_snapshot()->step > before + 50; }));
    CHECK(session.snapshot()->step == 30);
    REQUIRE(session.pin());
    session.set_field("size", int64_t{4});
    CHECK(session.time().live());
    REQUIRE(real.wait([&] { return session.live_snapshot()->settings.integer("size") == 4; }));
    CHECK(session.pin() == nullptr);
    CHECK(session.moments().moments().front()->settings.integer("size") == 4);
}

TEST_CASE("a failed run can be gone back in") {
    RealSession real({"all_diverge=true", "diverge_step=75", "num_steps=1000"});
    REQUIRE(real.wait_for(RunState::failed));
    real.session->show_step(20);
    REQUIRE(real.wait([&] { return real.session->snapshot()->step == 20; }));
    CHECK(real.session->live_snapshot()->status.state == RunState::failed);
}

TEST_CASE(
    "run B has the same seeds and one setting different; both are stepped, paused, paced and reset "
    "together") {
    BenchOfPanels bench;
    bench.session->compare("size", int64_t{4});
    bench.frames(3);
    REQUIRE(bench.session->other());
    const auto b = [&]() -> const Snapshot& { return *bench.session->other()->live(); };
    CHECK(b().settings == toy_settings({"size=4"}));
    CHECK(std::get<SetThreads>(bench.sent.back()).threads == 1);
    bench.key(GLFW_KEY_RIGHT);
    CHECK(bench.snapshot().step == 1);
    CHECK(b().step == 1);
    bench.session->set_field("num_seeds", int64_t{2});
    bench.frames(2);
    CHECK(bench.snapshot().settings == toy_settings({"num_seeds=2"}));
    CHECK(b().settings == toy_settings({"num_seeds=2", "size=4"}));
    bench.session->end_gesture();
    bench.session->set_field("probe", 2.0);
    bench.frames(2);
    CHECK(b().settings.number("probe") == 2.0);
    bench.session->end_gesture();
    bench.session->set_field("size", int64_t{5});  // A's own
    bench.frames(2);
    CHECK(bench.snapshot().settings.integer("size") == 5);
    CHECK(b().settings.integer("size") == 4);
    bench.session->set_field("num_seeds", int64_t{13});  // 13 * 5 seeds' cells are too many for A
    CHECK(bench.session->settings().integer("num_seeds") == 2);
    bench.key(GLFW_KEY_B);
    CHECK(bench.session->other() == nullptr);
    CHECK(std::get<SetThreads>(bench.sent.back()).threads == 2);
    bench.session->leave_thread(true);
    CHECK(std::get<SetThreads>(bench.sent.back()).threads == 1);
    bench.session->leave_thread(false);
    CHECK(std::get<SetThreads>(bench.sent.back()).threads == 2);
}

TEST_CASE("undo works over A and B") {
    BenchOfPanels bench;
    bench.key(GLFW_KEY_B);
    REQUIRE(bench.session->other());
    const Difference first = *bench.session->difference();
    bench.session->compare("size", int64_t{4});
    bench.session->end_gesture();
    bench.session->compare("size", int64_t{16});
    bench.session->compare("num_seeds", int64_t{32});  // 32 * 3 is too much
    CHECK(bench.session->compare_refusal().find("in B, size") == 0);
    CHECK(bench.session->difference()->value == FieldValue(int64_t{16}));
    bench.session->undo();
    CHECK(bench.session->difference()->value == FieldValue(int64_t{4}));
    bench.session->undo();
    CHECK(*bench.session->difference() == first);
    bench.session->undo();
    bench.frames(2);
    CHECK(bench.session->other() == nullptr);
    bench.session->redo();
    bench.frames(2);
    REQUIRE(bench.session->other());
    CHECK(*bench.session->difference() == first);
}

TEST_CASE(
    "B catches up with a run that is under way, they go on side by side, and the past shows the same step of "
    "both") {
    RealSession real({"num_steps=1000000", "work=2000"}, 1000.0);
    Session& session = *real.session;
    REQUIRE(real.wait([&] { return session.live_snapshot()->step >= 300; }));
    session.compare("learning_rate", 0.1);
    REQUIRE(session.other());
    const auto apart = [&] {
        return session.other()->live() ? session.live_snapshot()->step - session.other()->live()->step : 1000;
    };
    REQUIRE(real.wait([&] { return std::abs(apart()) < 60; }));
    const int64_t at = session.live_snapshot()->step;
    REQUIRE(real.wait([&] { return session.live_snapshot()->step > at + 300; }));
    // Of the steps themselves: snapshots are up to a publish apart.
    for (int i = 0; i < 100; ++i) {
        CHECK(std::abs(real.convoy->others(0).fastest - real.convoy->others(1).fastest) < 50);
        std::this_thread::yield();
    }
    session.show_step(200);
    REQUIRE(real.wait([&] { return session.snapshot()->step == 200; }));
    REQUIRE(real.wait([&] { return session.other()->shown()->step == 200; }));
    CHECK(session.other()->shown()->settings.number("learning_rate") == 0.1);
    session.toggle_running();
    REQUIRE(real.wait([&] {
        return session.live_snapshot()->status.state == RunState::paused &&
               session.other()->live()->status.state == RunState::paused && apart() == 0;
    }));
    session.step_once();
    const int64_t paused = session.live_snapshot()->step;
    REQUIRE(real.wait([&] { return session.live_snapshot()->step == paused + 1 && apart() == 0; }));
}

TEST_CASE("a run that goes to a step says so until it is there, or is told otherwise") {
    BenchOfPanels bench;
    bench.session->load(toy_info(), toy_settings({"size=2"}), 20);
    CHECK_FALSE(bench.session->wants_to_run());
    for (int i = 0; i < 100 && bench.snapshot().step < 20; ++i) {
        if (bench.snapshot().settings.integer("size") == 2) CHECK(bench.session->going_to() == 20);
        bench.frames();
    }
    CHECK(bench.snapshot().step == 20);
    CHECK_FALSE(bench.session->going_to());
    bench.session->load(toy_info(), toy_settings({"size=3"}), 20);
    bench.session->toggle_running();
    bench.frames(2);
    CHECK_FALSE(bench.session->going_to());
}

TEST_CASE("while a run goes to a step the button pauses it, and only then runs it on") {
    RealSession real({"num_steps=1000000000"});
    Session& session = *real.session;
    session.load(toy_info(), toy_settings({"num_steps=1000000000", "size=3"}), 900000000);
    REQUIRE(real.wait(
        [&] { return session.live_snapshot()->settings.integer("size") == 3 && session.live_snapshot()->step > 0; }));
    CHECK(session.advancing());
    CHECK_FALSE(session.wants_to_run());
    session.toggle_running();
    CHECK_FALSE(session.advancing());
    REQUIRE(real.wait_for(RunState::paused));
    CHECK(session.live_snapshot()->step < 900000000);
    session.toggle_running();
    CHECK(session.wants_to_run());
    REQUIRE(real.wait_for(RunState::running));
}

TEST_CASE("an experiment that is watched step by step has a pace of its own, the others keep theirs") {
    static ExperimentInfo watched = toy_info();
    watched.pace = 15.0;
    BenchOfPanels bench;
    bench.session->set_pace(500.0);
    bench.session->load(watched, toy_settings());
    CHECK(bench.session->pace() == 15.0);
    bench.session->set_pace(50.0);
    CHECK(bench.session->usual_pace() == 500.0);
    bench.session->load(toy_info(), toy_settings());
    CHECK(bench.session->pace() == 500.0);
    CHECK(first_pace(watched, 250.0) == 15.0);
    CHECK(pace_ladder()[static_cast<size_t>(pace_rung(15.0))] == 15.0);
}

TEST_SUITE_END();
