#include "core/pictures/describe.h"
#include "tests/support/scratch.h"

#include <doctest/doctest.h>

#include <limits>

using namespace emergence;

namespace {

HeatmapSpec nine_by_nine() {
    HeatmapSpec spec;
    spec.values = Table(9, 9);
    for (int i = 0; i < 81; ++i) spec.values.values[static_cast<size_t>(i)] = i / 80.0;
    spec.row_blocks = spec.column_blocks = {{"phi", 4}, {"gamma phi'", 4}, {"R", 1}};
    return spec;
}

}  // namespace

TEST_CASE("blocks in words") {
    const std::vector<Block> blocks = {{"phi", 2}, {"R", 1}};
    CHECK(block_text(blocks, 0) == "phi, 1 of 2");
    CHECK(block_text(blocks, 2) == "R");
    CHECK(block_text(blocks, 3).empty());
}

TEST_CASE("a cell is read as shown, raw, scaled and beside theory, with what theory expects in its block") {
    HeatmapSpec spec = nine_by_nine();
    spec.unit = "scaled";
    spec.raw = spec.values;
    for (double& value : spec.raw.values) value *= 4.0;
    spec.largest = 4.0;
    spec.limit = 0.5;
    spec.meanings = {{0, 1, "+I: bootstrapping, gamma phi'"}};
    HeatmapSpec theory = nine_by_nine();
    theory.values = Table(9, 9, -1.0);
    const CellReading upper_right = read_cell(spec, {0, 4}, &theory, "theory");
    CHECK(upper_right.value == "0.05");
    CHECK(upper_right.unit == "scaled");
    CHECK(upper_right.others == "raw 0.2, theory −1");
    CHECK(upper_right.remarks.front() == "theory expects in this block: +I: bootstrapping, gamma phi'");
    const CellReading corner = read_cell(spec, {8, 8}, nullptr, "");
    CHECK(corner.others == "raw 4");
    CHECK(corner.remarks == std::vector<std::string>{"theory expects 0 here; the block is not used",
                                                     "beyond the colours, which end at ±0.5"});
    spec.unit = "raw";
    spec.meanings.clear();
    CHECK(read_cell(spec, {0, 4}, nullptr, "").others == "scaled 0.05");
    CHECK(read_cell(spec, {0, 4}, nullptr, "").remarks.empty());
}

TEST_CASE("departures from theory: their size, what they are, and nothing where only the scale differs") {
    HeatmapSpec theory;
    theory.values = Table(3, 3);
    theory.row_blocks = theory.column_blocks = {{"phi", 2}, {"R", 1}};
    theory.values(0, 0) = theory.values(1, 1) = -1.0;
    theory.values(0, 2) = 1.0;
    HeatmapSpec learned = theory;
    learned.raw = theory.values;
    for (double& value : learned.raw.values) value *= 3.0;
    for (const Departure& one : departures(learned, theory)) CHECK(one.size == doctest::Approx(0.0));

    learned.meanings = {{0, 1, "bootstrapping, in full", false, "bootstrapping"}, {1, 1, "", false, "never read"}};
    learned.raw(0, 2) = 1.5;  // half of theory's
    learned.raw(2, 2) = 1.2;  // where theory has 0
    const std::vector<Departure> found = departures(learned, theory);
    REQUIRE(found.size() == 4);
    CHECK(found[0].block == BlockPosition{0, 1});
    CHECK(found[0].size == doctest::Approx(0.5));
    CHECK(found[0].what == "bootstrapping at 0.5 of theory's");
    CHECK(found[1].block == BlockPosition{1, 1});
    CHECK(found[1].size == doctest::Approx(0.4));
    CHECK(found[1].what == "never read");
    CHECK(found[1].measured == "0.4, theory 0");
    CHECK(found[2].size == doctest::Approx(0.0));
    CHECK(block_name(learned, found[0].block) == "phi by R");

    // The line below the matrices says so; a cell says what theory expects of it.
    CHECK(read_cell(learned, {2, 2}, &theory, "theory").remarks ==
          std::vector<std::string>{"theory expects here: 0 (never read)"});

    learned.raw(1, 0) = 3.0;  // off the diagonal
    CHECK(departures(learned, theory).front().what == "the block with entries that theory does not have");
    learned.raw = Table(2, 2, 1.0);
    CHECK(departures(learned, theory).empty());
    learned.raw = Table(3, 3);
    CHECK(departures(learned, theory).empty());
}

// What stands at the pointer, in words.

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
    CHECK(testing::holds(reading_text(plot, 1, shapes[1], reading), "7: no named algorithm"));
}
