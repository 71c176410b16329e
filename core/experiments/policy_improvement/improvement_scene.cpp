// The driven MDP as a picture: states in a grid, each with its values and its policy, the moves of a window
// between them, and the update that is made of it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/experiments/policy_improvement/improvement_drive.h"
#include "core/runtime/axis.h"

namespace emergence {
namespace {

constexpr int kPolicyColor = 3, kBestColor = 7;
constexpr double kCell = 1.0, kPitch = 1.45;  // of the states
constexpr double kBars = 1.35;                // height of the strip with the updates

int grid_columns(int states) { return static_cast<int>(std::ceil(std::sqrt(states))); }

// The lower left corner of a state's cell.
DrawnPlace corner(int state, int states) {
    const int columns = grid_columns(states);
    return {kPitch * (state % columns), -kPitch * (state / columns)};
}

// Moves of the window, thicker where there are more.
void add_moves(const DrivenMoment& moment, int states, DrawingSpec& drawing) {
    std::map<std::pair<int, int>, int> counts;
    for (size_t i = 1; i < moment.window.size(); ++i)
        ++counts[{moment.window[i - 1].state, moment.window[i].state}];
    for (const auto& [move, count] : counts) {
        const auto [from, to] = move;
        if (from == to) continue;
        const auto [x0, y0] = corner(from, states);
        const auto [x1, y1] = corner(to, states);
        const double length = std::hypot(x1 - x0, y1 - y0), aside = 0.09;
        const double ox = -aside * (y1 - y0) / length, oy = aside * (x1 - x0) / length;
        const auto at = [&](double share) {
            return DrawnPlace{x0 + share * (x1 - x0) + kCell / 2 + ox,
                              y0 + share * (y1 - y0) + kCell / 2 + oy};
        };
        drawing.shapes.push_back(drawn_arrow(at(0.36), at(0.64), kFaintColor, 0.7 + 0.5 * count));
    }
}

// A bar of this height from a base line, with a tick at what is right.
void add_bar(DrawingSpec& drawing, double x, double width, double base, double height, int color) {
    drawing.shapes.push_back(
        drawn_box({x, base + std::min(0.0, height)}, {x + width, base + std::max(0.0, height)}, color));
}
void add_tick(DrawingSpec& drawing, double x, double width, double y) {
    drawing.shapes.push_back(drawn_line({{x - 0.015, y}, {x + width + 0.015, y}}, kInkColor, 1.4));
}

void add_state(const ImprovementConfig& c, const DrivenMoment& moment, int state, double unit,
               DrawingSpec& drawing) {
    const auto [x, y] = corner(state, c.num_states);
    drawing.shapes.push_back(drawn_line(
        {{x, y}, {x + kCell, y}, {x + kCell, y + kCell}, {x, y + kCell}, {x, y}}, kFaintColor, 0.8));
    drawing.shapes.push_back(
        drawn_label({x + 0.14, y + kCell - 0.11}, fmt::format("s{}", state), kFaintColor));
    const bool sarsa = c.algorithm == Improvement::sarsa;
    const int bars = sarsa ? c.num_actions : 1, first = sarsa ? state * bars : state;
    const double base = y + 0.62, room = 0.84, width = room / bars * 0.7;
    for (int k = 0; k < bars; ++k) {
        const double at = x + 0.08 + room / bars * (k + 0.15);
        const auto height = [&](double value) { return std::clamp(unit * value, -0.27, 0.27); };
        add_bar(drawing, at, width, base, height(moment.values(first + k)), kTransformerColor);
        add_tick(drawing, at, width, base + height(moment.exact(first + k)));
    }
    const double each = room / c.num_actions;
    for (int a = 0; a < c.num_actions; ++a)
        add_bar(drawing, x + 0.08 + each * (a + 0.15), 0.7 * each, y + 0.04, 0.26 * moment.policy(state, a),
                kPolicyColor);
}

// The update of every parameter: the transformer's as bars, the teacher's as ticks.
void add_update(const DrivenMoment& moment, double width, double top, DrawingSpec& drawing) {
    const double base = top - kBars / 2;
    float largest = 1e-12F;
    for (const float u : moment.teacher) largest = std::max(largest, std::abs(u));
    const double unit = 0.42 * kBars / static_cast<double>(largest);
    const double each = width / static_cast<double>(moment.update.size());
    drawing.shapes.push_back(drawn_line({{0.0, base}, {width, base}}, kFaintColor, 0.6));
    for (size_t k = 0; k < moment.update.size(); ++k) {
        const double x = each * (static_cast<double>(k) + 0.15);
        const auto height = [&](float u) {
            return std::clamp(unit * static_cast<double>(u), -0.5 * kBars, 0.5 * kBars);
        };
        add_bar(drawing, x, 0.7 * each, base, height(moment.update[k]), kTransformerColor);
        add_tick(drawing, x, 0.7 * each, base + height(moment.teacher[k]));
    }
    drawing.shapes.push_back(drawn_label({width / 2, top + 0.12}, "update of each parameter", kFaintColor));
}

DrawingSpec driven_drawing(const ImprovementConfig& c, const DrivenMoment& moment, int t, double unit) {
    const int columns = grid_columns(c.num_states), rows = (c.num_states + columns - 1) / columns;
    const double width = kPitch * (columns - 1) + kCell, bottom = -kPitch * (rows - 1);
    DrawingSpec drawing;
    drawing.id = "driven-mdp";
    drawing.title = fmt::format("Unseen MDP {}, update {}", c.drive_mdp, t);
    drawing.left = -0.15;
    drawing.right = width + 0.15;
    drawing.top = kCell + 0.1;
    drawing.bottom = bottom - 0.45 - kBars;
    add_moves(moment, c.num_states, drawing);
    for (int s = 0; s < c.num_states; ++s) add_state(c, moment, s, unit, drawing);
    add_update(moment, width, bottom - 0.4, drawing);
    drawing.numbers = {{"update", static_cast<double>(t)},
                       {"return", moment.own_return},
                       {"teacher_return", moment.teacher_return},
                       {"oracle", moment.oracle}};
    for (int s = 0; s < c.num_states; ++s)
        for (int a = 0; a < c.num_actions; ++a)
            drawing.numbers.push_back({fmt::format("pi_{}_{}", s, a), moment.policy(s, a)});
    drawing.readout = fmt::format("return {}, teacher {}, oracle {}", readout(moment.own_return),
                                  readout(moment.teacher_return), readout(moment.oracle));
    return drawing;
}

PlotSpec return_plot(const ImprovementConfig& c, const std::vector<DrivenMoment>& moments) {
    PlotSpec plot;
    plot.id = "driven_return";
    plot.title = "Return from the start";
    plot.x = {"updates", "", Scale::linear, 0.0, static_cast<double>(c.drive_updates)};
    plot.y.label = "exact return";
    plot.markers = false;
    plot.row_word = "MDP";
    std::vector<double> x;
    for (size_t t = 0; t < moments.size(); ++t) x.push_back(static_cast<double>(t));
    const auto line = [&](const char* name, auto value, int color, bool dashed) {
        Series series{name, x, {{}}, color, dashed};
        for (const DrivenMoment& moment : moments) series.rows[0].push_back(value(moment));
        plot.series.push_back(std::move(series));
    };
    line(
        "transformer", [](const DrivenMoment& m) { return m.own_return; }, kTransformerColor, false);
    line(
        "teacher", [](const DrivenMoment& m) { return m.teacher_return; }, kTeacherColor, true);
    line(
        "oracle", [](const DrivenMoment& m) { return m.oracle; }, kOracleColor, true);
    line(
        "best that explores", [](const DrivenMoment& m) { return m.best_exploring; }, kBestColor, true);
    if (c.edit_at <= c.drive_updates && c.edit_bonus != 0.0)
        plot.lines = {{"rewards edited", static_cast<double>(c.edit_at), true}};
    plot.note =
        "Exact returns of the policies as they act, in two loops from the same start: one improved by the "
        "transformer, one by the teacher. Best that explores: the best policy that takes a random action in "
        "a "
        "share epsilon of the steps.";
    return plot;
}

}  // namespace

Scene improvement_scene(const ImprovementConfig& c, const float* weights) {
    const std::vector<DrivenMoment> all = drive(c, weights);
    double largest = 1e-9;  // of values, so that bars of all moments have one unit
    for (const DrivenMoment& moment : all) largest = std::max({largest, moment.exact.cwiseAbs().maxCoeff()});
    auto moments = std::make_shared<std::vector<DrawingSpec>>();
    for (size_t t = 0; t < all.size(); ++t)
        moments->push_back(driven_drawing(c, all[t], static_cast<int>(t), 0.2 / largest));
    Scene scene;
    scene.id = "driven-mdp";
    scene.title = fmt::format("Unseen MDP {}", c.drive_mdp);
    scene.note = fmt::format(
        "Each box is a state. Blue: {} as the agent estimates it, cut off at the box; black ticks: the exact "
        "value of its policy. Below: how likely it takes each action. Arrows: the window's moves, thicker "
        "where "
        "there are more. Bottom: the update of each parameter that the transformer writes, weights frozen, "
        "beside the teacher's.",
        c.algorithm == Improvement::sarsa ? "Q of each action" : "v");
    scene.moments = std::move(moments);
    scene.moments_per_second = 5.0;
    scene.plots = {return_plot(c, all)};
    scene.chosen_by = "drive_mdp";
    return scene;
}

}  // namespace emergence
