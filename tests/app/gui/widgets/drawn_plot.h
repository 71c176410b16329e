#pragma once
// A plot on a null backend, with a mouse.

#include <limits>
#include <string>
#include <vector>

#include "app/gui/widgets/plot.h"
#include "tests/app/gui/null_gui.h"

namespace emergence::testing {

inline PlotSpec two_series() {
    PlotSpec spec;
    spec.id = spec.title = "loss";
    spec.x = {"steps", "", Scale::linear, 0.0, 100.0};
    spec.series.resize(2);
    spec.series[0].name = "learned";
    spec.series[1].name = "reference";
    spec.series[1].dashed = true;
    for (int i = 0; i <= 10; ++i) {
        spec.series[0].x.push_back(10.0 * i);
        spec.series[1].x.push_back(10.0 * i);
    }
    spec.series[0].rows = {std::vector<double>(11, 1.0), std::vector<double>(11, 3.0)};
    spec.series[1].rows = {std::vector<double>(11, 5.0)};
    spec.series[1].rows[0][3] = std::numeric_limits<double>::quiet_NaN();
    return spec;
}

struct Drawn {
    NullGui gui{{800, 600}};
    PlotSpec spec = two_series();
    PlotState state;
    PlotResponse response;
    int vertices = 0;
    void frame(int count = 1) {
        for (int i = 0; i < count; ++i)
            vertices = gui.frame_in_window([&] { response = draw_plot(gui.ui(), spec, state, {600, 300}); });
    }
    // As when a run publishes.
    void new_data() {
        state.invalidate();
        frame();
    }
    // Shares of the axes, to the right and upwards; beyond 0..1 lies beside them.
    ImVec2 at(double right, double up) const {
        const ImVec2 a = response.area_min, b = response.area_max;
        return {a.x + (b.x - a.x) * static_cast<float>(right), b.y - (b.y - a.y) * static_cast<float>(up)};
    }
    void wheel(ImVec2 where, float notches, bool with_ctrl = true) {
        gui.move(where);
        ImGui::GetIO().KeyCtrl = with_ctrl;
        frame();
        ImGui::GetIO().MouseWheel = notches;
        frame();
        ImGui::GetIO().MouseWheel = 0.0F;
        ImGui::GetIO().KeyCtrl = false;
        frame();
    }
    void drag(ImVec2 from, ImVec2 to, int button = 0) {
        gui.move(from);
        frame(2);
        ImGui::GetIO().MouseDown[button] = true;
        frame();
        gui.move({(from.x + to.x) / 2, (from.y + to.y) / 2});
        frame();
        gui.move(to);
        frame();
        ImGui::GetIO().MouseDown[button] = false;
        frame(2);
    }
    void click(ImVec2 where, int button = 0) { drag(where, where, button); }
    void double_click(ImVec2 where) {
        click(where);
        click(where);
        frame(40);  // so that the next click is no third
    }
    void click_on(const std::string& widget) { click(gui.log().centre(widget)); }
    void point_at(double share) {
        gui.move({response.area_min.x + (response.area_max.x - response.area_min.x) * static_cast<float>(share),
                  (response.area_min.y + response.area_max.y) / 2});
        frame();
    }
};

// One that has been drawn.
struct Framed : Drawn {
    explicit Framed(int frames = 1) { frame(frames); }
};

}  // namespace emergence::testing
