#include "core/experiments/in_context_td/pictures/td_pictures.h"
#include "tests/support/small_runs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace emergence;

namespace {

Settings cart_pole_settings() {
    return emergence::testing::settings_of("td", "task=cart_pole, n=20, seeds=2, bank_size=32");
}

Snapshot trained_cart_pole(const Settings& settings, int64_t steps) {
    emergence::testing::RunOf run("td", settings);
    run.advance_to(steps);
    return run.snapshot();
}

}  // namespace

TEST_CASE("a cart-pole is drawn where it is: cart, pole, push") {
    const CartPoleParameters parameters{1.0, 0.1, 0.75, 9.8, 0.02, 10.0, 0.5};
    CartPoleFrame frame{{1.2, 0.0, 0.1, 0.0}, {}, 0.5, true, false};
    const DrawingSpec right = cart_pole_drawing(parameters, frame);
    const auto pole = std::find_if(right.shapes.begin(), right.shapes.end(),
                                   [](const DrawnShape& shape) { return shape.width == 3.0; });
    REQUIRE(pole != right.shapes.end());
    const auto [x0, y0] = pole->places[0];
    const auto [x1, y1] = pole->places[1];
    CHECK(x0 == 1.2);
    CHECK(std::hypot(x1 - x0, y1 - y0) == doctest::Approx(1.5));
    CHECK(std::atan2(x1 - x0, y1 - y0) == doctest::Approx(0.1));  // positive leans to the right
    const auto push_of = [](const DrawingSpec& drawing) {
        const auto arrow = std::find_if(drawing.shapes.begin(), drawing.shapes.end(),
                                        [](const DrawnShape& shape) { return shape.arrow; });
        return arrow->places[1].first - arrow->places[0].first;
    };
    CHECK(push_of(right) > 0);
    frame.pushed_right = false;
    CHECK(push_of(cart_pole_drawing(parameters, frame)) < 0);
}

TEST_CASE("CartPole's snapshots have a scene; other tasks' have none") {
    const Settings settings = cart_pole_settings();
    const Snapshot snapshot = trained_cart_pole(settings, 3);
    REQUIRE(snapshot.scenes.size() == 2);  // the second one is the prompt
    const Scene& scene = snapshot.scenes[0];
    CHECK(scene.moments->size() == 160);
    CHECK(scene.first_time == 21);
    CHECK(scene.moments_per_second > 0);
    CHECK(settings.info(scene.chosen_by).applies == Applies::live);
    REQUIRE(scene.plots.size() == 1);
    // The reward drawn is that of the plot.
    const auto& rewards = scene.plots[0].series[0].rows[0];
    for (size_t t = 0; t < 160; ++t) CHECK((*scene.moments)[t].numbers[5].value == rewards[t]);

    Settings boyan = settings;
    boyan.set("task", std::string("boyan"));
    for (const Scene& other : trained_cart_pole(boyan, 1).scenes) CHECK(other.id == "prompt");
}
