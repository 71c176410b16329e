// What stands at the pointer, in words.
#include "core/pictures/read_plot.h"

#include <doctest/doctest.h>

#include <limits>

using namespace emergence;

TEST_CASE("a landmark reads as its name and place, a coordinate that is not known as that") {
    PlotSpec plot;
    plot.x.label = "beta";
    Series landmarks{"landmarks", {1, 1}, {{0, 1}}};
    landmarks.points = true;
    landmarks.details.labels = {"TD", "residual gradient"};
    Series seeds{"TD loss", {0.75}, {{0.5}}};
    seeds.points = true;
    seeds.seeds = {7};
    seeds.details.half_x = {std::numeric_limits<double>::infinity()};
    seeds.details.half_y = {0.1};
    seeds.details.words = {"no named algorithm"};
    plot.series = {landmarks, seeds};
    const std::vector<SeriesShape> shapes = shapes_of(plot);
    PlotReading reading;
    reading.x = 1;
    reading.values = {1, std::numeric_limits<double>::quiet_NaN()};
    reading.nearest = NearestPoint{.series = 0, .seed = std::nullopt, .x = 1, .y = 1, .distance = 0};
    CHECK(reading_text(plot, 0, shapes[0], reading) == "residual gradient (1, 1)");
    reading.x = 0.75;
    reading.nearest = NearestPoint{.series = 1, .seed = std::nullopt, .x = 0.75, .y = 0.5, .distance = 0};
    reading.values = {std::numeric_limits<double>::quiet_NaN(), 0.5};
    CHECK(reading_of_x(plot, shapes, reading) == "not determined");
    CHECK(reading_text(plot, 1, shapes[1], reading).find("7: no named algorithm") != std::string::npos);
}
