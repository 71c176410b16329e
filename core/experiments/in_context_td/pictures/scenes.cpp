#include "core/experiments/in_context_td/pictures/td_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include "core/pictures/plot.h"

namespace emergence {

namespace {

constexpr int kMoments = 160;
constexpr double kPlayedSlower = 2.0;  // slower than the world, so that single pushes are visible

// The cart's measures in metres.
constexpr double kCartHalfWidth = 0.26, kCartBottom = 0.12, kCartTop = 0.38, kWheel = 0.1, kTrack = 0.0;

enum Color { kBlue = 0, kOrange = 1, kGreen = 2, kAmber = 4 };

// Draws the network's input: phi as bars from a line under the track, then R_{t+1}.
void add_bars(const CartPoleFrame& frame, DrawingSpec& drawing) {
    constexpr double kGround = -1.0, kUnit = 0.2, kLongest = 0.5, kLabels = -1.62;
    const auto d = static_cast<int>(frame.features.size());
    const double apart = smaller(0.7, 5.4 / (d + 2)), half = 0.28 * apart;
    const double left = -0.5 * apart * (d + 1);
    drawing.shapes.push_back(drawn_line({{left - apart / 2, kGround}, {-left + apart / 2, kGround}}, kFaintColor, 0.6));
    for (int k = 0; k <= d; ++k) {
        const bool is_reward = k == d;
        const double value = is_reward ? frame.reward : frame.features[k];
        const double length = std::clamp(kUnit * value, -kLongest, kLongest);
        const double x = left + apart * (is_reward ? k + 1 : k);
        drawing.shapes.push_back(drawn_box({x - half, kGround + smaller(0.0, length)},
                                           {x + half, kGround + larger(0.0, length)}, is_reward ? kAmber : kGreen));
        drawing.shapes.push_back(drawn_label({x, kLabels}, is_reward ? "R" : fmt::format("φ{}", k + 1), kFaintColor));
    }
}

}  // namespace

DrawingSpec cart_pole_drawing(const CartPoleParameters& parameters, const CartPoleFrame& frame) {
    const auto [x, x_dot, theta, theta_dot] = frame.state;
    const double length = 2 * parameters.half_length;
    DrawingSpec drawing;
    drawing.id = "cart-pole";
    drawing.title = "CartPole";
    std::tie(drawing.left, drawing.right, drawing.bottom) = std::tuple(-2.95, 2.95, -1.75);
    drawing.top = kCartTop + length + 0.15;
    auto& shapes = drawing.shapes;
    // The limits of failure, dashed: the ends of the track and the angles of the pole.
    const auto pole = [&, x = x](double angle, int color, double width) -> DrawnShape& {
        const DrawnPlace tip = {x + length * std::sin(angle), kCartTop + length * std::cos(angle)};
        return shapes.emplace_back(drawn_line({{x, kCartTop}, tip}, color, width));
    };
    for (const double side : {-1.0, 1.0}) {
        const double end = side * kCartLimit;
        shapes.push_back(drawn_line({{end, kTrack}, {end, kCartTop + 0.3}}, kFaintColor, 0.8));
        shapes.back().dashed = true;
        shapes.push_back(
            drawn_label({end, -0.22}, fmt::format("{}{:g} m", side < 0 ? "−" : "", kCartLimit), kFaintColor));
        pole(side * kPoleLimit, kFaintColor, 0.6).dashed = true;
    }
    shapes.push_back(drawn_line({{drawing.left, kTrack}, {drawing.right, kTrack}}, kFaintColor, 0.8));
    for (const double side : {-0.55, 0.55})
        shapes.push_back(drawn_disc({x + side * kCartHalfWidth, kWheel}, kWheel, kFaintColor));
    shapes.push_back(drawn_box({x - kCartHalfWidth, kCartBottom}, {x + kCartHalfWidth, kCartTop}, kBlue));
    pole(theta, kOrange, 3.0);
    shapes.push_back(drawn_disc({x, kCartTop}, 0.05, kInkColor));
    add_bars(frame, drawing);
    const double side = frame.pushed_right ? 1.0 : -1.0, middle = (kCartBottom + kCartTop) / 2;
    const double start = x + side * (kCartHalfWidth + 0.06);
    shapes.push_back(drawn_arrow({start, middle}, {start + side * 0.05 * parameters.force, middle}, kAmber, 1.6));
    if (frame.reset) shapes.push_back(drawn_label({x, kCartTop + 0.5 * length}, "failed: restarts"));
    drawing.numbers = {{"x", x, "m"},
                       {"x_dot", x_dot, "m/s"},
                       {"theta", theta, "rad"},
                       {"theta_dot", theta_dot, "rad/s"},
                       {"push", side * parameters.force, "N"},
                       {"reward", frame.reward},
                       {"reset", frame.reset ? 1.0 : 0.0}};
    for (size_t k = 0; k < frame.features.size(); ++k)
        drawing.numbers.push_back({fmt::format("phi{}", k + 1), frame.features[k]});
    drawing.readout =
        fmt::format("x {:.2f} m, θ {:.1f}°, pushed {} with {:.1f} N, R {:.2f}", x, theta * 180.0 / std::numbers::pi,
                    frame.pushed_right ? "right" : "left", parameters.force, frame.reward);
    drawing.note = fmt::format(
        "This task: cart {:.2f} kg, pole {:.2f} kg and {:.2f} m long, gravity {:.1f} m/s², {:.3f} s per step, pushed "
        "right with probability {:.2f}. Beyond ±{:g} m and ±12° (dashed) it fails and restarts. Bars: the prompt.",
        parameters.cart_mass, parameters.pole_mass, length, parameters.gravity, parameters.time_step,
        parameters.push_right, kCartLimit);
    return drawing;
}

Scene cart_pole_scene(const InContextTdConfig& config) {
    const int watched_task = config.inside.watched_task;
    const int first = config.context_length + 1;  // the first state with a whole context before it
    const CartPoleSimulation simulation = simulate_cart_pole(task_options(config), derive_seed(0, Purpose::held_out),
                                                             static_cast<uint32_t>(watched_task), first + kMoments);
    Scene scene;
    scene.id = "cart-pole";
    scene.title = fmt::format("CartPole, held-out task {}", watched_task);
    auto moments = std::make_shared<std::vector<DrawingSpec>>();
    std::vector<double> times, rewards;
    for (int t = first; t < first + kMoments; ++t) {
        const CartPoleFrame& frame = simulation.frames[static_cast<size_t>(t)];
        moments->push_back(cart_pole_drawing(simulation.parameters, frame));
        moments->back().title = scene.title;
        times.push_back(t);
        rewards.push_back(frame.reward);
    }
    Plot reward("reward", "Reward");
    reward.x("t").from(times.front()).to(times.back());
    reward.y("R");
    reward.no_markers().note("The reward of leaving each state, as the network sees it.");
    reward.path("", std::move(times), std::move(rewards)).color(kAmber);
    scene.plots = {reward};
    scene.note = moments->front().note + " Played at half speed. The picture begins once the first context is full.";
    scene.moments = std::move(moments);
    scene.first_time = first;
    scene.moments_per_second = 1.0 / (kPlayedSlower * simulation.parameters.time_step);
    scene.chosen_by = "watched_task";
    return scene;
}

namespace {

// Places in the drawing of the prompt, in widths of a column.
constexpr int kColumns = 7;  // they stand for n columns
constexpr double kQuery = 8.2;
constexpr double kInset = 0.05;

struct PromptRow {
    const char* label;  // null: that of the next state's features
    double lower, upper;
    int color;
};
constexpr PromptRow kPromptRows[] = {{"φ", 2.6, 4.4, 0}, {nullptr, 0.8, 2.6, 2}, {"R", 0.0, 0.8, 1}};

DrawnShape cell(double left, const PromptRow& row, int color) {
    return drawn_box({left + kInset, row.lower + kInset}, {left + 1.0 - kInset, row.upper - kInset}, color);
}

DrawingSpec prompt_drawing(const InContextTdConfig& config) {
    DrawingSpec drawing;
    drawing.id = "prompt";
    drawing.title = "The prompt Z";
    std::tie(drawing.left, drawing.right, drawing.bottom, drawing.top) = std::tuple(-1.3, 11.4, -1.1, 5.3);
    const auto label = [&drawing](double x, double y, std::string text) {
        drawing.shapes.push_back(drawn_label({x, y}, std::move(text)));
    };
    const char* const next = next_label(!averages_rewards(config));
    for (const PromptRow& row : kPromptRows) {
        const double middle = (row.lower + row.upper) / 2;
        label(-0.6, middle, row.label != nullptr ? row.label : next);
        for (int column = 0; column < kColumns; ++column)
            if (column == kColumns - 2)
                label(column + 0.5, middle, "…");
            else
                drawing.shapes.push_back(cell(column, row, row.color));
        drawing.shapes.push_back(cell(kQuery, row, row.lower > 1.0 ? row.color : kFaintColor));
    }
    label(kColumns / 2.0, 4.9, "context");
    const int trained = config.context_length, evaluated = config.eval_context_length;
    label(kColumns / 2.0, -0.6,
          trained == evaluated ? fmt::format("n = {} transitions", trained)
                               : fmt::format("n = {}, evaluated at {}", trained, evaluated));
    label(kQuery + 0.5, 4.9, "query");
    drawing.shapes.push_back(drawn_arrow({10.6, -0.3}, {kQuery + 1.05, 0.35}, kInkColor));
    label(10.3, -0.7, "value");
    drawing.readout = fmt::format("{0} rows: {1} φ, {1} {2}, 1 R", 2 * config.tasks.d + 1, config.tasks.d,
                                  averages_rewards(config) ? "φ′" : "γφ′");
    return drawing;
}

}  // namespace

Scene prompt_scene(const InContextTdConfig& config) {
    Scene scene;
    scene.id = "prompt";
    scene.title = "The prompt Z";
    scene.note =
        "What the network sees: a column per transition, with a state's features, the next state's and the reward. The "
        "last column is the query. Each layer adds to Z; the value is minus the last entry of the query's column.";
    scene.moments = std::make_shared<const std::vector<DrawingSpec>>(1, prompt_drawing(config));
    return scene;
}

}  // namespace emergence
