#include "app/gui/widgets/plot.h"

#include <doctest/doctest.h>
#include <imgui_internal.h>

#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "tests/app/gui/widgets/drawn_plot.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

TEST_CASE("the crosshair reads all series at the measured x that is nearest") {
    Framed plot;
    CHECK_FALSE(plot.response.reading.has_value());
    plot.point_at(0.52);
    REQUIRE(plot.response.reading.has_value());
    CHECK(plot.response.reading->x == 50.0);
    REQUIRE(plot.response.reading->values.size() == 2);
    CHECK(plot.response.reading->values[0] == 2.0);  // the mean over seeds
    CHECK(plot.response.reading->values[1] == 5.0);
    plot.point_at(0.29);
    CHECK(plot.response.reading->x == 30.0);
    CHECK(std::isnan(plot.response.reading->values[1]));
    plot.gui.move({790, 590});
    plot.frame();
    CHECK_FALSE(plot.response.reading.has_value());
}

TEST_CASE("a click in the legend hides a series and shows it again, a double click isolates and brings back") {
    Drawn plot;
    plot.spec.series.push_back(plot.spec.series[0]);
    plot.spec.series[2].name = "third";
    plot.frame();
    plot.click_on("legend loss learned");
    plot.frame(40);
    CHECK(plot.state.view.hidden == std::set<std::string>{"learned"});
    CHECK(plot.state.shown().series[0].hidden);
    CHECK(plot.state.y_range().second > 5.0);
    plot.click_on("legend loss learned");
    plot.frame(40);
    CHECK(plot.state.view.hidden.empty());
    plot.double_click(plot.gui.log().centre("legend loss third"));
    CHECK(plot.state.view.hidden == std::set<std::string>{"learned", "reference"});
    CHECK(plot.state.y_range().second < 4.0);
    plot.double_click(plot.gui.log().centre("legend loss third"));
    CHECK(plot.state.view.hidden.empty());
}

TEST_CASE("few lines are named at their ends, in their order, none over another; whatever the data do, nothing moves") {
    Framed plot(2);
    REQUIRE(plot.state.legend.width_beside() > 0.0F);
    CHECK(plot.state.legend.height_above() == 0.0F);
    const ImVec2 area = plot.response.area_max;
    const auto named = [&](const char* name) { return plot.gui.log().centre(std::string("legend loss ") + name); };
    CHECK(named("learned").x > area.x);
    CHECK(named("reference").y < named("learned").y);  // 5 above 2
    plot.spec.series[1].rows[0] = std::vector<double>(11, 2.0);
    plot.new_data();
    plot.frame(2);
    CHECK(std::abs(named("reference").y - named("learned").y) >= plot.gui.ui().fonts.small->FontSize);
    plot.spec.series[1].rows[0] = std::vector<double>(11, -9.0);
    plot.new_data();
    plot.frame(100);
    CHECK(named("reference").y > named("learned").y);
    CHECK(plot.response.area_max.x == area.x);
}

TEST_CASE("long names stand above the axes, bars too; a plot that a legend would fill has none") {
    Drawn plot;
    plot.spec.series[0].name = "a network that has seen this family of environments in training";
    plot.frame(2);
    CHECK(plot.state.legend.width_beside() == 0.0F);
    CHECK(plot.state.legend.height_above() > 0.0F);
    CHECK(plot.gui.log().centre("legend loss reference").y < plot.response.area_min.y);
    plot.state.view.histogram = true;
    plot.frame(3);
    CHECK(plot.state.legend.width_beside() == 0.0F);
    plot.state.legend.place(plot.gui.ui(), plot.state.shown(), {200, 40});
    CHECK(plot.state.legend.height_above() == 0.0F);
}

TEST_CASE("lines of how it was are one entry, which hides all of them") {
    Drawn plot;
    for (const char* name : {"one, before", "two, before"}) {
        plot.spec.series.push_back(plot.spec.series[1]);
        plot.spec.series.back().name = name;
    }
    plot.frame(2);
    CHECK_FALSE(plot.gui.log().drawn("legend loss two, before"));
    plot.click_on("legend loss one, before");
    plot.frame(40);
    CHECK(plot.state.view.hidden == std::set<std::string>{"one, before", "two, before"});
}

TEST_CASE("the box of values leaves the names at the lines' ends free where the other side has room") {
    Framed drawn(2);
    REQUIRE(drawn.gui.log().drawn("legend loss learned"));
    const auto box_of = [&](double share) {
        drawn.point_at(share);
        drawn.frame(3);
        const ImGuiWindow* box = ImGui::FindWindowByName("##Tooltip_00");
        REQUIRE(box != nullptr);
        return std::pair(box->Pos.x, box->Pos.x + box->Size.x);
    };
    CHECK(box_of(0.9).second <= drawn.response.area_max.x);
    CHECK(box_of(0.02).first > drawn.response.area_min.x);  // no room on the left
}

TEST_CASE("the crosshair reads nothing where all points lie outside the view") {
    Framed plot(2);
    plot.state.view.curves.x = AxisRange{41.0, 49.0};
    plot.frame(2);
    plot.point_at(0.5);
    CHECK_FALSE(plot.response.reading.has_value());
    plot.state.view.curves.x = AxisRange{41.0, 59.0};
    plot.frame(2);
    plot.point_at(0.1);
    CHECK(plot.response.reading->x == 50.0);
}

TEST_CASE("the nearest point is found in pixels, on a seed's own line too") {
    Drawn plot;
    plot.spec.spread = Spread::every_seed;
    plot.frame();
    const auto [low, high] = plot.state.y_range();
    plot.gui.move(plot.at(0.4, (3.0 - low) / (high - low)));
    plot.frame();
    REQUIRE(plot.response.reading->nearest.has_value());
    CHECK(plot.response.reading->nearest->series == 0);
    CHECK(plot.response.reading->nearest->seed == 1u);
    CHECK(plot.response.reading->nearest->y == 3.0);
    CHECK(plot.response.reading->nearest->distance < 2.0);
    plot.gui.move(plot.at(0.4, (5.0 - low) / (high - low)));
    plot.frame();
    REQUIRE(plot.response.reading->nearest.has_value());
    CHECK(plot.response.reading->nearest->series == 1);
    CHECK_FALSE(plot.response.reading->nearest->seed.has_value());
    plot.spec.series[1].rows[0] = std::vector<double>(11, 4.9);  // live data moves on under a still pointer
    plot.new_data();
    CHECK(plot.response.reading->values[1] == 4.9);
}

TEST_CASE("a small plot of many lines has a legend still, and its axis' words are broken into lines") {
    Drawn drawn;
    drawn.spec.title = "How close to batch TD";
    drawn.spec.y.label = "c: how much of the target's gradient it takes";
    const Ui& ui = drawn.gui.ui();
    for (const char* name : {"direction", "decoy: no bootstrap", "decoy: one reward step", "difference"}) {
        drawn.spec.series.push_back(drawn.spec.series[0]);
        drawn.spec.series.back().name = name;
    }
    drawn.state.prepare(drawn.spec);
    for (const float width : {230.0F, 280.0F, 350.0F}) {
        drawn.state.legend.place(ui, drawn.state.shown(), {width, 150});
        const float above = drawn.state.legend.height_above(), beside = drawn.state.legend.width_beside();
        CAPTURE(width);
        CHECK((above > 0.0F) != (beside > 0.0F));
        CHECK(above <= 0.45F * 150);
        CHECK(beside <= 0.45F * width);
    }
    const PlotFrame frame = lay_out_frame(ui, drawn.state.shown(), {0, 0}, true, {0, 0}, {280, 170});
    CHECK(frame.meaning.empty());
    CHECK(frame.meaning_below.size() >= 1);
    for (const std::string& line : frame.meaning_below) CHECK(text_size(ui.fonts.small, line).x <= 280);
    const PlotFrame wide = lay_out_frame(ui, drawn.state.shown(), {0, 0}, true, {0, 0}, {800, 170});
    CHECK(wide.meaning == greek(drawn.spec.y.label));
    CHECK(wide.meaning_below.empty());
}
