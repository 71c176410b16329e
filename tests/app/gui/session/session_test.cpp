#include "app/gui/session/session.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "tests/app/gui/bench_of_panels.h"

using namespace emergence;
using namespace emergence::testing;

TEST_CASE("a drag of a slider is one step: Ctrl + Z takes it back and starts the run with what was before") {
    BenchOfPanels bench({}, {1600, 1000}, true);
    for (const float share : {0.02F, 0.15F, 0.3F, 0.45F, 0.6F, 0.75F})
        bench.press_along({bench.at("learning_rate", share)});
    bench.release();
    const double dragged = bench.session->settings().number("learning_rate");
    REQUIRE(dragged != 0.05);
    bench.key(GLFW_KEY_Z, GLFW_MOD_CONTROL);
    CHECK(bench.session->settings().number("learning_rate") == 0.05);
    CHECK(bench.snapshot().settings.number("learning_rate") == 0.05);
    CHECK(bench.session->undo_text().empty());
    bench.key(GLFW_KEY_Z, GLFW_MOD_CONTROL | GLFW_MOD_SHIFT);
    CHECK(bench.snapshot().settings.number("learning_rate") == dragged);
    bench.choose(Action::undo);
    CHECK(bench.session->settings().number("learning_rate") == 0.05);
    bench.click("command Redo");  // the menu stays open
    CHECK(bench.session->settings().number("learning_rate") == dragged);
}

TEST_CASE("undoing a live field does not restart the run; refused changes leave no step") {
    BenchOfPanels bench({"size=8", "num_seeds=8"});
    const uint64_t run = bench.snapshot().run_number;
    bench.session->set_field("probe", 3.0);
    bench.session->end_gesture();
    bench.session->set_field("size", int64_t{9});
    CHECK_FALSE(bench.session->refusal("size").empty());
    bench.session->undo();
    bench.frames(2);
    CHECK(bench.session->settings().number("probe") == 1.0);
    CHECK(bench.session->refusal("size").empty());
    CHECK(bench.snapshot().settings.number("probe") == 1.0);
    CHECK(bench.snapshot().run_number == run);
    CHECK(bench.session->undo_text().empty());
}

TEST_CASE("new seeds and a loaded config are one step each, and what does not go together is not loaded") {
    BenchOfPanels bench;
    bench.session->new_seed();
    bench.session->load(toy_info(), toy_settings({"size=5", "learning_rate=0.2"}));
    bench.frames(2);
    CHECK(bench.snapshot().settings.integer("size") == 5);
    CHECK_THROWS_AS(bench.session->load(toy_info(), toy_settings({"size=16", "num_seeds=32"})), InputError);
    CHECK(bench.session->settings().integer("size") == 5);
    CHECK(bench.session->undo_text() == "3 settings");
    bench.session->undo();
    bench.frames(2);
    CHECK(bench.snapshot().settings.integer("seed") == 4);
    bench.session->undo();
    bench.frames(2);
    CHECK(bench.snapshot().settings == toy_settings());
}

TEST_CASE("while a setting is dragged the run before it stays, and the next begins once that one has been seen") {
    BenchOfPanels bench({}, {1600, 1000}, true);
    bench.frames(3);
    Session& session = *bench.session;
    const auto before = session.live_snapshot();
    REQUIRE(before->step > 10);
    session.set_field("learning_rate", 0.06);
    REQUIRE(session.former() != nullptr);
    CHECK(session.former()->snapshot == before);
    const int restarts = bench.count_sent<Restart>();
    session.update();
    session.set_field("learning_rate", 0.07);
    session.update();
    CHECK(bench.count_sent<Restart>() == restarts);  // the run with 0.06 has not come as far
    CHECK(session.settings().number("learning_rate") == 0.07);
    while (session.live_snapshot()->step < before->step) session.update();
    session.update();
    CHECK(bench.count_sent<Restart>() == restarts + 1);
    CHECK(std::get<Restart>(bench.sent.back()).settings.number("learning_rate") == 0.07);
    CHECK(session.former()->snapshot == before);
    session.set_field("learning_rate", 0.08);
    session.end_gesture();  // let go: at once
    session.update();
    session.update();
    CHECK(session.live_snapshot()->settings.number("learning_rate") == 0.08);
    session.reset();
    CHECK(session.former() == nullptr);
}
