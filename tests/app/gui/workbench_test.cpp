#include "app/gui/workbench.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "app/gui/widgets/text.h"
#include "tests/app/gui/bench_of_panels.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

TEST_CASE("space runs and pauses, the right arrow takes one step, R starts over, N takes new seeds") {
    BenchOfPanels bench;
    REQUIRE(bench.snapshot().status.state == RunState::paused);
    bench.key(GLFW_KEY_SPACE);
    CHECK(bench.count_sent<Resume>() == 1);
    CHECK(bench.snapshot().status.state == RunState::running);
    bench.key(GLFW_KEY_SPACE);
    CHECK(bench.count_sent<Pause>() == 1);
    const int64_t before = bench.snapshot().step;
    bench.key(GLFW_KEY_RIGHT);
    CHECK(bench.snapshot().step == before + 1);

    const uint64_t run = bench.snapshot().run_number;
    bench.key(GLFW_KEY_R);
    CHECK(bench.snapshot().run_number == run + 1);
    CHECK(bench.snapshot().step == 0);
    CHECK(bench.snapshot().status.state == RunState::paused);
    CHECK(bench.session->settings().integer("seed") == 0);
    bench.key(GLFW_KEY_N);
    CHECK(bench.session->settings().integer("seed") == 4);  // 0 .. 3 have been used
    bench.key(GLFW_KEY_N);
    CHECK(bench.session->settings().integer("seed") == 8);
}

TEST_CASE("a run that has come to its end starts again") {
    BenchOfPanels bench({"num_steps=20"}, {1600, 1000}, true);
    bench.frames(5);
    REQUIRE(bench.snapshot().status.state == RunState::finished);
    bench.key(GLFW_KEY_SPACE);
    CHECK(bench.count_sent<Restart>() == 1);
    CHECK(bench.snapshot().run_number == 2);
}

TEST_CASE("+ and - step through the paces, the last of which is as fast as it goes") {
    BenchOfPanels bench;
    bench.key(GLFW_KEY_EQUAL, GLFW_MOD_SHIFT);
    CHECK(bench.session->pace() == 500.0);
    bench.key(GLFW_KEY_MINUS);
    bench.key(GLFW_KEY_MINUS);
    CHECK(bench.session->pace() == 100.0);
    for (int i = 0; i < 20; ++i) bench.key(GLFW_KEY_KP_ADD);
    CHECK(bench.session->pace() == 0.0);
    for (int i = 0; i < 20; ++i) bench.key(GLFW_KEY_KP_SUBTRACT);
    CHECK(bench.session->pace() == 1.0);
}

TEST_CASE("the curves' look, F1 and the theme") {
    BenchOfPanels bench({}, {1600, 1000}, true);
    bench.choose(Action::curves_look);
    bench.frames(2);
    bench.click("spread all lines");
    bench.key(GLFW_KEY_ESCAPE);
    CHECK(bench.workbench.curves().plots().at(0).spread == Spread::every_seed);
    bench.key(GLFW_KEY_S);
    CHECK(bench.workbench.curves().plots().at(0).series.at(0).bars);
    bench.key(GLFW_KEY_S);
    CHECK(bench.workbench.curves().plots().at(0).spread == Spread::standard_error);
    bench.key(GLFW_KEY_F1);
    CHECK(bench.workbench.help_open());
    CHECK(bench.drawn("panel handbook"));
    const int restarts = bench.count_sent<Restart>();
    bench.key(GLFW_KEY_R);  // reading goes on, and so does the run
    CHECK(bench.count_sent<Restart>() == restarts);
    bench.click("handbook close");
    CHECK_FALSE(bench.workbench.help_open());
    bench.act(Action::toggle_theme);
    CHECK(bench.workbench.look().theme == Theme::light);
}

TEST_CASE("Esc closes an open list before anything else") {
    BenchOfPanels bench;
    bench.click("heading loss");
    bench.click("experiment");
    REQUIRE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
    bench.key(GLFW_KEY_ESCAPE);
    CHECK_FALSE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
    CHECK(bench.workbench.stage().own());
    bench.key(GLFW_KEY_ESCAPE);
    CHECK_FALSE(bench.workbench.stage().own());
}

TEST_CASE("preferences act at once: theme, size, threads, borders; and reset together") {
    BenchOfPanels bench;
    bench.choose(Action::toggle_preferences);
    REQUIRE(bench.workbench.preferences_open());
    bench.frames(2);
    bench.click("theme light");
    CHECK(bench.gui.ui().theme == Theme::light);
    const float scale = bench.gui.ui().scale;
    bench.frames(2);
    bench.click("more ui_scale");
    CHECK(bench.gui.ui().scale > scale);
    bench.frames(2);
    bench.click("more threads");
    CHECK(bench.workbench.preferences().threads == 1);
    CHECK(bench.session->threads() == 1);
    bench.frames(2);
    bench.click("reset preferences");
    CHECK(bench.workbench.preferences() == BenchOfPanels::with_settings());
    bench.frames(2);
    bench.key(GLFW_KEY_ESCAPE);
    CHECK_FALSE(bench.workbench.preferences_open());
    bench.act(Action::toggle_preferences);
    CHECK(bench.workbench.preferences_open());
    bench.key(GLFW_KEY_F1);
    CHECK_FALSE(bench.workbench.preferences_open());
    CHECK(bench.workbench.help_open());
}

TEST_CASE("Esc ends a presentation before it undoes what is hidden there") {
    BenchOfPanels bench({}, {1600, 1000}, true);
    bench.click("dot 2");
    bench.key(GLFW_KEY_P);
    bench.key(GLFW_KEY_ESCAPE);
    CHECK_FALSE(bench.workbench.look().presenting);
    CHECK(bench.workbench.matrices().view().seed_index == 2);
}

TEST_CASE("the line of status says that run B trains after run A has finished") {
    BenchOfPanels bench({}, {1600, 1000}, true);
    bench.frames(15);
    REQUIRE(bench.drawn("finished"));
    bench.click("compare");
    bool said = bench.drawn("finished, B trains");
    for (int i = 0; i < 10; ++i) {
        bench.frames();
        said = said || bench.drawn("finished, B trains");
    }
    CHECK(said);
    bench.frames(40);
    CHECK(bench.drawn("finished"));
}

TEST_CASE("dots of many seeds stand in one row or two beside a second run's") {
    BenchOfPanels bench({"num_seeds=16", "size=4"}, {1600, 1000}, true);
    bench.frames(8);
    bench.click("compare");
    bench.frames(3);
    std::set<float> rows;
    for (const char* side : {"", "B "})
        for (int i = 0; i < 16; ++i) {
            const WidgetLog::Place& dot = bench.place(fmt::format("{}dot {}", side, i));
            CHECK(dot.max.x - dot.min.x >= bench.gui.ui().px(12));
            rows.insert(dot.min.y);
        }
    CHECK(rows.size() <= 4);
}

TEST_CASE("dots stay where they are while both runs train, in a presentation too") {
    for (const bool presenting : {false, true}) {
        BenchOfPanels bench({}, {1280, 720}, true);
        if (presenting) bench.key(GLFW_KEY_P);
        bench.key(GLFW_KEY_B);
        bench.frames(8);
        REQUIRE(bench.drawn("B dot 0"));
        const auto places = [&] {
            std::vector<float> all;
            for (const char* dot : {"dot 0", "dot 3", "B dot 0", "B dot 3"})
                for (const float at : {bench.place(dot).min.x, bench.place(dot).min.y}) all.push_back(at);
            return all;
        };
        const std::vector<float> first = places();
        for (int i = 0; i < 20; ++i) {
            bench.frames();
            INFO(i, ", ", presenting);
            const std::vector<float> now = places();
            for (size_t k = 0; k < now.size(); ++k) CHECK(now[k] == first[k]);
        }
    }
}

TEST_CASE("a presentation marks when seeds emerged, and says whose matrices it shows") {
    BenchOfPanels bench({}, {1280, 720}, true);
    bench.frames(15);
    bench.click("dot 2");
    bench.key(GLFW_KEY_P);
    bench.frames(3);
    const SeedStatus& seed = bench.snapshot().seeds.at(2);
    REQUIRE(seed.emerged);
    REQUIRE(bench.drawn("timeline"));
    CHECK(bench.drawn(fmt::format("emergence {}", seed.seed)));
    CHECK(holds(bench.workbench.matrices().heatmaps().at(0).title, fmt::format("seed {}", seed.seed)));
    CHECK(bench.drawn("matrix caption"));
}

TEST_CASE("nothing below a sheet answers the pointer, from the first frame that shows it") {
    BenchOfPanels bench({}, {1600, 1000}, true);
    bench.frames(3);
    const WidgetLog::Place cells = bench.place("cells A learned");
    for (const Action sheet : {Action::open_lessons, Action::toggle_preferences}) {
        const std::string name = sheet == Action::open_lessons ? "lessons" : "preferences";
        CAPTURE(name);
        bench.workbench.act(sheet, *bench.session);
        bench.frames(3);
        const WidgetLog::Place over = bench.place("panel " + name);
        bench.key(GLFW_KEY_ESCAPE);
        bench.gui.move({(std::max(cells.min.x, over.min.x) + std::min(cells.max.x, over.max.x)) / 2,
                        (std::max(cells.min.y, over.min.y) + std::min(cells.max.y, over.max.y)) / 2});
        bench.frames(3);
        REQUIRE(bench.workbench.matrices().hovered());
        bench.workbench.act(sheet, *bench.session);
        for (int i = 0; i < 4; ++i) {
            bench.frames();
            CHECK_FALSE((ImGui::FindWindowByName(name.c_str()) != nullptr && bench.workbench.matrices().hovered()));
        }
        bench.key(GLFW_KEY_ESCAPE);
        bench.gui.move({1599, 999});
        bench.frames(2);
    }
}
