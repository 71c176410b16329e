#include "app/gui/widgets/plot.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/app/gui/widgets/drawn_plot.h"

using namespace emergence;
using namespace emergence::testing;

TEST_CASE("Ctrl and the wheel zoom at the pointer; beside an axis only that axis") {
    Framed plot;
    const AxisRange y = plot.state.y_range();
    plot.wheel(plot.at(0.25, 0.5), 1.0F);
    const AxisRange x = plot.state.x_range();
    CHECK(x.second - x.first == doctest::Approx(87.0));
    CHECK(x.first + 0.25 * 87.0 == doctest::Approx(25.0).epsilon(0.01));  // what was under the pointer
    CHECK(plot.state.y_range().second - plot.state.y_range().first == doctest::Approx(0.87 * (y.second - y.first)));
    plot.state.view = {};
    plot.wheel({plot.at(0.5, 0).x, plot.response.area_max.y + 5}, 2.0F);
    CHECK(plot.state.view.curves.x.has_value());
    CHECK_FALSE(plot.state.view.curves.y.has_value());
    plot.state.view = {};
    plot.wheel({plot.response.area_min.x - 10, plot.at(0, 0.5).y}, 2.0F);
    CHECK_FALSE(plot.state.view.curves.x.has_value());
    CHECK(plot.state.y_range().second < y.second);
    plot.state.view = {};
    plot.wheel({plot.response.area_min.x, plot.response.area_min.y - 30}, 2.0F);  // over the title
    CHECK(plot.state.view.curves.fitted());
}

TEST_CASE("zooming out ends at the data, from wherever the view is; the wheel alone leaves a plot as it is") {
    Framed plot;
    const AxisRange x = plot.state.x_range(), y = plot.state.y_range();
    plot.wheel(plot.at(0.25, 0.5), 3.0F, false);
    plot.wheel(plot.at(0.25, 0.5), -100.0F);
    CHECK(plot.state.view.curves.fitted());
    for (const double at : {0.1, 0.9}) {
        plot.wheel(plot.at(at, at), 6.0F);
        CHECK_FALSE(plot.state.view.curves.fitted());
        for (int notch = 0; notch < 20; ++notch) {
            plot.wheel(plot.at(0.5, 0.3), -1.0F);
            CHECK(plot.state.x_range().first >= x.first);
            CHECK(plot.state.x_range().second <= x.second);
            CHECK(plot.state.y_range().first >= y.first);
            CHECK(plot.state.y_range().second <= y.second);
        }
        CHECK(plot.state.view.curves.fitted());
    }
    plot.drag(plot.at(0.9, 0.5), plot.at(0.0, 0.5));  // beyond the data
    plot.wheel(plot.at(0.5, 0.5), -50.0F);
    CHECK(plot.state.view.curves.fitted());
}

TEST_CASE("new data never moves the user's view, and an axis that was not touched still follows") {
    Drawn plot;
    plot.spec.x.minimum.reset();
    plot.spec.x.maximum.reset();
    plot.frame();
    plot.wheel({plot.at(0.5, 0).x, plot.response.area_max.y + 5}, 1.0F);
    const AxisRange x = plot.state.x_range();
    plot.spec.series[0].x.push_back(500.0);
    for (auto& row : plot.spec.series[0].rows) row.push_back(3.0);
    plot.spec.series[0].rows[0][5] = 90.0;
    plot.new_data();
    CHECK(plot.state.x_range() == x);
    CHECK(plot.state.y_range().second > 40.0);
    plot.double_click(plot.at(0.5, 0.5));
    CHECK(plot.state.x_range().second > 500.0);
}

TEST_CASE("dragging pans along the way that was dragged; a double click fits, beside an axis only that one") {
    Framed plot;
    const AxisRange y = plot.state.y_range();
    plot.drag(plot.at(0.5, 0.5), plot.at(0.6, 0.5));
    CHECK(plot.state.x_range() == AxisRange{0.0, 100.0});  // there are no negative steps
    plot.drag(plot.at(0.6, 0.5), plot.at(0.5, 0.5));
    CHECK(plot.state.x_range().first == doctest::Approx(10.0).epsilon(0.02));
    CHECK(plot.state.x_range().second == doctest::Approx(110.0).epsilon(0.02));
    CHECK_FALSE(plot.state.view.curves.y.has_value());
    plot.drag({plot.response.area_min.x - 10, plot.at(0, 0.5).y}, {plot.response.area_min.x - 10, plot.at(0, 0.3).y});
    CHECK(plot.state.y_range().second == doctest::Approx(y.second + 0.2 * (y.second - y.first)).epsilon(0.02));
    plot.frame(40);
    plot.double_click({plot.response.area_min.x - 10, plot.at(0, 0.5).y});
    CHECK(plot.state.y_range() == y);
    CHECK(plot.state.view.curves.x.has_value());
    plot.double_click(plot.at(0.5, 0.5));
    CHECK(plot.state.view.curves.fitted());
    CHECK(plot.state.x_range() == AxisRange{0.0, 100.0});
}

TEST_CASE("the menu: scales and markers") {
    Framed plot;
    const auto choose = [&](const char* item) {
        plot.gui.move({790, 590});
        plot.click(plot.at(0.5, 0.2), 1);
        plot.frame(2);
        plot.click_on(item);
        plot.frame(2);
    };
    choose("menu Logarithmic y");
    CHECK(plot.state.shown().y.scale == Scale::logarithmic);
    choose("menu Logarithmic y");
    CHECK_FALSE(plot.state.view.y_scale.has_value());
    choose("menu Markers");
    CHECK_FALSE(plot.state.shown().markers);
}

TEST_CASE("a plot that is not fitted offers to be") {
    Framed plot;
    CHECK_FALSE(plot.gui.log().drawn("fit loss"));
    plot.wheel(plot.at(0.5, 0.5), 3.0F);
    plot.click_on("fit loss");
    CHECK(plot.state.view.curves.fitted());
    CHECK_FALSE(plot.gui.log().drawn("fit loss"));
}

TEST_CASE("a histogram is drawn and read, and its zoom is its own") {
    Drawn plot;
    plot.state.view.histogram = true;
    plot.frame(2);
    CHECK(plot.state.shown().series.at(0).bars);
    plot.wheel(plot.at(0.5, 0.5), 2.0F);
    plot.gui.move(plot.at(0.3, 0.5));
    plot.frame();
    CHECK(plot.response.reading.has_value());
    CHECK_FALSE(plot.state.view.bars.fitted());
    CHECK(plot.state.view.curves.fitted());
    plot.state.view.histogram = false;
    plot.frame();
    CHECK(plot.state.x_range() == AxisRange{0.0, 100.0});
}
