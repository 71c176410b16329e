// The editable world as a picture: its graph, every state's value, rewards, stationary distribution, and of
// the chosen state the transitions and features.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/experiments/in_context_td/in_context_td_world.h"
#include "core/metrics/similarity.h"
#include "core/runtime/axis.h"

namespace emergence {
namespace {

constexpr int kStationaryColor = 2, kRewardColor = 4, kTransitionColor = 5, kFeatureColor = 6,
              kTruthColor = 7;
constexpr double kWide = 11.5, kHigh = 9.0, kHalf = 5.35,
                 kSecond = kWide - kHalf;  // of the drawing's columns
constexpr double kMargin = 0.55;           // left of a chart, for its limits
constexpr double kSmallText = 0.2;

// A chart with a column a state (or a feature): its corner, its size, what 1 is high.
struct BarChart {
    double left, bottom, width, height;
    double low, high;  // the values at its lower and upper edge
    int columns;

    double pitch() const { return width / columns; }
    double x(int column) const { return left + pitch() * column; }
    double y(double value) const {
        return bottom + height * (std::clamp(value, low, high) - low) / (high - low);
    }
};

DrawnShape small_label(DrawnPlace at, std::string text, int color = kFaintColor) {
    DrawnShape shape = drawn_label(at, std::move(text), color);
    shape.radius = kSmallText;
    return shape;
}

// 1, 1.5, 2, 3, 5 or 7.5 times a power of ten, not below `value`: an axis that keeps still while values move.
double round_limit(double value) {
    if (!(value > 0.0) || !std::isfinite(value)) return 1.0;
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double step : {1.0, 1.5, 2.0, 3.0, 5.0, 7.5})
        if (value <= step * power) return step * power;
    return 10.0 * power;
}

class WorldDrawing {
  public:
    WorldDrawing(const InContextTdConfig& config, const TdWorld& world,
                 const std::vector<TdWorldValues>& values)
        : config_(config), world_(world), values_(values), m_(world.num_states()) {
        shown_ = std::min(static_cast<size_t>(config.inside.shown_seed), values.size() - 1);
    }

    DrawingSpec draw() {
        drawing_.id = "world";
        drawing_.title = title_text();
        drawing_.right = kWide;
        drawing_.top = kHigh;
        add_graph();
        add_values();
        add_rewards();
        add_stationary();
        add_transitions();
        add_features();
        add_numbers();
        drawing_.readout = readout_text();
        return std::move(drawing_);
    }
    const TdWorldValues& shown() const { return values_[shown_]; }

  private:
    // ---- the parts that charts are made of

    void heading(const BarChart& chart, const std::string& text, int color = kInkColor) {
        drawing_.shapes.push_back(
            small_label({chart.left + chart.width / 2, chart.bottom + chart.height + 0.2}, text, color));
    }
    void frame(const BarChart& chart, const std::vector<std::string>& names) {
        drawing_.shapes.push_back(drawn_line(
            {{chart.left, chart.y(0.0)}, {chart.left + chart.width, chart.y(0.0)}}, kFaintColor, 0.5));
        const int every = std::max(1, static_cast<int>(std::ceil(0.32 / chart.pitch())));
        for (int k = 0; k < chart.columns; k += every) {
            const std::string& name = names[static_cast<size_t>(k)];
            const bool fits = 0.12 * static_cast<double>(name.size()) < chart.pitch() * every;
            drawing_.shapes.push_back(small_label(
                {chart.x(k) + chart.pitch() / 2, chart.bottom - 0.17}, fits ? name : fmt::format("{}", k + 1),
                k == world_.chosen && chart.columns == m_ ? kInkColor : kFaintColor));
        }
    }
    void limits(const BarChart& chart) {
        const double x = chart.left - kMargin / 2;
        drawing_.shapes.push_back(small_label({x, chart.bottom + chart.height - 0.08}, readout(chart.high)));
        drawing_.shapes.push_back(small_label({x, chart.y(0.0)}, "0"));
        if (chart.low < 0.0)
            drawing_.shapes.push_back(small_label({x, chart.bottom + 0.08}, readout(chart.low)));
    }
    void bar(const BarChart& chart, double from, double share, double value, int color, int column) {
        if (!std::isfinite(value)) return;
        const double left = chart.x(column) + from * chart.pitch(), y = chart.y(value), zero = chart.y(0.0);
        drawing_.shapes.push_back(
            drawn_box({left, std::min(y, zero)}, {left + share * chart.pitch(), std::max(y, zero)}, color));
    }
    // Where bars are dragged: the whole column.
    void handle(const BarChart& chart, int column, std::string name, std::string what, double value,
                double step) {
        DrawnHandle grip;
        grip.changed = world_.edits.contains(name);
        grip.help = fmt::format("{}: {}{}", what, readout(value),
                                grip.changed ? ", changed; a double click takes it back" : ". Drag it");
        grip.name = std::move(name);
        grip.field = "world_edits";
        grip.lower = {chart.x(column), chart.bottom};
        grip.upper = {chart.x(column) + chart.pitch(), chart.bottom + chart.height};
        grip.value = value;
        grip.minimum = chart.low;
        grip.maximum = chart.high;
        grip.step = step;
        drawing_.handles.push_back(std::move(grip));
    }
    void pick(int state, DrawnPlace lower, DrawnPlace upper, const char* where) {
        DrawnHandle grip;
        grip.name = fmt::format("{}{}", where, state + 1);
        grip.help = fmt::format("State {}: value {}, reward {}, visited {} of the time. Choose it",
                                name_of(state), readout(world_.v[state]), readout(world_.mrp.reward[state]),
                                readout(world_.stationary[state]));
        grip.field = "world_state";
        grip.lower = lower;
        grip.upper = upper;
        grip.value = state + 1;
        drawing_.handles.push_back(std::move(grip));
    }
    const std::string& name_of(int state) const { return world_.states[static_cast<size_t>(state)]; }

    // ---- the graph: states on a ring, as large as often they are visited

    DrawnPlace place_of(int state, double radius = kRing) const {
        const double angle = 2.0 * std::numbers::pi * state / m_;
        return {kCentreX + radius * std::sin(angle), kCentreY + radius * std::cos(angle)};
    }
    double disc_of(int state) const {
        const double apart = 2.0 * kRing * std::sin(std::numbers::pi / m_);
        const double most = std::min(0.36, 0.42 * apart), least = 0.3 * most;
        return std::max(least, most * std::sqrt(world_.stationary[state] / world_.stationary.maxCoeff()));
    }

    void add_graph() {
        for (const bool chosen : {false, true})  // the chosen state's lie over the others
            for (int s = 0; s < m_; ++s)
                for (int t = 0; t < m_; ++t)
                    if ((s == world_.chosen) == chosen && world_.mrp.transition(s, t) > 0.0) add_arrow(s, t);
        for (int s = 0; s < m_; ++s) {
            const DrawnPlace at = place_of(s);
            const double radius = disc_of(s);
            const bool chosen = s == world_.chosen;
            if (chosen) drawing_.shapes.push_back(drawn_disc(at, radius + 0.07, kInkColor));
            drawing_.shapes.push_back(drawn_disc(at, radius, kStationaryColor));
            if (m_ <= 24 || chosen) {
                const bool longer = name_of(s).size() > 8;
                drawing_.shapes.push_back(small_label(place_of(s, kRing + 0.52),
                                                      longer ? fmt::format("{}", s + 1) : name_of(s),
                                                      chosen ? kInkColor : kFaintColor));
            }
            const double half = std::max(radius, 0.15);
            pick(s, {at.first - half, at.second - half}, {at.first + half, at.second + half}, "state ");
        }
        drawing_.shapes.push_back(small_label({kCentreX - 0.6, kHigh - 0.12}, "transitions", kInkColor));
    }

    void add_arrow(int s, int t) {
        const double p = world_.mrp.transition(s, t);
        const bool chosen = s == world_.chosen;
        std::vector<DrawnPlace> path = s == t ? self_loop(s) : bow(s, t);
        const DrawnPlace label_at = beside(path);
        DrawnShape arrow = drawn_line(std::move(path), chosen ? kTransitionColor : kFaintColor,
                                      (chosen ? 0.7 : 0.25) + (chosen ? 1.6 : 0.9) * p);
        arrow.arrow = true;
        drawing_.shapes.push_back(std::move(arrow));
        if (chosen) drawing_.shapes.push_back(small_label(label_at, fmt::format("{:.2f}", p), kInkColor));
    }
    // Off the line, towards the middle of the ring, where no state is.
    static DrawnPlace beside(const std::vector<DrawnPlace>& path) {
        const auto [x, y] = path[path.size() / 2];
        const double dx = kCentreX - x, dy = kCentreY - y, off = 0.3 / std::max(0.3, std::hypot(dx, dy));
        return {x + off * dx, y + off * dy};
    }
    // From edge to edge, bowed so that there and back are two lines.
    std::vector<DrawnPlace> bow(int s, int t) const {
        const auto [x0, y0] = place_of(s);
        const auto [x1, y1] = place_of(t);
        const double dx = x1 - x0, dy = y1 - y0, length = std::hypot(dx, dy);
        const double bend = 0.13, cx = (x0 + x1) / 2 - bend * dy, cy = (y0 + y1) / 2 + bend * dx;
        const double from = disc_of(s) / length, to = 1.0 - (disc_of(t) + 0.03) / length;
        std::vector<DrawnPlace> path;
        constexpr int kPieces = 10;
        for (int i = 0; i <= kPieces; ++i) {
            const double u = from + (to - from) * i / kPieces, a = (1 - u) * (1 - u), b = 2 * u * (1 - u);
            path.push_back({a * x0 + b * cx + u * u * x1, a * y0 + b * cy + u * u * y1});
        }
        return path;
    }
    std::vector<DrawnPlace> self_loop(int s) const {
        const double radius = disc_of(s), loop = 0.22;
        // Aside of the state's name, which stands straight outwards.
        const double outward = 2.0 * std::numbers::pi * s / m_ + 0.9, reach = radius + 0.7 * loop;
        const auto [x, y] = place_of(s);
        const DrawnPlace centre = {x + reach * std::sin(outward), y + reach * std::cos(outward)};
        std::vector<DrawnPlace> path;
        for (int i = 0; i <= 12; ++i) {
            const double angle = outward + std::numbers::pi + 0.9 + (2.0 * std::numbers::pi - 1.8) * i / 12;
            path.push_back({centre.first + loop * std::sin(angle), centre.second + loop * std::cos(angle)});
        }
        return path;
    }

    // ---- the charts

    // What all values fit in: true ones and batch TD's, and the network's as far as they are no more than
    // three times as large.
    double value_limit() const {
        double largest = 1e-6;
        for (const Eigen::VectorXd* v : {&world_.v, &shown().batch_td})
            for (const double value : *v)
                if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
        double of_network = 0.0;
        for (const double value : shown().network)
            if (std::isfinite(value)) of_network = std::max(of_network, std::abs(value));
        return round_limit(std::max(largest, std::min(of_network, 3.0 * largest)));
    }

    void add_values() {
        const double limit = value_limit();
        const BarChart chart{kSecond + kMargin, 4.75, kHalf - kMargin, 3.55, -limit, limit, m_};
        for (int s = 0; s < m_; ++s) {
            bar(chart, 0.08, 0.26, world_.v[s], kTruthColor, s);
            bar(chart, 0.37, 0.26, shown().network[s], kNetworkColor, s);
            bar(chart, 0.66, 0.26, shown().batch_td[s], kBatchTdColor, s);
            add_other_seeds(chart, s);
            pick(s, {chart.x(s), chart.bottom}, {chart.x(s) + chart.pitch(), chart.bottom + chart.height},
                 "value ");
        }
        frame(chart, world_.states);
        limits(chart);
        const double y = kHigh - 0.12;
        const std::pair<const char*, int> legend[] = {
            {"true", kTruthColor},
            {network_name(config_) == "RNN" ? "RNN" : "transformer", kNetworkColor},
            {"batch TD", kBatchTdColor}};
        double x = 3.95;
        for (const auto& [text, color] : legend) {
            constexpr double kLetter = 0.24;  // of small text in a small drawing
            drawing_.shapes.push_back(drawn_box({x, y - 0.09}, {x + 0.18, y + 0.09}, color));
            const double width = kLetter * static_cast<double>(std::string_view(text).size());
            drawing_.shapes.push_back(small_label({x + 0.28 + width / 2, y}, text, kInkColor));
            x += width + 0.55;
        }
    }
    // Marks where their bars would end.
    void add_other_seeds(const BarChart& chart, int s) {
        for (size_t k = 0; k < values_.size(); ++k) {
            const double value = values_[k].network[s];
            if (k == shown_ || !std::isfinite(value)) continue;
            const double left = chart.x(s) + 0.37 * chart.pitch(), y = chart.y(value);
            drawing_.shapes.push_back(
                drawn_line({{left, y}, {left + 0.26 * chart.pitch(), y}}, kInkColor, 0.6));
        }
    }

    // Bars that can be dragged reach half as far again as anything in the world that was loaded.
    static double drag_limit(const Eigen::MatrixXd& original, const Eigen::MatrixXd& now) {
        const double usual = 1.5 * std::max(original.cwiseAbs().maxCoeff(), 1e-3);
        return std::max(round_limit(usual), now.cwiseAbs().maxCoeff());
    }
    // A hundredth of the range's power of ten.
    static double drag_step(double limit) { return std::pow(10.0, std::floor(std::log10(limit)) - 2.0); }

    void add_rewards() {
        const double limit = drag_limit(world_.original.reward, world_.mrp.reward);
        const BarChart chart{kMargin, 2.45, kHalf - kMargin, 1.45, -limit, limit, m_};
        for (int s = 0; s < m_; ++s) {
            const double r = world_.mrp.reward[s];
            bar(chart, 0.2, 0.6, r, kRewardColor, s);
            handle(chart, s, fmt::format("r{}", s + 1), fmt::format("Reward of leaving state {}", name_of(s)),
                   r, drag_step(limit));
        }
        frame(chart, world_.states);
        limits(chart);
        heading(chart, "reward");
    }

    void add_stationary() {
        const BarChart chart{kSecond + kMargin,
                             2.45,
                             kHalf - kMargin,
                             1.45,
                             0.0,
                             round_limit(world_.stationary.maxCoeff()),
                             m_};
        for (int s = 0; s < m_; ++s) bar(chart, 0.2, 0.6, world_.stationary[s], kStationaryColor, s);
        frame(chart, world_.states);
        limits(chart);
        heading(chart, "stationary distribution");
    }

    void add_transitions() {
        const int from = world_.chosen;
        const BarChart chart{kMargin, 0.35, kHalf - kMargin, 1.35, 0.0, 1.0, m_};
        for (int t = 0; t < m_; ++t) {
            const double p = world_.mrp.transition(from, t);
            bar(chart, 0.2, 0.6, p, kTransitionColor, t);
            handle(chart, t, fmt::format("p{},{}", from + 1, t + 1),
                   fmt::format("Probability from state {} to {}", name_of(from), name_of(t)), p, 0.01);
        }
        frame(chart, world_.states);
        limits(chart);
        heading(chart, fmt::format("from state {} to", name_of(from)));
    }

    void add_features() {
        const int s = world_.chosen;
        const double limit = drag_limit(world_.original.features, world_.mrp.features);
        const BarChart chart{kSecond + kMargin, 0.35, kHalf - kMargin, 1.35, -limit, limit, world_.mrp.d()};
        std::vector<std::string> names;
        for (int k = 0; k < world_.mrp.d(); ++k) {
            names.push_back(fmt::format("φ{}", k + 1));
            const double value = world_.mrp.features(k, s);
            bar(chart, 0.25, 0.5, value, kFeatureColor, k);
            handle(chart, k, fmt::format("phi{},{}", s + 1, k + 1),
                   fmt::format("Feature {} of state {}", k + 1, name_of(s)), value, drag_step(limit));
        }
        frame(chart, names);
        limits(chart);
        heading(chart, fmt::format("features of state {}", name_of(s)));
    }

    // ---- in numbers

    void add_numbers() {
        const auto add = [this](std::string name, double value) {
            drawing_.numbers.push_back({std::move(name), value});
        };
        add("gamma", world_.gamma);
        for (int s = 0; s < m_; ++s) {
            add(fmt::format("true_{}", s + 1), world_.v[s]);
            for (size_t k = 0; k < values_.size(); ++k) {
                add(fmt::format("network_{}_seed_{}", s + 1, k), values_[k].network[s]);
                add(fmt::format("batch_td_{}_seed_{}", s + 1, k), values_[k].batch_td[s]);
            }
            add(fmt::format("r_{}", s + 1), world_.mrp.reward[s]);
            add(fmt::format("stationary_{}", s + 1), world_.stationary[s]);
            for (int t = 0; t < m_; ++t)
                add(fmt::format("p_{}_{}", s + 1, t + 1), world_.mrp.transition(s, t));
            for (int k = 0; k < world_.mrp.d(); ++k)
                add(fmt::format("phi_{}_{}", s + 1, k + 1), world_.mrp.features(k, s));
        }
    }
    std::string title_text() const {
        std::string text = world_.title;
        if (values_.size() > 1) text += fmt::format(", seed {}", shown_);
        if (!world_.edits.empty())
            text += fmt::format(", {} edit{}", world_.edits.size(), world_.edits.size() == 1 ? "" : "s");
        return text;
    }
    std::string readout_text() const {
        const auto error = [this](const Eigen::VectorXd& v) {
            const double e = mean_square_value_error(v, world_.v, world_.stationary);
            constexpr double kRounding = 1e-12, kBeyond = 1e6;
            if (!(e < kBeyond)) return std::string("diverges");
            return fmt::format("{:.3g}", e < kRounding ? 0.0 : e);
        };
        const Eigen::VectorXd w = implicit_weight(world_.mrp.features, world_.v, world_.stationary);
        return fmt::format("MSVE: {} {}, batch TD {}, best linear {}, zero {}", network_name(config_),
                           error(shown().network), error(shown().batch_td),
                           error(world_.mrp.features.transpose() * w), error(Eigen::VectorXd::Zero(m_)));
    }

    static constexpr double kCentreX = 2.7, kCentreY = 6.45, kRing = 1.5;

    const InContextTdConfig& config_;
    const TdWorld& world_;
    const std::vector<TdWorldValues>& values_;
    int m_;
    size_t shown_ = 0;
    DrawingSpec drawing_;
};

}  // namespace

Scene td_world_scene(const InContextTdConfig& config, const TdWorld& world, const TdWorldContext& context,
                     const std::vector<TrainedSeed>& seeds) {
    const std::vector<TdWorldValues> values = td_world_values(config, world, context, seeds);
    auto moments = std::make_shared<std::vector<DrawingSpec>>();
    moments->push_back(WorldDrawing(config, world, values).draw());
    Scene scene;
    scene.id = "world";
    scene.title = world.title;
    scene.note = fmt::format(
        "Values of every state from one context of {} transitions: the {}'s with {} layers and batch TD's "
        "after "
        "as many steps, its step size trained beside it; discount {}. Drag the bars of rewards, of the "
        "chosen "
        "state's transitions and of its features; what a row's dragged probabilities leave is shared by its "
        "others. A click on a state chooses it, a double click on a bar takes its change back, the round "
        "arrow "
        "at the setting \"edits\" takes back all. Weights are frozen, and the context is walked with the "
        "same "
        "random numbers. Marks across the {}'s bars: the other seeds.",
        config.eval_context_length, network_name(config), config.num_layers + config.eval_extra_layers,
        world.gamma, network_name(config));
    scene.moments = std::move(moments);
    scene.height = 520.0;
    if (config.inside.world_file.empty()) scene.chosen_by = "watched_task";
    return scene;
}

}  // namespace emergence
