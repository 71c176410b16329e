// The matrices panel within the whole workbench, on the null backend.
#include "app/gui/panels/matrices.h"

#include <doctest/doctest.h>
#include <imgui_internal.h>

#include <cmath>

#include "tests/app/gui/bench_of_panels.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

const MatricesPanel& panel(const BenchOfPanels& bench) { return bench.workbench.matrices(); }

}  // namespace

TEST_CASE("a click selects a cell, with Shift its block, and draws its history; Esc or a second click ends that") {
    BenchOfPanels bench({"size=3"}, {1600, 1000}, true);
    bench.frames(5);
    bench.click("cells A learned");
    REQUIRE(panel(bench).selection());
    CHECK(*panel(bench).selection() == MatrixSelection{"A", 1, 1});
    REQUIRE(panel(bench).history() != nullptr);
    const PlotSpec& plot = *panel(bench).history();
    CHECK(plot.series.at(0).rows.size() == bench.snapshot().seeds.size());
    CHECK(plot.series.at(0).x.size() > 3);
    CHECK(bench.drawn("cell history"));
    bench.key(GLFW_KEY_ESCAPE);
    CHECK_FALSE(panel(bench).selection());
    CHECK_FALSE(bench.drawn("cell history"));
    for (const int apart : {40, 0}) {  // as two clicks, and as a double click
        bench.click("cells A theory");
        CHECK(panel(bench).selection() == MatrixSelection{"A", 1, 1});
        bench.frames(apart);
        bench.click("cells A theory");
        bench.frames(40);
        CHECK_FALSE(panel(bench).selection());
    }
}

TEST_CASE("a selection that the next run has no place for is forgotten") {
    BenchOfPanels bench({"size=4"});
    const auto& place = bench.place("cells A learned");
    bench.click_at({place.max.x - 4, place.max.y - 4});
    REQUIRE(panel(bench).selection() == MatrixSelection{"A", 3, 3});
    bench.session->set_field("size", 2);
    bench.frames(3);
    CHECK_FALSE(panel(bench).selection());
}

TEST_CASE("what is exported has no matrix of a run before that the present one has not") {
    BenchOfPanels bench;
    REQUIRE_FALSE(panel(bench).heatmaps().empty());
    bench.session->set_field("matrices", 0);
    bench.frames(3);
    REQUIRE(bench.snapshot().matrices.empty());
    CHECK(panel(bench).heatmaps().empty());
}

TEST_CASE("pointing at a block lights up its term, pointing at a term is no click") {
    BenchOfPanels bench;
    REQUIRE(bench.drawn("term 0"));
    bench.gui.move({2, 2});
    const auto vertices = [&] {
        bench.session->update();
        return bench.gui.frame([&] { bench.workbench.draw(bench.gui.ui(), *bench.session); });
    };
    bench.frames(2);
    const int idle = vertices();
    bench.gui.move(bench.centre("term 0"));
    bench.frames(2);
    CHECK(vertices() > idle);  // the term's ground and the outlined blocks
    CHECK_FALSE(panel(bench).selection());
}

TEST_CASE("every seed as a tile, of two runs labelled, with one colour bar a run; a click on one shows it alone") {
    BenchOfPanels bench({"num_seeds=3", "num_steps=1000"}, {1600, 1000}, true);
    bench.click("seeds");
    bench.click("every seed");
    REQUIRE(panel(bench).look().every_seed);
    CHECK(panel(bench).heatmaps().size() == 3);
    for (int seed = 0; seed < 3; ++seed) CHECK(bench.place("tile A " + std::to_string(seed)).visible);
    CHECK(bench.drawn("tiles bar A, every network"));
    bench.session->compare("size", int64_t{4});
    bench.frames(5);
    CHECK(panel(bench).heatmaps().size() == 6);
    for (int seed = 0; seed < 3; ++seed) CHECK(bench.place("tile A B " + std::to_string(seed)).visible);
    for (const char* run : {"A", "B"}) CHECK(bench.drawn(std::string("tiles bar A of ") + run + ", every network"));
    bench.session->toggle_compare();
    bench.frames(2);
    bench.session->set_running(false);
    bench.frames(3);
    const int uploads = bench.gui.textures().uploads();
    bench.frames(5);
    CHECK(bench.gui.textures().uploads() == uploads);  // a tile is built for a moment, not for a frame

    bench.click("tile A 2");
    CHECK_FALSE(panel(bench).look().every_seed);
    CHECK(panel(bench).view().seed_index == 2);
}

TEST_CASE("tiles in raw numbers have common limits while limits are linked") {
    BenchOfPanels bench({"num_seeds=3"}, {1600, 1000}, true);
    bench.click("view raw");
    bench.click("seeds");
    bench.click("every seed");
    const auto limits = [&] {
        std::vector<double> all;
        for (const HeatmapSpec& tile : panel(bench).heatmaps()) all.push_back(tile.limit);
        return all;
    };
    CHECK(limits()[0] == limits()[1]);
    CHECK(limits()[1] == limits()[2]);
    bench.act(Action::colors);
    bench.click("link limits");
    bench.key(GLFW_KEY_ESCAPE);
    CHECK((limits()[0] != limits()[1] || limits()[1] != limits()[2]));
}

TEST_CASE("the menu: a typed limit, magnitudes") {
    BenchOfPanels bench;
    bench.choose(Action::colors);
    bench.frames(2);
    bench.click("limits manual");
    CHECK(panel(bench).view().limits.rule == ColorLimits::Rule::manual);
    bench.click("magnitudes");
    CHECK(panel(bench).heatmaps().at(0).magnitudes);
    CHECK(panel(bench).heatmaps().at(1).magnitudes);
}

TEST_CASE("a pair has one colour bar; its menu sets the limit for both pictures") {
    BenchOfPanels bench;
    CHECK_FALSE(bench.drawn("color bar A theory"));
    bench.click("color bar A learned");
    bench.click("limits manual");
    CHECK(holds(panel(bench).heatmaps().at(0).note, "set by hand"));
    CHECK(panel(bench).heatmaps().at(1).limit == panel(bench).heatmaps().at(0).limit);
    bench.click("limits automatic");
    CHECK_FALSE(holds(panel(bench).heatmaps().at(0).note, "set by hand"));
}

TEST_CASE("in a presentation theory's matrix is not the larger one, and a cell's tooltip stays on the stage") {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{900, 720}, ImVec2{1600, 1000}}) {
        BenchOfPanels bench({}, size);
        bench.key(GLFW_KEY_P);
        bench.frames(3);

        CHECK(bench.width("cells A learned") >= bench.width("cells A theory"));
        const ImVec2 low = bench.place("cells A learned").max;
        bench.gui.move({low.x - 3, low.y - 3});
        bench.frames(3);
        const ImGuiWindow* tooltip = ImGui::FindWindowByName("##Tooltip_00");
        REQUIRE(tooltip != nullptr);
        CHECK(tooltip->Pos.x + tooltip->Size.x <= bench.workbench.layout().stage.max().x);
    }
}

TEST_CASE("tiles are as large as their room allows, and never too small to see") {
    const TileGrid four = fit_tiles(4, {430, 480}, 20, 10, 64);
    CHECK(four.columns == 2);
    CHECK(four.side == 210);
    const TileGrid wide = fit_tiles(4, {1000, 150}, 20, 10, 64);
    CHECK(wide.columns == 4);
    CHECK(wide.side == 130);
    const TileGrid many = fit_tiles(400, {300, 100}, 20, 10, 64);
    CHECK(many.side == 64);
    CHECK(many.columns == 4);
}

TEST_CASE("a click on a cell moves no matrix, and the history does not cover that cell") {
    for (const ImVec2 size : {ImVec2(1280, 720), ImVec2(1600, 1000)})
        for (const float share : {0.05F, 0.5F, 0.95F}) {
            BenchOfPanels bench({"size=4"}, size);
            const auto before = bench.place("cells A learned");
            const ImVec2 at(before.min.x + 5, before.min.y + share * (before.max.y - before.min.y));
            bench.click_at(at);
            REQUIRE(panel(bench).selection());
            const auto& after = bench.place("cells A learned");
            CHECK(after.min.x == before.min.x);
            CHECK(after.min.y == before.min.y);
            CHECK(after.max.x == before.max.x);
            CHECK(after.max.y == before.max.y);
            const auto& history = bench.place("cell history");
            CHECK((at.y < history.min.y || at.y > history.max.y || at.x < history.min.x));
            const bool in_wings = history.min.x >= bench.workbench.layout().stage.max().x;
            CHECK(in_wings);  // where it hides no matrix
            bench.click("history close");
            CHECK_FALSE(panel(bench).selection());
            // What was chosen does not follow into another preset.
            bench.click_at(at);
            REQUIRE(panel(bench).selection());
            bench.session->load(toy_info(), toy_settings({"size=4", "learning_rate=0.01"}));
            bench.frames(2);
            CHECK_FALSE(panel(bench).selection());
        }
}

TEST_CASE("the view in force is one that applies to the model") {
    using Mode = MatrixView::Mode;
    Snapshot snapshot;
    snapshot.matrices.resize(1);
    snapshot.matrices[0].may_scale = false;
    CHECK(mode_in_force(snapshot, Mode::scaled) == Mode::raw);
    CHECK(mode_in_force(snapshot, Mode::difference) == Mode::raw);
    CHECK(mode_in_force(snapshot, Mode::raw) == Mode::raw);
    snapshot.matrices[0].may_scale = true;
    CHECK(mode_in_force(snapshot, Mode::difference) == Mode::scaled);
    snapshot.matrices[0].target = Table(1, 1);
    CHECK(mode_in_force(snapshot, Mode::difference) == Mode::difference);
}

TEST_CASE("how one experiment's matrices are looked at is not how another's are") {
    MatricesPanel matrices;
    matrices.look_at("softmax-td");
    matrices.next_mode();
    matrices.seed_index() = 3;
    REQUIRE(matrices.view().mode == MatrixView::Mode::raw);
    matrices.look_at("td");
    CHECK(matrices.view() == MatrixView());
    matrices.look_at("softmax-td");
    CHECK(matrices.view().mode == MatrixView::Mode::raw);
    CHECK(matrices.view().seed_index == 3);
    matrices.restore_view({});
    CHECK(matrices.view() == MatrixView());
}
