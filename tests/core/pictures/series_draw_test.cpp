#include "core/pictures/axis.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/pictures/pen.h"

namespace emergence {
namespace {

Series series_of_three_seeds(const char* name = "a") {
    return {.name = name, .x = {0, 1, 2}, .rows = {{1, 2, kMissing}, {3, 2, kMissing}, {8, kMissing, kMissing}}};
}

PlotSpec spread_plot(Spread spread, double smoothing = 0.0, int highlighted_seed = -1) {
    PlotSpec plot;
    plot.spread = spread;
    plot.smoothing = smoothing;
    plot.highlighted_seed = highlighted_seed;
    return plot;
}

}  // namespace

TEST_CASE("a mean has a band of one standard error, a median its quartiles") {
    const Series series = series_of_three_seeds();
    const SeriesShape mean = shape_of(series, spread_plot(Spread::standard_error));
    CHECK(mean.center[0] == doctest::Approx(4));
    CHECK(mean.band_high[0] - mean.center[0] == doctest::Approx(std::sqrt(26.0 / 2.0 / 3.0)));
    CHECK(mean.center[0] - mean.band_low[0] == doctest::Approx(std::sqrt(26.0 / 2.0 / 3.0)));
    CHECK(mean.center[1] == doctest::Approx(2));
    CHECK(std::isnan(mean.center[2]));
    CHECK(std::isnan(mean.band_low[2]));
    CHECK(mean.seeds.empty());

    const SeriesShape median = shape_of(series, spread_plot(Spread::median));
    CHECK(median.center[0] == doctest::Approx(3));
    CHECK(median.band_low[0] < 3.0);
    CHECK(median.band_high[0] > 3.0);
}

TEST_CASE("every seed is drawn thin, with the mean") {
    const Series series = series_of_three_seeds();
    const SeriesShape shape = shape_of(series, spread_plot(Spread::every_seed));
    CHECK(shape.seeds.size() == 3);
    CHECK(shape.seeds[1][1] == 2.0);
    CHECK(shape.band_low.empty());
    CHECK(shape.center[0] == doctest::Approx(4));
}

TEST_CASE("a band of one standard deviation") {
    const SeriesShape shape = shape_of(series_of_three_seeds(), spread_plot(Spread::deviation));
    CHECK(shape.band_high[0] - shape.center[0] == doctest::Approx(std::sqrt(26.0 / 2.0)));
    CHECK(shape.center[0] - shape.band_low[0] == doctest::Approx(std::sqrt(26.0 / 2.0)));
}

TEST_CASE("smoothing is debiased, by hand") {
    // m_1 = 0.5 * 4 = 2, over 1 - 0.5; m_2 = 0.5 * 2 + 0.5 * 0 = 1, over 1 - 0.25; m_3 = 0.5 + 4, over 1 -
    // 0.125
    const std::vector<double> smooth = smoothed({4, 0, 8}, 0.5);
    CHECK(smooth[0] == doctest::Approx(4.0));
    CHECK(smooth[1] == doctest::Approx(4.0 / 3.0));
    CHECK(smooth[2] == doctest::Approx(4.5 / 0.875));
    CHECK(smoothed({3, 3, 3, 3}, 0.99)[3] == doctest::Approx(3.0));  // no pull towards zero
    CHECK(smoothed({1, 5, 2}, 0.0) == std::vector<double>{1, 5, 2});
}

TEST_CASE("smoothing leaves gaps where they are and does not count them") {
    const std::vector<double> smooth = smoothed({kMissing, 4, kMissing, kMissing, 0}, 0.5);
    CHECK(std::isnan(smooth[0]));
    CHECK(smooth[1] == doctest::Approx(4.0));
    CHECK(std::isnan(smooth[2]));
    CHECK(std::isnan(smooth[3]));
    CHECK(smooth[4] == doctest::Approx(4.0 / 3.0));
}

TEST_CASE("seeds are smoothed before they are averaged, and the raw mean is kept") {
    Series series{.name = "a", .x = {0, 1}, .rows = {{4, 0}, {0, 8}}};
    const SeriesShape shape = shape_of(series, spread_plot(Spread::standard_error, 0.5));
    CHECK(shape.raw == std::vector<double>{2, 4});
    // The seeds are 4, 4/3 and 0, 16/3.
    CHECK(shape.center[1] == doctest::Approx((4.0 + 16.0) / 6.0));
    CHECK(shape.band_high[1] - shape.center[1] == doctest::Approx(2.0));
    CHECK(shape_of(series, spread_plot(Spread::every_seed, 0.5)).seeds[1][1] == doctest::Approx(16.0 / 3.0));
    CHECK(shape_of(series, spread_plot(Spread::median)).raw.empty());
}

TEST_CASE("one seed can stand out; a hidden series has no shape") {
    Series series = series_of_three_seeds();
    CHECK(shape_of(series, spread_plot(Spread::standard_error, 0.0, 1)).highlighted[1] == 2.0);
    CHECK(shape_of(series, spread_plot(Spread::every_seed, 0.0, 3)).highlighted.empty());
    series.hidden = true;
    CHECK(shape_of(series, spread_plot(Spread::every_seed, 0.5, 1)).x.empty());
}

TEST_CASE("a legend says which curves coincide, and their seeds are drawn once") {
    PlotSpec plot = spread_plot(Spread::every_seed);
    plot.series = {series_of_three_seeds(), series_of_three_seeds("b"), series_of_three_seeds("c")};
    plot.series[1].rows[0][1] += 1e-6;
    plot.series[2].rows[0][1] += 0.1;
    CHECK(legend_names(plot) == std::vector<std::string>{"a", "b (= a)", "c"});
    const auto shapes = shapes_of(plot);
    CHECK(shapes[0].seeds.size() == 3);
    CHECK(shapes[1].seeds.empty());
    CHECK(shapes[2].seeds.size() == 3);
    plot.series[0].hidden = true;
    CHECK(legend_names(plot)[1] == "b (= a)");  // an entry keeps its width while one clicks on it
    CHECK(shapes_of(plot)[1].seeds.size() == 3);
}

TEST_CASE("the line of one seed is named") {
    PlotSpec plot = spread_plot(Spread::standard_error, 0.0, 2);
    plot.series = {series_of_three_seeds()};
    CHECK(highlight_note(plot) == "thin line: run 2");
    plot.seeds = {4, 5, 6};
    CHECK(highlight_note(plot) == "thin line: seed 6");
    plot.series[0].hidden = true;
    CHECK(highlight_note(plot).empty());
}

TEST_CASE("a row is called what it is") {
    PlotSpec plot;
    CHECK(row_name(plot, 3) == "run 3");
    plot.seeds = {10, 11};
    CHECK(row_name(plot, 1) == "seed 11");
    plot.row_word = "environment";
    CHECK(row_name(plot, 1) == "environment 11");
}

TEST_CASE("where a line leaves a cut axis") {
    PlotSpec plot;
    plot.y = {"", "", Scale::linear, 0.0, 1.0, 1.0};
    SeriesShape shape;
    shape.x = {0, 10, 20, 30, 40};
    shape.center = {0.5, 1.5, 2.0, kMissing, 3.0};
    CHECK(exits_of(plot, shape) == std::vector<double>{5, 40});
    CHECK(drawing_note(plot, {shape}) == "y axis ends at 1");
    plot.y.maximum = 0.7;  // zoomed
    CHECK(exits_of(plot, shape).empty());
    plot.y.maximum = 1.0;
    shape.center = {0.5, 0.9, 1.0, 0.2, 0.1};
    CHECK(drawing_note(plot, {shape}).empty());
}

TEST_CASE("what a logarithmic axis cannot show is counted") {
    PlotSpec plot;
    plot.series = {{"a", {0, 1, 2, 3}, {{1, -1, 0, 5}}}, {"b", {1, 2}, {{-1, kMissing}}}};
    CHECK(drawing_note(plot, shapes_of(plot)) == "");
    plot.y.scale = Scale::logarithmic;
    CHECK(drawing_note(plot, shapes_of(plot)) == "3 points ≤ 0 not shown");
    plot.x.scale = Scale::logarithmic;
    CHECK(drawing_note(plot, shapes_of(plot)) == "4 points ≤ 0 not shown");
    plot.series[1].hidden = true;
    CHECK(drawing_note(plot, shapes_of(plot)) == "3 points ≤ 0 not shown");
}

TEST_CASE("one seed or none has neither band nor thin lines") {
    Series series{.name = "a", .x = {0, 1}, .rows = {{1, 2}}};
    for (const Spread spread : {Spread::standard_error, Spread::every_seed, Spread::median}) {
        const SeriesShape shape = shape_of(series, spread_plot(spread));
        CHECK(shape.center == std::vector<double>{1, 2});
        CHECK(shape.band_low.empty());
        CHECK(shape.seeds.empty());
    }
    series.rows.clear();
    CHECK(std::isnan(shape_of(series, spread_plot(Spread::standard_error)).center[1]));
}

TEST_CASE("a scatter is not smoothed: its points are no curve") {
    PlotSpec plot;
    plot.smoothing = 0.9;
    plot.series = {{.name = "seeds", .x = {3, 1, 2}, .rows = {{5, 7, 6}}, .points = true}};
    const SeriesShape shape = shapes_of(plot)[0];
    CHECK(shape.x == std::vector<double>{3, 1, 2});
    CHECK(shape.center == std::vector<double>{5, 7, 6});
    CHECK(shape.raw.empty());
}

TEST_CASE("marks are twelve shapes about their centre, and sparse ones are as far apart as is asked for") {
    std::set<std::vector<std::pair<double, double>>> shapes;
    for (int color = 0; color < kNumCategorical; ++color) {
        const auto outline = marker_outline(color);
        shapes.insert(outline);
        for (size_t i = 0; i < outline.size(); ++i) {
            CHECK(std::hypot(outline[i].first, outline[i].second) < 1.1);
            // Seen whole from the centre: clockwise all the way, y pointing downwards.
            const auto& next = outline[(i + 1) % outline.size()];
            CHECK(outline[i].first * next.second - outline[i].second * next.first > 0.0);
        }
    }
    CHECK(shapes.size() == kNumCategorical);
    CHECK(marker_outline(-1) == marker_outline(kNumCategorical - 1));
    CHECK(marker_stride(4.0, 84.0) == 21);
    CHECK(marker_stride(100.0, 84.0) == 1);
    CHECK(marker_stride(0.0, 84.0) == 1);
}

}  // namespace emergence
