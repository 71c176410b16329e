#include "app/gui/runs/run_keeper.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>

#include "app/gui/lessons/lesson_room.h"
#include "tests/app/gui/runs/kept_bench.h"

using namespace emergence;
using namespace emergence::testing;

namespace fs = std::filesystem;

namespace {

constexpr const char* kShortLesson = R"(title = "A lesson"
minutes = 3
[[step]]
text = "Watch."
opens = "other.toml"
paused = true
)";

// The run of a folder; -1 if it holds none.
int64_t step_kept_in(const fs::path& folder) { return run_in(folder, find_toy).checkpoint->settings.step.value_or(-1); }

// A window with a run, another run to go to and a lesson.
struct WishBench : KeptBench {
    // The other run is made first: one window at a time has ImGui's context.
    explicit WishBench(const Scratch& scratch)
        : WishBench(scratch, interrupted_at(3, scratch / "elsewhere", {"num_steps=30"})) {}
    WishBench(const Scratch& scratch, fs::path other)
        : KeptBench(scratch / "runs", {"num_steps=40"}), other_run(std::move(other)) {
        spit(scratch / "other.toml", "experiment = \"toy\"\n[settings]\nsize = 4\nnum_steps = 50\n");
        spit(scratch / "lesson.toml", kShortLesson);
        lesson_file = scratch / "lesson.toml";
        workbench.use_for_lessons(find_toy);
        turn(0.0);
        advance(7);
    }
    void advance(int steps) {
        for (int i = 0; i < steps; ++i) session->step_once();
        frames();
    }
    void keep() {  // the autosave, when it is due
        turn(11.0);
        wait([&] { return !desk().folder().empty(); });
    }
    void begin_lesson() { workbench.begin_lesson(lesson_file, *session); }
    void take_lesson() {
        begin_lesson();
        wait([&] { return lesson_open() && snapshot().settings.integer("num_steps") == 50; });
    }
    bool lesson_open() const { return workbench.lesson().is_open(); }
    void close() { desk().finish(*session); }

    fs::path other_run, lesson_file;
};

// The folders of `runs` that hold the bench's run at this step.
long count_at(const fs::path& runs, int64_t step) {
    const std::vector<fs::path> all = folders_in(runs);
    return std::count_if(all.begin(), all.end(), [&](const fs::path& one) { return step_kept_in(one) == step; });
}

}  // namespace

TEST_CASE("closing the window during a lesson keeps the run that was set aside to its last step") {
    for (const bool saved_by_hand : {false, true}) {
        CAPTURE(saved_by_hand);
        const Scratch scratch;
        {
            WishBench bench(scratch);
            if (saved_by_hand) {
                const_cast<Preferences&>(bench.workbench.preferences()).autosave_seconds = 0;
                bench.key(GLFW_KEY_S, GLFW_MOD_CONTROL);
                bench.wait([&] { return !bench.desk().folder().empty(); });
            } else {
                bench.keep();
            }
            bench.advance(2);
            bench.take_lesson();
            bench.advance(5);  // of the lesson's run
            bench.close();
        }
        REQUIRE(folders_in(scratch / "runs").size() == 1);
        CHECK(step_kept_in(folders_in(scratch / "runs")[0]) == 9);
        // It is offered when the window opens again.
        KeptBench next(scratch / "runs");
        next.wait([&] { return next.desk().offer() != nullptr; });
        next.desk().answer(true);
        next.wait([&] { return next.snapshot().step == 9; });
    }
}

TEST_CASE("a longer run without a folder is kept when a lesson takes its place or the window closes") {
    for (const bool lesson : {false, true}) {
        CAPTURE(lesson);
        const Scratch scratch;
        WishBench bench(scratch);
        bench.trainer->set_elapsed(100.0);
        bench.advance(1);
        if (lesson) bench.take_lesson();
        bench.close();
        CHECK(count_at(scratch / "runs", 8) == 1);
    }
}

TEST_CASE("a run that comes back from a lesson goes on in its folder") {
    const Scratch scratch;
    WishBench bench(scratch);
    bench.keep();
    const fs::path folder = bench.desk().folder();
    bench.advance(2);
    bench.take_lesson();
    bench.act(Action::lesson_leave);
    bench.wait([&] { return bench.snapshot().step == 9; });
    bench.advance(3);
    CHECK(bench.desk().folder() == folder);
    bench.close();
    CHECK(step_kept_in(folder) == 12);
    CHECK(folders_in(scratch / "runs").size() == 1);
    CHECK(interrupted_runs(scratch / "runs").empty());
}

TEST_CASE("a run that is opened during a lesson goes on in its folder, also the one that was set aside") {
    for (const bool own : {false, true}) {
        CAPTURE(own);
        const Scratch scratch;
        WishBench bench(scratch);
        bench.keep();
        const fs::path mine = bench.desk().folder();
        bench.advance(2);
        bench.take_lesson();
        const fs::path opened = own ? mine : bench.other_run;
        const int64_t from = own ? 9 : 3;
        bench.workbench.door().open({opened}, *bench.session);
        bench.wait([&] { return !bench.lesson_open() && bench.snapshot().step == from; });
        bench.frames(3);
        CHECK(bench.desk().folder() == opened);
        CHECK(bench.session->banners().empty());
        bench.advance(1);
        bench.close();
        CHECK(step_kept_in(opened) == from + 1);
        CHECK(step_kept_in(mine) == (own ? 10 : 9));
        CHECK(interrupted_runs(scratch / "runs").empty());
    }
}

TEST_CASE("any two wishes, one right after the other, are both fulfilled") {
    enum Wish { keep, save, leave, aside };
    for (const Wish first : {keep, save, leave, aside})
        for (const Wish second : {keep, save, leave, aside})
            for (const bool closes : {false, true}) {
                if (first == second) continue;
                INFO(static_cast<int>(first), ", ", static_cast<int>(second), ", ", closes);
                const Scratch scratch;
                const fs::path runs = scratch / "runs";
                bool lesson_began = false;
                {
                    WishBench bench(scratch);
                    bench.keep();
                    bench.advance(2);  // step 9
                    int left = 0;
                    const auto ask_for = [&](Wish wish) {
                        Toasts& toasts = bench.workbench.toasts();
                        if (wish == keep)
                            bench.desk().turn(*bench.session, toasts, 10.0, bench.began + 22.0);
                        else if (wish == save)
                            bench.desk().save(*bench.session);
                        else if (wish == leave)
                            bench.desk().leave(*bench.session, toasts, [&](Session& with, Toasts&, const std::string&) {
                                ++left;
                                with.reset();
                            });
                        else
                            bench.begin_lesson();
                    };
                    ask_for(first);
                    ask_for(second);
                    const auto wants = [&](Wish wish) { return first == wish || second == wish; };
                    if (!closes) {
                        bench.frames();
                        if (wants(leave)) bench.wait([&] { return left == 1; });
                        if (wants(aside)) bench.wait([&] { return bench.lesson_open(); });
                        bench.frames(3);
                        lesson_began = bench.lesson_open();
                    }
                    bench.close();
                    CHECK(left == (wants(leave) && !closes ? 1 : 0));
                    if (wants(aside) && !closes && !wants(leave)) CHECK(lesson_began);
                }
                CHECK(count_at(runs, 9) == 1);
                long for_good = 0;
                for (const fs::path& folder : folders_in(runs)) for_good += fs::exists(folder / "autosaved") ? 0 : 1;
                CHECK(for_good == (first == save || second == save ? 1 : 0));
            }
}

TEST_CASE("a run that is to be saved and then restarted is saved, as it was left") {
    const Scratch scratch;
    WishBench bench(scratch);
    bench.trainer->publishes_left();
    bench.desk().save(*bench.session);
    bench.session->reset();
    bench.frames(3);
    CHECK(bench.snapshot().step == 0);
    bench.close();
    REQUIRE(folders_in(scratch / "runs").size() == 1);
    CHECK(step_kept_in(folders_in(scratch / "runs")[0]) == 7);
    CHECK_FALSE(fs::exists(folders_in(scratch / "runs")[0] / "autosaved"));
}
