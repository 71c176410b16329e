#include "core/pictures/axis.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/pictures/pen.h"

namespace emergence {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
using Labels = std::vector<std::string>;

Labels labels_of(double low, double high, Scale scale, int wanted) {
    Labels labels;
    for (const Tick& tick : make_ticks(low, high, scale, wanted))
        if (!tick.label.empty()) labels.push_back(tick.label);
    return labels;
}
Labels linear(double low, double high, int wanted = 5) { return labels_of(low, high, Scale::linear, wanted); }
Labels logarithmic(double low, double high, int wanted = 5) { return labels_of(low, high, Scale::logarithmic, wanted); }

bool is_about(const std::pair<double, double>& range, double low, double high) {
    return range.first == doctest::Approx(low) && range.second == doctest::Approx(high);
}

PlotSpec plot_of_rows(std::vector<double> x, std::vector<std::vector<double>> rows) {
    PlotSpec plot;
    plot.series.push_back({.name = "a", .x = std::move(x), .rows = std::move(rows)});
    return plot;
}

}  // namespace

TEST_CASE("linear ticks are at steps of 1, 2 and 5") {
    CHECK(linear(0, 10) == Labels{"0", "2", "4", "6", "8", "10"});
    CHECK(linear(0, 1) == Labels{"0", "0.2", "0.4", "0.6", "0.8", "1.0"});
    CHECK(linear(0, 4000) == Labels{"0", "1000", "2000", "3000", "4000"});
    CHECK(linear(0, 40, 4) == Labels{"0", "10", "20", "30", "40"});
    CHECK(linear(-1, 1) == Labels{"-1.0", "-0.5", "0", "0.5", "1.0"});
    CHECK(linear(1, 40, 4) == Labels{"10", "20", "30", "40"});
    CHECK(linear(-0.08, 4.3) == Labels{"0", "1", "2", "3", "4"});
}

TEST_CASE("a range's own ends have ticks, whatever its sign and scale, and nothing beyond them has") {
    const std::pair<double, double> ranges[] = {{-1, 1},      {-3, -1},       {1, 3},          {-2, 0},
                                                {0, 2},       {-1e-6, 1e-6},  {-3e12, 1e12},   {-1e-300, 1e-300},
                                                {-5e8, -4e8}, {1e6, 1e6 + 1}, {-1e6 - 1, -1e6}};
    for (const auto& [low, high] : ranges) {
        INFO(low, ", ", high);
        const double middle = (low + high) / 2, span = high - low;
        AxisSpec axis;
        axis.ticks = {low - 0.01 * span, low, middle, high, high + 0.01 * span};
        std::vector<double> values;
        for (const Tick& tick : make_ticks(axis, {low, high}, 3)) values.push_back(tick.value);
        CHECK(values == std::vector<double>{low, middle, high});
        const std::vector<Tick> computed = make_ticks(low, high, Scale::linear, 5);
        CHECK(computed.size() >= 2);
        for (const Tick& tick : computed) CHECK((tick.value >= low - 1e-6 * span && tick.value <= high + 1e-6 * span));
    }
    // Rounding does not move a tick out of its range.
    AxisSpec axis;
    axis.ticks = {-1, 0, 1};
    CHECK(make_ticks(axis, {-1 + 1e-12, 1 - 1e-12}, 3).size() == 3);
    CHECK(make_ticks(axis, {1e-17, 1}, 3).size() == 2);
    axis.ticks = {};
    axis.whole = true;
    Labels whole;
    for (const Tick& tick : make_ticks(axis, {-0.4, 1 + 1e-12}, 5)) whole.push_back(tick.label);
    CHECK(whole == Labels{"0", "1"});
    axis = AxisSpec();
    axis.scale = Scale::logarithmic;
    axis.ticks = {1e-12, 1e-9, 1, 1e3};
    CHECK(make_ticks(axis, {1e-9, 1e3}, 3).size() == 3);
}

TEST_CASE("labels have just the digits that neighbours need") {
    CHECK(linear(0.94, 0.98, 4) == Labels{"0.94", "0.95", "0.96", "0.97", "0.98"});
    CHECK(linear(100.05, 100.25) == Labels{"100.05", "100.10", "100.15", "100.20", "100.25"});
    CHECK(linear(0, 0.0025) == Labels{"0", "0.0005", "0.0010", "0.0015", "0.0020", "0.0025"});
    CHECK(linear(0, 500000) == Labels{"0", "100000", "200000", "300000", "400000", "500000"});
}

TEST_CASE("very large and very small values share one power of ten") {
    CHECK(linear(0, 2e6, 4) == Labels{"0", "0.5×10⁶", "1.0×10⁶", "1.5×10⁶", "2.0×10⁶"});
    CHECK(linear(-4e-7, 4e-7) == Labels{"-4×10⁻⁷", "-2×10⁻⁷", "0", "2×10⁻⁷", "4×10⁻⁷"});
    CHECK(linear(0, 3e30, 3) == Labels{"0", "1×10³⁰", "2×10³⁰", "3×10³⁰"});
    SUBCASE("but not where that makes them longer") {
        CHECK(linear(0, 0.0009, 3) == Labels{"0", "0.0005"});
        CHECK(linear(4000001, 4000003, 2) == Labels{"4000001", "4000002", "4000003"});
    }
}

TEST_CASE("zero is never negative, and decimal steps are exact") {
    for (const Tick& tick : make_ticks(-0.3, 0.3, Scale::linear, 6))
        CHECK_FALSE((tick.value == 0.0 && std::signbit(tick.value)));
    CHECK(make_ticks(0.0, 0.35, Scale::linear, 4).at(3).value == 0.3);
    CHECK(linear(-0.3, 0.3, 6) == Labels{"-0.3", "-0.2", "-0.1", "0", "0.1", "0.2", "0.3"});
}

TEST_CASE("about as many linear ticks as wanted, all inside") {
    for (const double span : {1e-9, 3.7e-3, 0.77, 1.0, 42.0, 999.0, 8.1e12})
        for (const double low : {0.0, -0.4 * span, 3.0 * span, -100.0 * span})
            for (int wanted = 2; wanted <= 12; ++wanted) {
                INFO(span, ", ", low);
                const auto ticks = make_ticks(low, low + span, Scale::linear, wanted);
                CHECK(ticks.size() >= 2);
                CHECK(ticks.size() >= static_cast<size_t>(wanted) / 2);
                CHECK(ticks.size() <= static_cast<size_t>(wanted) * 2 + 1);
                CHECK(ticks.front().value >= low - 1e-8 * span);
                CHECK(ticks.back().value <= low + span * (1.0 + 1e-8));
            }
}

TEST_CASE("ranges without room for ticks do not break") {
    CHECK(linear(3, 3) == Labels{"3"});
    CHECK(linear(5, 0) == linear(0, 5));
    CHECK(linear(kMissing, 1).empty());
    CHECK(linear(0, kInfinity).empty());
    CHECK(linear(-1e308, 1e308).empty());
    CHECK(linear(1e15, 1e15 + 1).size() == 1);
    CHECK(logarithmic(-5, 0).empty());
    CHECK(logarithmic(-5, 100) == Labels{"10⁻¹", "10⁰", "10¹", "10²"});
    CHECK(make_ticks(0, 1, Scale::linear, 0).size() >= 2);
}

TEST_CASE("logarithmic ticks are decades with minor ticks at 2..9") {
    CHECK(logarithmic(1e-3, 1) == Labels{"10⁻³", "10⁻²", "10⁻¹", "10⁰"});
    const auto ticks = make_ticks(1, 100, Scale::logarithmic, 5);
    REQUIRE(ticks.size() == 19);
    CHECK(ticks[0].label == "10⁰");
    CHECK(ticks[1].value == 2.0);
    CHECK(ticks[1].label.empty());
    CHECK(ticks[9].value == 10.0);
    CHECK(ticks[9].label == "10¹");
    CHECK(ticks[18].label == "10²");
}

TEST_CASE("many decades: some are labelled, the others are minor ticks") {
    CHECK(logarithmic(1e-12, 1, 5) == Labels{"10⁻¹²", "10⁻⁹", "10⁻⁶", "10⁻³", "10⁰"});
    CHECK(make_ticks(1e-12, 1, Scale::logarithmic, 5).size() == 13);
    CHECK(logarithmic(10, 1000, 2).size() >= 2);
}

TEST_CASE("a logarithmic range within a decade is labelled at 1, 2, 5, or linearly") {
    CHECK(logarithmic(2, 50) == Labels{"2", "5", "10", "20", "50"});
    CHECK(logarithmic(0.1, 0.9) == Labels{"0.1", "0.2", "0.5"});
    CHECK(logarithmic(1e-8, 9e-8) == Labels{"1×10⁻⁸", "2×10⁻⁸", "5×10⁻⁸"});
    CHECK(logarithmic(3, 4) == Labels{"3.0", "3.2", "3.4", "3.6", "3.8", "4.0"});
    CHECK(make_ticks(2, 50, Scale::logarithmic, 5).size() == 13);
}

TEST_CASE("fit shows every value with a small margin") {
    const PlotSpec plot = plot_of_rows({0, 50, 100}, {{1, 2, 3}});
    CHECK(is_about(fit_x(plot), -2, 102));
    CHECK(is_about(fit_y(plot), 0.9, 3.1));
}

TEST_CASE("fit follows what the spread draws") {
    PlotSpec plot = plot_of_rows({0, 1}, {{0, 0}, {0, 4}, {0, 8}, {0, 12}});
    plot.y.minimum = 0.0;
    // Mean 6, standard error sqrt(80/3) / 2.
    CHECK(fit_y(plot).second == doctest::Approx(1.05 * (6.0 + std::sqrt(80.0 / 3.0) / 2.0)));
    plot.spread = Spread::every_seed;
    CHECK(fit_y(plot).second == doctest::Approx(1.05 * 12.0));
    plot.spread = Spread::median;
    CHECK(fit_y(plot).second > 1.05 * 6.0);
    CHECK(fit_y(plot).second < 1.05 * 12.0);
}

TEST_CASE("fit includes reference lines on their own axis") {
    PlotSpec plot = plot_of_rows({0, 1}, {{0, 1}});
    plot.lines = {{"theory", 9.0, false}, {"now", 5.0, true}};
    CHECK(fit_y(plot).second == doctest::Approx(9.45));
    CHECK(fit_x(plot).second == doctest::Approx(5.1));
}

TEST_CASE("fit ignores what cannot be drawn") {
    PlotSpec plot = plot_of_rows({0, 1, 2, 3}, {{kMissing, kInfinity, 1, 2}});
    CHECK(fit_y(plot).first == doctest::Approx(0.95));
    plot.y.scale = Scale::logarithmic;
    plot.series[0].rows = {{-1, 0, 1, 100}};
    CHECK(is_about(fit_y(plot), std::pow(100.0, -0.05), std::pow(100.0, 1.05)));
}

TEST_CASE("fit is never empty") {
    PlotSpec plot;
    CHECK(fit_x(plot) == std::pair{0.0, 1.0});
    plot.y.scale = Scale::logarithmic;
    CHECK(fit_y(plot) == std::pair{1.0, 10.0});
    plot = plot_of_rows({5}, {{kMissing}});
    CHECK(fit_y(plot) == std::pair{0.0, 1.0});
    CHECK(fit_x(plot) == std::pair{4.5, 5.5});
    plot = plot_of_rows({0, 1}, {{0, 0}});
    CHECK(fit_y(plot) == std::pair{-1.0, 1.0});
    plot.y.scale = Scale::logarithmic;
    plot.series[0].rows = {{3, 3}};
    CHECK(fit_y(plot) == std::pair{1.5, 6.0});
}

TEST_CASE("the axis' own limits win") {
    PlotSpec plot = plot_of_rows({0, 10}, {{1, 2}});
    plot.x.minimum = 0.0;
    plot.y.maximum = 1.0;
    CHECK(fit_x(plot).first == 0.0);
    CHECK(fit_y(plot).second == 1.0);
    SUBCASE("even outside the data") {
        plot.x.minimum = 20.0;
        CHECK(fit_x(plot).first == 20.0);
        CHECK(fit_x(plot).second > 20.0);
        plot.y.maximum = -3.0;
        CHECK(fit_y(plot).second == -3.0);
        CHECK(fit_y(plot).first < -3.0);
    }
    SUBCASE("but not when they leave nothing, or cannot be on a log axis") {
        plot.x.maximum = 0.0;
        CHECK(fit_x(plot).first < fit_x(plot).second);
        plot.y.scale = Scale::logarithmic;
        plot.y.minimum = 0.0;
        CHECK(fit_y(plot).first > 0.0);
    }
}

TEST_CASE("axis_fraction and axis_value are inverse") {
    CHECK(axis_fraction(3, 1, 5, Scale::linear) == doctest::Approx(0.5));
    CHECK(axis_fraction(10, 1, 100, Scale::logarithmic) == doctest::Approx(0.5));
    CHECK(axis_value(0.5, 1, 100, Scale::logarithmic) == doctest::Approx(10));
    CHECK(axis_value(0.25, 0, 8, Scale::linear) == 2.0);
    CHECK(std::isnan(axis_fraction(0, 1, 100, Scale::logarithmic)));
    CHECK(std::isnan(axis_fraction(kInfinity, 0, 1, Scale::linear)));
    CHECK(std::isnan(axis_fraction(kMissing, 0, 1, Scale::linear)));
}

TEST_CASE("hyphens of negative numbers in a text become minus signs, others stay") {
    CHECK(greek("c -0.08 (-1, [-2]) gamma 1e-5, 2-3, --seeds, -x") == "c −0.08 (−1, [−2]) γ 1e-5, 2-3, --seeds, -x");
    CHECK(greek("-4") == "−4");
    CHECK(with_minus("-0.5") == "−0.5");
    CHECK(with_minus("0.5") == "0.5");
}

TEST_CASE("readout has four significant digits and no noise") {
    Labels texts;
    for (const double value : {0.0, -0.0, 1.0, 0.1 + 0.2, 3.14159, -0.965432, 4000.0, 123456.0, 9.99996, 0.000123456,
                               1.5e-7, 2.5e10, 999999.7, kMissing, -kInfinity})
        texts.push_back(readout(value));
    CHECK(texts == Labels{"0", "0", "1", "0.3", "3.142", "−0.9654", "4000", "123456", "10", "0.0001235", "1.5×10⁻⁷",
                          "2.5×10¹⁰", "1×10⁶", "NaN", "−∞"});
}

TEST_CASE("a cut ends the fitted range, and only what reaches beyond it") {
    emergence::PlotSpec plot;
    plot.series = {{"wild", {0, 1, 2}, {{1, 2, 1e30}}, 0, false}};
    plot.y.cut = 4.0;
    CHECK(emergence::fit_y(plot).second == 4.0);
    plot.series[0].rows = {{1, 2, 1e30}, {1, 2, 3}};  // the band's lower edge is near -1e30
    CHECK(emergence::fit_y(plot).first > 0.0);
    plot.series[0].rows = {{1, 2, 2.5}};
    CHECK(emergence::fit_y(plot).second < 3.0);
}

TEST_CASE("an axis has its own ticks where two of them are seen") {
    AxisSpec axis;
    axis.scale = Scale::logarithmic;
    axis.ticks = {1, 2, 4, 8, 16, 32};
    const auto all = make_ticks(axis, {0.9, 40.0}, 3);
    REQUIRE(all.size() == 6);
    CHECK(all[4].label == "16");
    CHECK(make_ticks(axis, {3.0, 9.0}, 3).size() == 2);
    CHECK(make_ticks(axis, {9.0, 15.0}, 3).size() == make_ticks(9.0, 15.0, Scale::logarithmic, 3).size());
}

TEST_CASE("things that are counted are numbered from 1, the first number says what they are") {
    const auto ticks = count_ticks("round", 1, 200, 5);
    REQUIRE(ticks.size() >= 3);
    CHECK(ticks.front().label.find("round ") == 0);
    CHECK(ticks.back().value == 200.0);
    CHECK(ticks.back().label == "200");
    CHECK(count_ticks("arm", 3, 3, 5).front().label == "arm 3");
    for (const Tick& tick : count_ticks("arm", 1, 4, 10)) CHECK(tick.value == std::round(tick.value));
}

TEST_CASE("shares stand on an axis from 0 to 1, also that of one network, with Wilson's band") {
    for (const double value : {0.0, 1.0}) {
        PlotSpec plot = plot_of_rows({0, 1}, {{value, value}});
        plot.series[0].share = true;
        CHECK(fit_y(plot) == std::pair(0.0, 1.0));
        const SeriesShape shape = shape_of(plot.series[0], plot);
        REQUIRE(shape.band_low.size() == 2);
        CHECK(shape.band_low[0] == doctest::Approx(value == 0.0 ? 0.0 : 0.2065).epsilon(1e-3));
        CHECK(shape.band_high[0] == doctest::Approx(value == 0.0 ? 0.7935 : 1.0).epsilon(1e-3));
    }
    PlotSpec mixed = plot_of_rows({0, 1}, {{0.5, 0.5}});
    mixed.series.push_back(mixed.series[0]);
    mixed.series[1].share = true;
    mixed.series[0].rows = {{3, 9}};
    CHECK(fit_y(mixed).second > 9.0);
    PlotSpec zoomed = plot_of_rows({0, 1}, {{0.5, 0.5}});
    zoomed.series[0].share = true;
    zoomed.y.minimum = 0.4;
    CHECK(fit_y(zoomed) == std::pair(0.4, 1.0));
}

TEST_CASE("numbers that no axis can be divided by do not bend it: subnormal ones are 0, the largest are left out") {
    for (const Scale scale : {Scale::linear, Scale::logarithmic})
        for (const double value : {1e-308, -1e-308, 5e-324, 1e-300, 1e300, -1e308, 1.7e308}) {
            CAPTURE(value);
            for (const std::vector<double>& y : {std::vector<double>{value, value}, {value, 1.0}, {value, -value}}) {
                PlotSpec plot = plot_of_rows({0, 1}, {y});
                plot.y.scale = scale;
                const auto [low, high] = fit_y(plot);
                CHECK(std::isfinite(high - low));
                CHECK(high - low > 1e-295);
                for (const Tick& tick : make_ticks(low, high, scale, 5))
                    CHECK(std::isfinite(axis_fraction(tick.value, low, high, scale)));
            }
        }
}

}  // namespace emergence
