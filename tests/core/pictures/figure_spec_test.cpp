#include "core/pictures/figure_spec.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <variant>

using namespace emergence;

TEST_CASE("a summary by hand") {
    const std::vector<std::vector<double>> rows = {{0, 1}, {0, 2}, {0, 4}, {0, 9}};
    const Summary summary = summarise(rows, 1);
    CHECK(summary.count == 4);
    CHECK(summary.mean == doctest::Approx(4.0));
    // deviations -3, -2, 0, 5: variance 38 / 3
    CHECK(summary.standard_error == doctest::Approx(std::sqrt(38.0 / 3.0 / 4.0)));
    CHECK(summary.deviation == doctest::Approx(std::sqrt(38.0 / 3.0)));
    CHECK(summary.median == doctest::Approx(3.0));
    CHECK(summary.lower_quartile == doctest::Approx(1.75));
    CHECK(summary.upper_quartile == doctest::Approx(5.25));
}

TEST_CASE("entries that are missing do not count") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    const std::vector<std::vector<double>> rows = {{nan, nan}, {3.0, infinity}, {}, {5.0}};
    CHECK(summarise(rows, 0).count == 2);
    CHECK(summarise(rows, 0).mean == doctest::Approx(4.0));
    const Summary none = summarise(rows, 1);
    CHECK(none.count == 0);
    CHECK(std::isnan(none.mean));
    CHECK(std::isnan(none.median));
    const Summary one = summarise({{7.0}}, 0);
    CHECK(std::isnan(one.standard_error));
    CHECK(one.lower_quartile == 7.0);
}

namespace {

Scene toy_scene(int moments) {
    Scene scene;
    scene.id = "toy";
    scene.first_time = 10;
    auto all = std::make_shared<std::vector<DrawingSpec>>();
    for (int i = 0; i < moments; ++i) {
        DrawingSpec drawing;
        drawing.id = scene.id;
        drawing.numbers = {{"i", static_cast<double>(i)}};
        all->push_back(drawing);
    }
    scene.moments = all;
    PlotSpec plot;
    plot.id = "value";
    plot.x.label = "t";
    scene.plots = {plot};
    return scene;
}

}  // namespace

TEST_CASE("a moment of a scene is marked in its plots, beyond the last it is the last") {
    const Scene scene = toy_scene(5);
    const SceneMoment moment = moment_of(scene, 3);
    CHECK(moment.drawing.numbers[0].value == 3);
    REQUIRE(moment.plots[0].lines.size() == 1);
    CHECK(moment.plots[0].lines[0].vertical);
    CHECK(moment.plots[0].lines[0].value == 13);
    CHECK(moment.plots[0].lines[0].label == "t = 13");
    CHECK(moment_of(scene, 99).drawing.numbers[0].value == 4);
    CHECK(typical_moment(scene) == 2);
    CHECK(moment_of(toy_scene(1), 0).plots[0].lines.empty());
}

TEST_CASE("a scene's figure has the drawing beside its plots, or alone") {
    SceneMoment moment = moment_of(toy_scene(3), 1);
    const FigureSpec both = scene_figure(moment);
    REQUIRE(both.cells.size() == 2);
    CHECK(std::holds_alternative<DrawingSpec>(both.cells[0].content));
    CHECK(both.column_weights.size() == 2);
    moment.plots.clear();
    const FigureSpec alone = scene_figure(moment);
    CHECK(alone.cells.size() == 1);
    CHECK(alone.width_inches < both.width_inches);
}

TEST_CASE("a drawing fits its rectangle with one scale, in the middle, y upwards") {
    DrawingSpec drawing;
    drawing.left = -2;
    drawing.right = 2;
    drawing.bottom = 0;
    drawing.top = 1;
    const DrawingFit fit = fit_drawing(drawing, {100, 50, 80, 60});
    CHECK(fit.scale == doctest::Approx(20));
    CHECK(fit.at({-2, 0}).x == doctest::Approx(100));
    CHECK(fit.at({2, 1}).x == doctest::Approx(180));
    CHECK(fit.at({0, 0.5}).y == doctest::Approx(80));
    CHECK(fit.at({0, 1}).y < fit.at({0, 0}).y);
}

TEST_CASE("an arrow's head ends at its tip and is symmetric about the line") {
    const auto head = arrow_head({0, 0}, {3, 4}, 2);
    CHECK(head[0] == Point{3, 4});
    const double middle_x = (head[1].x + head[2].x) / 2, middle_y = (head[1].y + head[2].y) / 2;
    CHECK(std::hypot(3 - middle_x, 4 - middle_y) == doctest::Approx(2));
    CHECK(middle_x * 4 == doctest::Approx(middle_y * 3));
}

TEST_CASE("a block lights up the terms that are tied to the fewest blocks") {
    const BlockReference a{"Q", 0, 0}, b{"Q", 0, 1}, c{"P", 1, 1};
    const Formula formula{
        "f", {{"x", "", {a}}, {"+", "", {}}, {"y", "", {b}}, {"z", "", {a, b}}, {"u", "", {c}}, {"v", "", {c}}}, ""};
    CHECK(terms_of_block(formula, a) == std::vector<size_t>{0});
    CHECK(terms_of_block(formula, b) == std::vector<size_t>{2});
    CHECK(terms_of_block(formula, c) == std::vector<size_t>{4, 5});
    CHECK(terms_of_block(formula, {"Q", 1, 1}).empty());
    CHECK(terms_of_block(formula, {"P", 0, 0}).empty());
}

TEST_CASE("where only a shared term is tied to a block, that one lights up") {
    const BlockReference a{"Q", 0, 0}, b{"Q", 0, 1};
    const Formula formula{"f", {{"x", "", {a, b}}, {"y", "", {b}}}, ""};
    CHECK(terms_of_block(formula, a) == std::vector<size_t>{0});
    CHECK(terms_of_block(formula, b) == std::vector<size_t>{1});
}
