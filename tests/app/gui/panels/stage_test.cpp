#include "app/gui/panels/stage.h"

#include <doctest/doctest.h>

#include "core/experiments/registry.h"
#include "tests/app/gui/bench_of_panels.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

using Ids = std::vector<std::string>;

BenchOfPanels& open(BenchOfPanels& bench, const Staging& staging) {
    bench.workbench.stage().open(staging, {});
    bench.frames(3);
    return bench;
}

}  // namespace

TEST_CASE("a click on a heading brings a picture on stage, in exchange for what stood there, and Esc sends it back") {
    BenchOfPanels bench;
    open(bench, {{"A"}, {"loss", "corner"}, {}});
    StagePanel& stage = bench.workbench.stage();
    CHECK(stage.places().stage == Ids{"A"});
    const float small = bench.width("plot corner");
    bench.click("heading corner");
    bench.frames(2);
    CHECK(stage.places().stage == Ids{"corner"});
    CHECK(stage.places().wings == Ids{"loss", "A"});
    CHECK(bench.width("plot corner") > 2 * small);
    CHECK(bench.drawn("heatmap A learned"));
    bench.key(GLFW_KEY_ESCAPE);
    CHECK(stage.places().stage == Ids{"A"});
    CHECK_FALSE(stage.own());
}

TEST_CASE("Z brings what is under the pointer, and sends it back") {
    BenchOfPanels bench;
    open(bench, {{"A"}, {"loss", "corner"}, {}});
    bench.gui.move(bench.centre("plot loss"));
    bench.frames(2);
    bench.key(GLFW_KEY_Z);
    CHECK(bench.workbench.stage().places().stage == Ids{"loss"});
    bench.gui.move(bench.centre("plot loss"));
    bench.frames(2);
    bench.key(GLFW_KEY_Z);
    CHECK(bench.workbench.stage().places().stage == Ids{"A"});
}

TEST_CASE("what is brought on stage is remembered, and the layout can be reset") {
    BenchOfPanels bench;
    open(bench, {{"A"}, {"loss", "corner"}, {"probe"}});
    bench.click("heading loss");
    bench.frames(2);
    const auto& kept = bench.workbench.preferences().stagings;
    REQUIRE(kept.contains("experiment toy"));
    CHECK(kept.at("experiment toy") == Staging{{"loss"}, {"A", "corner"}, {"probe"}});
    bench.click("reset layout");
    bench.frames(2);
    CHECK_FALSE(kept.contains("experiment toy"));
    CHECK(bench.workbench.stage().places().stage == Ids{"A"});
}

TEST_CASE("pictures without a place are folded away until they are asked for") {
    BenchOfPanels bench;
    open(bench, {{"A"}, {"loss"}, {}});
    CHECK_FALSE(bench.drawn("plot corner"));
    bench.click("more");
    bench.frames(2);
    CHECK(bench.drawn("heading corner"));
    bench.click("heading corner");
    bench.frames(2);
    CHECK(bench.workbench.stage().places().stage == Ids{"corner"});
    CHECK(bench.workbench.stage().places().wings.front() == "A");
}

TEST_CASE("all seeds as tiles can have the stage; a seed that is chosen gives it to the matrices") {
    BenchOfPanels bench;
    open(bench, {{"seeds"}, {"loss"}, {}});
    bench.click("tile A 1");
    bench.frames(2);
    CHECK(bench.workbench.stage().places().stage == Ids{"A"});
    bench.key(GLFW_KEY_ESCAPE);
    CHECK(bench.drawn("tile A 0"));
}

TEST_CASE("a seed that is chosen stands alone in the small tiles too, until Esc") {
    BenchOfPanels bench;
    open(bench, {{"loss"}, {"seeds"}, {}});
    bench.click("tile A 1");
    bench.frames(2);
    CHECK(bench.workbench.matrices().view().seed_index == 1);
    CHECK(bench.drawn("heatmap A learned"));
    CHECK_FALSE(bench.drawn("tile A 1"));
    bench.workbench.answer(ask::ChooseSeed{bench.snapshot().seeds[2].seed}, *bench.session);
    CHECK(bench.workbench.matrices().view().seed_index == 2);
    bench.key(GLFW_KEY_ESCAPE);
    CHECK(bench.workbench.matrices().view().seed_index == -1);
    CHECK(bench.drawn("tile A 1"));
}

TEST_CASE("layers and context length stand on the first screen of what has and uses them") {
    const Settings td(find_experiment("td").fields);
    CHECK(first_controls({"n", "gamma"}, td) == Ids{"n", "gamma", "num_layers"});
    CHECK(first_controls({"mask_lambda"}, td) == Ids{"num_layers", "eval_context_length"});
}

TEST_CASE("a presentation shows stage, headline and the fields that the preset keeps, which can be used") {
    BenchOfPanels bench;
    open(bench, {{"loss"}, {"A"}, {"probe"}});
    bench.key(GLFW_KEY_P);
    bench.frames(3);
    const Layout& layout = bench.workbench.layout();
    CHECK(layout.all().size() == 3);
    CHECK(bench.drawn("plot loss"));
    CHECK(bench.drawn("probe"));
    CHECK_FALSE(bench.drawn("heatmap A learned"));
    const FieldValue before = bench.session->settings().value("probe");
    bench.press_along({bench.at("probe", 0.5F), bench.at("probe", 0.6F), bench.at("probe", 0.7F)});
    bench.release();
    CHECK(bench.session->settings().value("probe") != before);
}

TEST_CASE("where weights alone are on the stage, nothing asks where they are evaluated") {
    Snapshot snapshot;
    snapshot.settings = Settings(find_experiment("td").fields);
    snapshot.matrices.resize(2);
    snapshot.matrices[0].name = "P0";
    snapshot.matrices[0].initial_products = Table(1, 1);
    snapshot.matrices[1].name = "Z";  // of a prompt
    using Kind = PictureCell::Kind;
    const Ids asked = {"eval_context_length", "learning_rate"};
    CHECK(controls_of({{Kind::matrices, {"P0"}}}, asked, snapshot) == Ids{"learning_rate"});
    CHECK(controls_of({{Kind::matrices, {"P0", "Z"}}}, asked, snapshot) == asked);
    CHECK(controls_of({{Kind::matrices, {"P0"}}, {Kind::plot, {"value_error"}}}, asked, snapshot) == asked);
}
