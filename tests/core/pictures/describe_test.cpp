#include "core/pictures/describe.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/pictures/plot.h"
#include "tests/support/scratch.h"

namespace emergence {
namespace {

bool has_sentence(const Description& said, const std::string& words) {
    return std::any_of(said.sentences.begin(), said.sentences.end(),
                       [&](const std::string& sentence) { return testing::holds(sentence, words); });
}

PlotSpec lines_to_describe(std::vector<double> first, std::vector<double> second) {
    PlotSpec plot;
    plot.id = "error";
    plot.title = "Value error";
    plot.x.label = "MRPs";
    plot.y.label = "MSVE";
    std::vector<double> x;
    for (size_t i = 0; i < first.size(); ++i) x.push_back(100.0 * static_cast<double>(i));
    plot.series.push_back({"network", x, {std::move(first)}, 0});
    plot.series.push_back({"batch TD", x, {std::move(second)}, 1, true});
    return plot;
}

HeatmapSpec square(const std::string& id, std::vector<double> values) {
    HeatmapSpec heatmap;
    heatmap.id = heatmap.title = id;
    heatmap.values = Table(3, 3);
    heatmap.values.values = std::move(values);
    heatmap.raw = heatmap.values;
    heatmap.row_blocks = heatmap.column_blocks = {{"phi", 2}, {"R", 1}};
    heatmap.unit = "scaled";
    return heatmap;
}

}  // namespace

TEST_CASE("a plot in words: axes, courses, the order at the end") {
    PlotSpec plot = lines_to_describe({4, 3, 2, 1, 0.5}, {1.5, 1.5, 1.5, 1.5, 1.5});
    plot.y.minimum = 0;
    plot.y.maximum = 4;
    plot.lines.push_back({"predicting zero", 3.5});
    plot.shaded.push_back({"trained here", 100, 300});
    plot.readout = "MSVE 0.5";
    const Description said = describe(plot);
    CHECK(said.id == "error");
    CHECK(said.title == "Value error");
    CHECK(has_sentence(said, "The y axis shows MSVE from 0 to 4."));
    CHECK(has_sentence(said, "network falls from 4 at 0 to 0.5 at 400."));
    CHECK(has_sentence(said, "batch TD stays near 1.5."));
    CHECK(has_sentence(said, "At the right end, from low to high: network 0.5, batch TD 1.5."));
    CHECK(has_sentence(said, "A horizontal line marks predicting zero at 3.5."));
    CHECK(has_sentence(said, "Shaded from 100 to 300: trained here."));
    CHECK(has_sentence(said, "Read-out: MSVE 0.5."));
}

TEST_CASE("a line that turns, lines that lie on each other, a hidden one, one without values") {
    PlotSpec plot = lines_to_describe({0, 5, 10, 4, 1}, {0, 5, 10, 4, 1});
    plot.series.push_back({"left out", plot.series[0].x, {{9, 9, 9, 9, 9}}, 2, false, true});
    plot.series.push_back({"later", plot.series[0].x, {std::vector<double>(5, kMissing)}, 3});
    const Description said = describe(plot);
    CHECK(has_sentence(said, "network begins at 0 at 0, rises to 10 at 200, then falls to 1 at 400."));
    CHECK(has_sentence(said, "batch TD lies on network."));
    CHECK(has_sentence(said, "Hidden: left out."));
    CHECK(has_sentence(said, "later: no values yet."));
}

TEST_CASE("several seeds: the mean, its band, and the words for it") {
    PlotSpec plot = lines_to_describe({1, 2}, {5, 5});
    plot.series[0].rows = {{1, 1}, {1, 3}};
    plot.seeds = {0, 1};
    const Description said = describe(plot);
    CHECK(has_sentence(said, "means over 2 seeds; brackets give one standard error"));
    CHECK(has_sentence(said, "network rises from 1 at 0 to 2 at 100 [1 to 3]."));
}

TEST_CASE("marks, bars and paths") {
    PlotSpec plot;
    plot.series.push_back({.name = "optima", .x = {1, 3}, .rows = {{2, 8}}, .points = true});
    plot.series.push_back({.name = "counts", .x = {0, 1, 2}, .rows = {{2, 7, 0}}, .bars = true});
    plot.series.push_back({.name = "flow", .x = {0, 2, 1}, .rows = {{0, 1, 4}}});
    const Description said = describe(plot);
    CHECK(has_sentence(said, "optima: 2 marks, x from 1 to 3, y from 2 to 8."));
    CHECK(has_sentence(said, "counts: 2 bars from 0 to 2, 9 in all; the highest, 7, from 1 to 2."));
    CHECK(has_sentence(said, "flow: a path from (0, 0) to (1, 4)."));
}

TEST_CASE("a matrix in words: its largest entries, its diagonals, its distance from theory's") {
    const HeatmapSpec theory = square("Q theory", {-1, 0, 0, 0, -1, 0, 0, 0, 0});
    const HeatmapSpec learned = square("Q", {-1, 0.02, 0, 0, -0.9, 0, 0, 0, 0.4});
    const std::vector<Description> said = describe(std::vector<HeatmapSpec>{learned, theory});
    REQUIRE(said.size() == 1);  // theory's stands beside it
    CHECK(has_sentence(said[0], "A matrix of 3 rows (phi 2, R 1) and 3 columns (phi 2, R 1); values: scaled."));
    CHECK(has_sentence(
        said[0],
        "The largest entries: −1 (row phi, 1 of 2, column phi, 1 of 2); −0.9 (row phi, 2 of 2, column phi, 2 of "
        "2); "
        "0.4 (row R, column R)"));
    CHECK(has_sentence(said[0],
                       "Block rows phi, columns phi: a diagonal, its entries −1 to −0.9, mean −0.95; off it "
                       "at most 0.02 in size."));
    CHECK(has_sentence(said[0], "Block rows R, columns R: 0.4."));
    CHECK(has_sentence(said[0], "In all other blocks no entry is above 0 in size."));
    CHECK(has_sentence(said[0],
                       "After dividing each matrix by its largest entry, these blocks differ from theory's: R by R, "
                       "by 0.4: theory has 0 (0.4, theory 0)."));
    // Only the shape counts: a matrix half as large agrees as well.
    HeatmapSpec half = theory;
    half.id = "Q learned";
    for (double& value : half.raw.values) value /= 2;
    CHECK(has_sentence(describe(half, &theory), "Every block agrees with theory's within 0.15."));
}

TEST_CASE("what is measured and what theory expects are told apart") {
    HeatmapSpec learned = square("Q", {-1, 0.02, 0, 0, -0.9, 0, 0, 0, 0.4});
    learned.meanings = {{0, 1, "0"}};
    CHECK(has_sentence(describe(learned), "These are the run's numbers, not theory's:"));
    CHECK(has_sentence(describe(learned), "Theory expects in rows phi, columns R: 0."));
    HeatmapSpec theory = learned;
    theory.id = "Q theory";
    CHECK(has_sentence(describe(theory), "Theory's matrix of 3 rows"));
    CHECK_FALSE(has_sentence(describe(theory), "the run's"));
    learned.meanings = {};
    CHECK_FALSE(has_sentence(describe(learned), "theory"));
}

TEST_CASE("numbered rows, an empty matrix, a matrix of zeros") {
    HeatmapSpec map;
    map.row_word = "layer";
    map.column_word = "context";
    map.values = Table(2, 2);
    map.values.values = {1, 2, 3, 4e-17};
    CHECK(has_sentence(describe(map), "3 (row layer 2, column context 1)"));
    CHECK(has_sentence(describe(map), "; 0 (row layer 2, column context 2)"));
    HeatmapSpec none;
    none.note = "P0: theory names no matrix to compare with";
    CHECK(describe(none).sentences == std::vector<std::string>{"P0: theory names no matrix to compare with."});
    HeatmapSpec zeros = square("P", std::vector<double>(9, 0.0));
    CHECK(has_sentence(describe(zeros), "Every entry is 0."));
}

TEST_CASE("a figure in words, as text") {
    DrawingSpec world;
    world.title = "The world";
    world.numbers = {{"r0", 0.5}, {"angle", 3.0, "deg"}};
    world.shapes = {drawn_label({0, 0}, "s0")};
    world.note = "A chain";
    FigureSpec figure;
    figure.title = "Figure 1";
    figure.caption = "Eight seeds";
    figure.cells.push_back({lines_to_describe({1, 1}, {2, 2}), 0, 0});
    figure.cells.push_back({world, 0, 1});
    const std::string text = text_of(describe(figure));
    CHECK(text.starts_with("Figure 1\nEight seeds.\n\nValue error\nThe x axis"));
    CHECK(text.ends_with("\n\nThe world\nNumbers: r0 0.5, angle 3 deg.\nThe drawing is labelled: s0.\nA chain.\n"));
}

}  // namespace emergence
