// The closed loop in one unseen MDP, and its drawing: left the states with their values and policies, right the window
// that the policy collects, which is the prompt, and the update that the transformer writes for it.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/eigen.h"
#include "core/base/ranges.h"
#include "core/base/statistics.h"
#include "core/experiments/policy_improvement/policy_improvement.h"
#include "core/pictures/axis.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

// Keys the held-out world of the driven MDP, which nothing else uses.
constexpr uint64_t kDrivenWorld = 0x64726976;

// An agent and its MDP, whose rewards change at update edit_at.
struct Loop {
    explicit Loop(const ImprovementConfig& of)
        : config(of),
          seed(derive_seed(static_cast<uint64_t>(of.seed) ^ kDrivenWorld, Purpose::held_out)),
          task(random_improvement_task(of.sizes(), seed, static_cast<uint32_t>(of.drive_mdp))),
          agent({of.sizes(), of.drive_n}, of.drive) {
        agent.begin(task);
    }
    Loop(const Loop&) = delete;  // the agent points to the task

    /// Call before window t: edits the rewards if t is edit_at.
    void enter(int t) {
        if (t != config.edit_at) return;
        task.mdp.reward.col(smaller(config.edit_state, config.sizes().num_states - 1)) += config.edit_bonus;
    }
    void collect(int t, ImprovementPrompt<float>& prompt) {
        agent.collect(seed, static_cast<uint32_t>(config.drive_mdp), static_cast<uint32_t>(t), prompt);
    }
    double value_of(const Vec& values) const { return task.mdp.initial.dot(values); }
    Vec policy_value() const { return policy_values(task.mdp, agent.policy(), config.drive.gamma); }

    const ImprovementConfig& config;
    uint64_t seed;
    ImprovementTask task;
    PolicyAgent<float> agent;
};

DrivenMoment look(const Loop& loop) {
    const Mdp& mdp = loop.task.mdp;
    const AgentOptions& drive = loop.config.drive;
    const Vec v = loop.policy_value();
    DrivenMoment moment;
    moment.policy = loop.agent.policy();
    moment.values = mat_of(loop.agent.values());
    moment.exact = v;
    if (loop.config.is_sarsa()) {
        const Mat by_state = action_values(mdp, v, drive.gamma).transpose();
        moment.exact = ConstMatView::column(by_state.data(), by_state.size());
    }
    moment.own_return = loop.value_of(v);
    const Mat optimal = optimal_action_values(mdp, drive.gamma);
    Vec best(optimal.rows());
    for (Index s = 0; s < best.size(); ++s) best[s] = optimal.row(s).maxCoeff();
    moment.oracle = loop.value_of(best);
    moment.best_exploring = loop.value_of(best_exploring_values(mdp, drive.gamma, drive.epsilon));
    return moment;
}

constexpr int kPolicyColor = 3, kBestColor = 7, kEditedColor = 4;
constexpr double kWidth = 6.0, kHeight = 5.0;  // of either half
constexpr double kBetween = 0.55, kHeading = 0.55, kText = 0.22;
constexpr double kRight = kWidth + kBetween;  // where the right half begins
// Heights in the right half: the path's lower end, the actions', middles and half heights of the bars.
constexpr double kPathBottom = 3.0, kActionBottom = 2.42, kActionTop = 2.86, kRewardMiddle = 1.9, kRewardRoom = 0.34,
                 kUpdateMiddle = 0.54, kUpdateRoom = 0.5;

// Adds simple shapes to the drawing.
struct Sheet {
    DrawingSpec& drawing;

    void line(std::vector<DrawnPlace> places, int color, double width) {
        drawing.shapes.push_back(drawn_line(std::move(places), color, width));
    }
    void text(DrawnPlace at, std::string text, int color = kFaintColor) {
        drawing.shapes.push_back(drawn_label(at, std::move(text), color));
        drawing.shapes.back().radius = kText;
    }
    void box(DrawnPlace lower, DrawnPlace upper, int color) {
        drawing.shapes.push_back(drawn_box(lower, upper, color));
    }
    // A bar of this height from a base line; tick() marks the right value.
    void bar(double x, double width, double base, double height, int color) {
        box({x, base + smaller(0.0, height)}, {x + width, base + larger(0.0, height)}, color);
    }
    void tick(double x, double width, double y) {
        const double over = 0.15 * width;
        line({{x - over, y}, {x + width + over, y}}, kInkColor, 1.3);
    }
};

// The places of the states' cards.
struct Cards {
    int columns, rows;
    double pitch_x, pitch_y, width, height;

    explicit Cards(int states)
        : columns(static_cast<int>(std::ceil(std::sqrt(states)))),
          rows((states + columns - 1) / columns),
          pitch_x(kWidth / columns),
          pitch_y(kHeight / rows),
          width(0.92 * pitch_x),
          height(0.9 * pitch_y) {}
    DrawnPlace corner(int state) const {  // the lower left one
        return {pitch_x * (state % columns), kHeight - pitch_y * (state / columns) - height};
    }
};

// The scales of all moments of a scene.
struct Scales {
    double values;   // height of value 1, in heights of a card
    double rewards;  // height of reward 1, in the drawing
};

void add_state(const ImprovementConfig& c, const DrivenMoment& moment, int state, bool edited, const Scales& scales,
               Sheet& sheet) {
    const Cards cards(c.sizes().num_states);
    const auto [x, y] = cards.corner(state);
    const double w = cards.width, h = cards.height;
    sheet.line({{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}, {x, y}}, edited ? kEditedColor : kFaintColor,
               edited ? 2.2 : 0.8);
    if (cards.columns <= 4)
        sheet.text({x + 0.16 * w, y + 0.88 * h}, fmt::format("s{}", state), edited ? kInkColor : kFaintColor);
    const bool sarsa = c.is_sarsa();
    const int bars = sarsa ? c.sizes().num_actions : 1, first = sarsa ? state * bars : state;
    const double base = y + 0.5 * h, room = 0.86 * w, left = x + 0.07 * w, most = 0.22 * h;
    sheet.line({{left, base}, {left + room, base}}, kFaintColor, 0.5);
    const auto height = [&](double value) { return std::clamp(scales.values * h * value, -most, most); };
    for (int k = 0; k < bars; ++k) {
        const double width = smaller(0.7 * room / bars, 0.25 * room);
        const double at = left + room / bars * (k + 0.5) - width / 2;
        sheet.bar(at, width, base, height(moment.values(first + k)), kTransformerColor);
        sheet.tick(at, width, base + height(moment.exact(first + k)));
    }
    for (int a = 0; a < c.sizes().num_actions; ++a) {
        const double each = room / c.sizes().num_actions, width = 0.7 * each, at = left + each * (a + 0.15);
        sheet.bar(at, width, y + 0.03 * h, 0.2 * h * moment.policy(state, a), kPolicyColor);
        sheet.tick(at, width, y + (0.03 + 0.2 * moment.next_policy(state, a)) * h);
    }
}

// Draws the window's states, actions and rewards.
void add_window(const ImprovementConfig& c, const DrivenMoment& moment, const Scales& scales, Sheet& sheet) {
    const auto count = static_cast<int>(moment.window.size()) - 1;
    const double left = kRight + 0.45, each = (kWidth - 0.45) / (count + 1);
    const double pitch = (kHeight - kPathBottom) / c.sizes().num_states;
    const auto place = [&](int i) {
        const int state = moment.window[i].state;
        return DrawnPlace{left + each * (i + 0.5), kHeight - pitch * (state + 0.5)};
    };
    for (const int state : {0, c.sizes().num_states - 1}) {
        const double y = kHeight - pitch * (state + 0.5);
        sheet.text({kRight + 0.2, y}, fmt::format("s{}", state));
        sheet.line({{left, y}, {kRight + kWidth, y}}, kFaintColor, 0.3);
    }
    std::vector<DrawnPlace> path;
    for (int i = 0; i <= count; ++i) path.push_back(place(i));
    sheet.line(path, kFaintColor, 0.8);
    for (const DrawnPlace& at : path)
        sheet.drawing.shapes.push_back(drawn_disc(at, smaller(0.36 * each, 0.4 * pitch), kTransformerColor));
    sheet.line({{left, kRewardMiddle}, {kRight + kWidth, kRewardMiddle}}, kFaintColor, 0.5);
    sheet.text({kRight + 0.2, kRewardMiddle}, "r");
    sheet.text({kRight + 0.2, (kActionBottom + kActionTop) / 2}, "a");
    const double row = (kActionTop - kActionBottom) / c.sizes().num_actions;
    for (int i = 0; i < count; ++i) {
        const double x = left + each * i;
        const double top = kActionTop - row * moment.window[i].action;
        sheet.box({x + 0.15 * each, top - 0.85 * row}, {x + 0.85 * each, top}, kPolicyColor);
        const double height = scales.rewards * static_cast<double>(moment.window[static_cast<size_t>(i) + 1].reward);
        sheet.bar(x + 0.65 * each, 0.7 * each, kRewardMiddle, std::clamp(height, -kRewardRoom, kRewardRoom),
                  height < 0 ? kEditedColor : kOracleColor);
    }
}

// Draws the update of every parameter: the transformer's as bars, the teacher's as ticks.
void draw_update(const ImprovementConfig& c, const DrivenMoment& moment, Sheet& sheet) {
    float largest = 1e-12F;
    for (const float u : moment.teacher) largest = larger(largest, std::abs(u));
    const double unit = 0.9 * kUpdateRoom / static_cast<double>(largest);
    const double left = kRight + 0.45, each = (kWidth - 0.45) / static_cast<double>(moment.update.size());
    sheet.line({{left, kUpdateMiddle}, {kRight + kWidth, kUpdateMiddle}}, kFaintColor, 0.5);
    for (size_t k = 0; k < moment.update.size(); ++k) {
        const double x = left + each * (static_cast<double>(k) + 0.15);
        const auto height = [&](float u) {
            return std::clamp(unit * static_cast<double>(u), -kUpdateRoom, kUpdateRoom);
        };
        sheet.bar(x, 0.7 * each, kUpdateMiddle, height(moment.update[k]), kTransformerColor);
        sheet.tick(x, 0.7 * each, kUpdateMiddle + height(moment.teacher[k]));
    }
    if (c.sizes().m == 0) return;
    const double border = left + each * c.sizes().m;
    sheet.line({{border, kUpdateMiddle - kUpdateRoom}, {border, kUpdateMiddle + kUpdateRoom}}, kFaintColor, 0.8);
}

// Adds all numbers that are drawn, for export.
void add_numbers(const ImprovementConfig& c, const DrivenMoment& moment, DrawingSpec& drawing) {
    const auto add = [&drawing](std::string name, double value) {
        drawing.numbers.push_back({std::move(name), value});
    };
    const bool sarsa = c.is_sarsa();
    for (int s = 0; s < c.sizes().num_states; ++s)
        for (int a = 0; a < c.sizes().num_actions; ++a) {
            add(fmt::format("pi_{}_{}", s, a), moment.policy(s, a));
            add(fmt::format("next_pi_{}_{}", s, a), moment.next_policy(s, a));
        }
    for (Index i = 0; i < moment.values.size(); ++i) {
        const auto place =
            sarsa ? fmt::format("{}_{}", i / c.sizes().num_actions, i % c.sizes().num_actions) : fmt::format("{}", i);
        add(fmt::format("{}_{}", sarsa ? "Q" : "v", place), moment.values(i));
        add(fmt::format("exact_{}_{}", sarsa ? "Q" : "v", place), moment.exact(i));
    }
    for (size_t i = 0; i < moment.window.size(); ++i) {
        add(fmt::format("window_state_{}", i), moment.window[i].state);
        add(fmt::format("window_action_{}", i), moment.window[i].action);
        add(fmt::format("window_reward_{}", i), static_cast<double>(moment.window[i].reward));
    }
    for (size_t i = 0; i < moment.update.size(); ++i) {
        add(fmt::format("written_update_{}", i), static_cast<double>(moment.update[i]));
        add(fmt::format("teacher_update_{}", i), static_cast<double>(moment.teacher[i]));
    }
}

DrawingSpec driven_drawing(const ImprovementConfig& c, const DrivenMoment& moment, int t, const Scales& scales) {
    DrawingSpec drawing;
    drawing.id = "driven-mdp";
    drawing.title = fmt::format("Unseen MDP {}, update {}", c.drive_mdp, t);
    drawing.left = -0.1;
    drawing.right = kRight + kWidth + 0.1;
    drawing.top = kHeight + kHeading;
    drawing.bottom = 0.0;
    const int edited = c.edit_bonus != 0.0 && t >= c.edit_at ? smaller(c.edit_state, c.sizes().num_states - 1) : -1;
    Sheet sheet{drawing};
    for (int s = 0; s < c.sizes().num_states; ++s) add_state(c, moment, s, s == edited, scales, sheet);
    add_window(c, moment, scales, sheet);
    draw_update(c, moment, sheet);
    const bool sarsa = c.is_sarsa();
    const auto heading = [&](double x, double y, const char* text) {
        sheet.text({x + kWidth / 2, y}, text, kInkColor);
    };
    heading(0.0, kHeight + 0.3, sarsa ? "Q and policy" : "v and policy");
    heading(kRight, kHeight + 0.3, "the window in the prompt");
    heading(kRight, kUpdateMiddle + kUpdateRoom + 0.25,
            sarsa ? "update of w, ticks: teacher" : "update of \u03bb | w, ticks: teacher");
    drawing.numbers = {{"update", static_cast<double>(t)},
                       {"return", moment.own_return},
                       {"teacher_return", moment.teacher_return},
                       {"oracle", moment.oracle}};
    add_numbers(c, moment, drawing);
    drawing.readout = fmt::format("return {}, teacher {}, oracle {}", readout(moment.own_return),
                                  readout(moment.teacher_return), readout(moment.oracle));
    if (edited >= 0) drawing.readout += fmt::format("; {:+g} into s{}", c.edit_bonus, edited);
    return drawing;
}

PlotSpec return_plot(const ImprovementConfig& c, const std::vector<DrivenMoment>& moments) {
    Plot plot("driven_return", "Return from the start");
    plot.x("updates").from(0.0).to(static_cast<double>(c.drive_updates));
    plot.y("exact return");
    plot.no_markers();
    plot.row_word("MDP");
    const auto line = [&](const char* name, double DrivenMoment::*value, int color) {
        return plot.path(name, numbered_points(moments.size()), mapped(moments, value)).color(color);
    };
    line("transformer", &DrivenMoment::own_return, kTransformerColor);
    line("teacher", &DrivenMoment::teacher_return, kTeacherColor).dashed();
    line("oracle", &DrivenMoment::oracle, kOracleColor).dashed();
    line("best that explores", &DrivenMoment::best_exploring, kBestColor).dashed();
    if (c.edit_at <= c.drive_updates && c.edit_bonus != 0.0)
        plot.mark("rewards edited", static_cast<double>(c.edit_at));
    plot.note(
        "Exact returns of the acting policies in two loops from one start. Best that explores: the best policy that "
        "acts randomly in a share epsilon of the steps.");
    return plot;
}

// One scale for the moments from `from` up to `to`, so that their bars can be compared.
Scales scales_of(const std::vector<DrivenMoment>& moments, size_t from, size_t to) {
    double value = 1e-9, reward = 1e-9;
    for (size_t t = from; t < to; ++t) {
        value = larger({value, moments[t].exact.cwiseAbs().maxCoeff()});
        for (const auto& visit : moments[t].window)
            reward = larger(reward, std::abs(static_cast<double>(visit.reward)));
    }
    return {0.2 / value, kRewardRoom / reward};
}

}  // namespace

std::vector<DrivenMoment> drive(const ImprovementConfig& config, const float* weights) {
    const ImprovementShape shape{config.sizes(), config.drive_n};
    const auto block = make_improvement_block<float>(shape);
    Loop own(config), taught(config);
    ImprovementPrompt<float> prompt(shape), of_teacher(shape);
    std::vector<DrivenMoment> moments;
    for (int t = 0; t <= config.drive_updates; ++t) {
        own.enter(t);
        taught.enter(t);
        DrivenMoment moment = look(own);
        moment.teacher_return = taught.value_of(taught.policy_value());
        own.collect(t, prompt);
        taught.collect(t, of_teacher);
        moment.window = own.agent.last_window();
        moment.teacher = prompt.teacher;
        moment.update.resize(prompt.teacher.size());
        block->forward(weights, prompt.view(), moment.update.data());
        own.agent.improve(moment.update.data());
        moment.next_policy = own.agent.policy();
        taught.agent.improve(of_teacher.teacher.data());
        moments.push_back(std::move(moment));
    }
    return moments;
}

Scene improvement_scene(const ImprovementConfig& c, const float* weights) {
    const std::vector<DrivenMoment> all = drive(c, weights);
    const size_t edit = c.edit_bonus == 0.0 ? all.size() : smaller(static_cast<size_t>(c.edit_at), all.size());
    const Scales before = scales_of(all, 0, edit), after = scales_of(all, edit, all.size());
    auto moments = std::make_shared<std::vector<DrawingSpec>>();
    for (size_t t = 0; t < all.size(); ++t)
        moments->push_back(driven_drawing(c, all[t], static_cast<int>(t), t < edit ? before : after));
    Scene scene;
    scene.id = "driven-mdp";
    scene.title = fmt::format("Unseen MDP {}", c.drive_mdp);
    scene.note = fmt::format(
        "Left: the states. Blue bars: {} as the agent estimates it; ticks: the exact value of its policy. Below: the "
        "probability of each action; ticks: after this update. Right: the window that this policy collects, which is "
        "the prompt, and the update that the transformer writes for it, beside the teacher's.",
        c.is_sarsa() ? "Q of each action" : "v");
    scene.moments = std::move(moments);
    scene.moments_per_second = 5.0;
    scene.plots = {return_plot(c, all)};
    scene.chosen_by = "drive_mdp";
    scene.height = 520.0;
    return scene;
}

}  // namespace emergence
