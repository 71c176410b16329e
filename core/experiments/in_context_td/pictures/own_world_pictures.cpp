#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "core/experiments/in_context_td/pictures/td_pictures.h"

namespace emergence {
namespace {

constexpr int kStateColor = 2, kArrowColor = 5;
constexpr double kCentreX = 2.7, kCentreY = 6.45, kRing = 1.5, kHeadingY = 8.88;

// A region in which a click chooses a state (live setting `world_state`). Logs call it `where`, followed by the state's
// number.
DrawnHandle state_handle(const TdWorld& world, int state, DrawnPlace lower, DrawnPlace upper, const char* where) {
    const std::string help =
        fmt::format("State {}: value {}, reward {}, visited {} of the time. Choose it", world.states[state],
                    readout(world.v[state]), readout(world.mrp.reward[state]), readout(world.stationary[state]));
    return {fmt::format("{}{}", where, state + 1), help, "world_state", lower, upper, state + 1.0};
}

// The graph in the drawing's upper left corner, with a heading: states on a ring, sized by how often they are visited,
// and their transitions, those of the chosen state in front. A click on a state chooses it.
class RingGraph {
  public:
    RingGraph(const TdWorld& world, DrawingSpec& drawing) : world_(world), drawing_(drawing), m_(world.num_states()) {}

    void add() {
        for (const bool chosen : {false, true})  // the chosen state's arrows lie over the others
            for (int s = 0; s < m_; ++s)
                for (int t = 0; t < m_; ++t)
                    if ((s == world_.chosen) == chosen && world_.mrp.transition(s, t) > 0.0) add_arrow(s, t);
        for (int s = 0; s < m_; ++s) {
            const DrawnPlace at = place_of(s);
            const double radius = disc_of(s);
            const bool chosen = s == world_.chosen;
            if (chosen) drawing_.shapes.push_back(drawn_disc(at, radius + 0.07, kInkColor));
            drawing_.shapes.push_back(drawn_disc(at, radius, kStateColor));
            if (m_ <= 24 || chosen) {
                const bool longer = name_of(s).size() > 8;
                drawing_.shapes.push_back(small_label(place_of(s, kRing + 0.52),
                                                      longer ? fmt::format("{}", s + 1) : name_of(s),
                                                      chosen ? kInkColor : kFaintColor));
            }
            const double half = larger(radius, 0.15);
            drawing_.handles.push_back(state_handle(world_, s, {at.first - half, at.second - half},
                                                    {at.first + half, at.second + half}, "state "));
        }
        drawing_.shapes.push_back(small_label({kCentreX - 0.6, kHeadingY}, "transitions", kInkColor));
    }

  private:
    const std::string& name_of(int state) const { return world_.states[state]; }
    DrawnPlace place_of(int state, double radius = kRing) const {
        return around({kCentreX, kCentreY}, radius, 2.0 * std::numbers::pi * state / m_);
    }
    static DrawnPlace around(DrawnPlace centre, double radius, double angle) {
        return {centre.first + radius * std::sin(angle), centre.second + radius * std::cos(angle)};
    }
    double disc_of(int state) const {
        const double apart = 2.0 * kRing * std::sin(std::numbers::pi / m_);
        const double most = smaller(0.36, 0.42 * apart), least = 0.3 * most;
        return larger(least, most * std::sqrt(world_.stationary[state] / world_.stationary.maxCoeff()));
    }

    void add_arrow(int s, int t) {
        const double p = world_.mrp.transition(s, t);
        const bool chosen = s == world_.chosen;
        std::vector<DrawnPlace> path = s == t ? self_loop(s) : bow(s, t);
        const DrawnPlace label_at = s == t ? outside(path, s) : beside(path);
        DrawnShape arrow = drawn_line(std::move(path), chosen ? kArrowColor : kFaintColor,
                                      (chosen ? 0.7 : 0.25) + (chosen ? 1.6 : 0.9) * p);
        arrow.arrow = true;
        drawing_.shapes.push_back(std::move(arrow));
        if (chosen) drawing_.shapes.push_back(small_label(label_at, fmt::format("{:.2f}", p), kInkColor));
    }
    // The place of a label: off the line, towards the middle of the ring, where no state is.
    static DrawnPlace beside(const std::vector<DrawnPlace>& path) {
        const auto [x, y] = path[path.size() / 2];
        const double dx = kCentreX - x, dy = kCentreY - y, off = 0.3 / larger(0.3, std::hypot(dx, dy));
        return {x + off * dx, y + off * dy};
    }
    // The place of a self-loop's label: beyond its farthest point, clear of its arrow and its state.
    DrawnPlace outside(const std::vector<DrawnPlace>& loop, int s) const {
        const auto [x, y] = loop[loop.size() / 2];
        const auto [state_x, state_y] = place_of(s);
        const double dx = x - state_x, dy = y - state_y, off = 0.22 / std::hypot(dx, dy);
        return {x + off * dx, y + off * dy};
    }
    // A line from edge to edge, bowed so that both directions have their line.
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
        // The loop lies beside the state's name, which stands straight outwards.
        const double outward = 2.0 * std::numbers::pi * s / m_ + 0.9;
        const DrawnPlace centre = around(place_of(s), radius + 0.7 * loop, outward);
        std::vector<DrawnPlace> path;
        for (int i = 0; i <= 12; ++i)
            path.push_back(
                around(centre, loop, outward + std::numbers::pi + 0.9 + (2.0 * std::numbers::pi - 1.8) * i / 12));
        return path;
    }

    const TdWorld& world_;
    DrawingSpec& drawing_;
    int m_;
};

// ---- the editable world: its graph, every state's value, the rewards, the stationary distribution, and the chosen
// state's transitions and features

constexpr int kStationaryColor = 2, kRewardColor = 4, kTransitionColor = 5, kFeatureColor = 6, kTruthColor = 7;
// kSecond: the left end of the second column.
constexpr double kWide = 11.5, kHigh = 9.0, kHalf = 5.35, kSecond = kWide - kHalf, kMargin = BarChart::kLimitsWidth;

class WorldDrawing {
  public:
    WorldDrawing(const InContextTdConfig& config, const TdWorld& world, const std::vector<TdWorldValues>& values)
        : config_(config), world_(world), values_(values), m_(world.num_states()) {
        shown_ = smaller(static_cast<size_t>(config.inside.shown_seed), values.size() - 1);
    }

    DrawingSpec draw() {
        drawing_.id = "world";
        drawing_.title = title_text();
        drawing_.right = kWide;
        drawing_.top = kHigh;
        RingGraph(world_, drawing_).add();
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
    const std::string& name_of(int state) const { return world_.states[state]; }

    // ---- the charts

    // The range of a chart. Each side is at least a share of the other.
    struct Span {
        double low = 0.0, high = 0.0;
    };

    // The range covers the true values and batch TD's, and the network's up to three times the largest of those.
    Span value_span() const {
        double up = 0.0, down = 0.0;
        const auto reach = [&](const Vec& v, double most) {
            for (const double value : v)
                if (std::isfinite(value)) {
                    up = larger(up, smaller(value, most));
                    down = larger(down, smaller(-value, most));
                }
            return larger({1e-6, up, down});
        };
        reach(world_.v, std::numeric_limits<double>::infinity());
        double largest = reach(shown().batch_td, std::numeric_limits<double>::infinity());
        largest = reach(shown().network, 3.0 * largest);
        return {-round_limit(larger(down, 0.1 * largest)), round_limit(larger(up, 0.1 * largest))};
    }

    void add_values() {
        const Span span = value_span();
        const BarChart chart = chart_at(kSecond, 4.75, 3.4, span, m_);
        for (int s = 0; s < m_; ++s) {
            chart.bar(drawing_, s, 0.08, 0.26, world_.v[s], kTruthColor);
            chart.bar(drawing_, s, 0.37, 0.26, shown().network[s], kNetworkColor);
            chart.bar(drawing_, s, 0.66, 0.26, shown().batch_td[s], kBatchTdColor);
            add_other_seeds(chart, s);
            drawing_.handles.push_back(state_handle(world_, s, {chart.x(s), chart.bottom},
                                                    {chart.x(s) + chart.pitch(), chart.bottom + chart.height},
                                                    "value "));
        }
        add_frame(chart, world_.states,
                  values_.size() > 1 ? "value of each state; ticks: other seeds" : "value of each state",
                  world_.chosen);
        const double y = kHigh - 0.12;
        const std::pair<std::string, int> legend[] = {
            {"true", kTruthColor}, {network_name(config_), kNetworkColor}, {"batch TD", kBatchTdColor}};
        double x = 3.95;
        for (const auto& [text, color] : legend) {
            constexpr double kLetter = 0.24;  // of small text in a small drawing
            drawing_.shapes.push_back(drawn_box({x, y - 0.09}, {x + 0.18, y + 0.09}, color));
            drawing_.shapes.push_back(small_label({x + 0.24, y}, text, kInkColor));
            x += kLetter * static_cast<double>(text.size()) + 0.55;
            drawing_.shapes.back().places.push_back({x, y});  // the label begins beside its box
        }
    }
    // Marks where the other seeds' bars would end.
    void add_other_seeds(const BarChart& chart, int s) {
        for (size_t k = 0; k < values_.size(); ++k) {
            const double value = values_[k].network[s];
            if (k == shown_ || !std::isfinite(value)) continue;
            const double left = chart.x(s) + 0.37 * chart.pitch(), y = chart.y(value);
            drawing_.shapes.push_back(drawn_line({{left, y}, {left + 0.26 * chart.pitch(), y}}, kInkColor, 0.6));
        }
    }

    // The range of bars that the user drags. Each side reaches 1.5 times its largest number in the loaded
    // world, at least half as far as the other side, and as far as any number typed in.
    static Span drag_span(const Mat& original, const Mat& now) {
        const double up = larger(original.maxCoeff(), 0.0), down = larger(-original.minCoeff(), 0.0);
        const double least = larger(0.5 * larger(up, down), 1e-3);
        return {-larger(round_limit(1.5 * larger(down, least)), -now.minCoeff()),
                larger(round_limit(1.5 * larger(up, least)), now.maxCoeff())};
    }
    // One step of dragging: a hundredth of the range's power of ten.
    static double drag_step(const Span& span) {
        return std::pow(10.0, std::floor(std::log10(larger(-span.low, span.high))) - 2.0);
    }

    static BarChart chart_at(double left, double bottom, double height, const Span& span, int columns) {
        return {left + kMargin, bottom, kHalf - kMargin, height, span.low, span.high, columns};
    }
    // Adds bars this wide.
    void add_bars(const BarChart& chart, const Vec& values, int color, double share = 0.6) {
        for (int i = 0; i < values.size(); ++i) chart.bar(drawing_, i, (1 - share) / 2, share, values[i], color);
    }
    void add_frame(const BarChart& chart, const std::vector<std::string>& names, const std::string& heading,
                   int chosen = -1) {
        chart.frame(drawing_, names, chosen);
        chart.limits(drawing_);
        chart.heading(drawing_, heading);
    }
    // Lets the user drag a column's bar; its number is the edit `name`.
    void add_grip(const BarChart& chart, int column, const std::string& name, const std::string& what, double value,
                  double step) {
        const bool changed = world_.edits.contains(name);
        drawing_.handles.push_back(chart.handle(column, "world_edits", name, what, value, step, changed));
    }

    void add_rewards() {
        const Span span = drag_span(world_.original.reward, world_.mrp.reward);
        const BarChart chart = chart_at(0, 2.45, 1.45, span, m_);
        add_bars(chart, world_.mrp.reward, kRewardColor);
        for (int s = 0; s < m_; ++s)
            add_grip(chart, s, fmt::format("r{}", s + 1), fmt::format("Reward of leaving state {}", name_of(s)),
                     world_.mrp.reward[s], drag_step(span));
        add_frame(chart, world_.states, "reward", world_.chosen);
    }

    void add_stationary() {
        const BarChart chart = chart_at(kSecond, 2.45, 1.45, {0.0, round_limit(world_.stationary.maxCoeff())}, m_);
        add_bars(chart, world_.stationary, kStationaryColor);
        add_frame(chart, world_.states, "stationary distribution", world_.chosen);
    }

    void add_transitions() {
        const int from = world_.chosen;
        const BarChart chart = chart_at(0, 0.35, 1.35, {0.0, 1.0}, m_);
        add_bars(chart, world_.mrp.transition.row(from), kTransitionColor);
        for (int t = 0; t < m_; ++t)
            add_grip(chart, t, fmt::format("p{},{}", from + 1, t + 1),
                     fmt::format("Probability from state {} to {}", name_of(from), name_of(t)),
                     world_.mrp.transition(from, t), 0.01);
        add_frame(chart, world_.states, fmt::format("from state {} to", name_of(from)), from);
    }

    void add_features() {
        const int s = world_.chosen;
        const Span span = drag_span(world_.original.features, world_.mrp.features);
        const BarChart chart = chart_at(kSecond, 0.35, 1.35, span, world_.mrp.d());
        add_bars(chart, world_.mrp.features.col(s), kFeatureColor, 0.5);
        std::vector<std::string> names;
        for (int k = 0; k < world_.mrp.d(); ++k) {
            names.push_back(fmt::format("φ{}", k + 1));
            add_grip(chart, k, fmt::format("phi{},{}", s + 1, k + 1),
                     fmt::format("Feature {} of state {}", k + 1, name_of(s)), world_.mrp.features(k, s),
                     drag_step(span));
        }
        add_frame(chart, names, fmt::format("features of state {}", name_of(s)));
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
            for (int t = 0; t < m_; ++t) add(fmt::format("p_{}_{}", s + 1, t + 1), world_.mrp.transition(s, t));
            for (int k = 0; k < world_.mrp.d(); ++k)
                add(fmt::format("phi_{}_{}", s + 1, k + 1), world_.mrp.features(k, s));
        }
    }
    std::string title_text() const {
        std::string text = world_.title;
        if (values_.size() > 1) text += fmt::format(", seed {}", shown_);
        if (!world_.edits.empty()) text += ", " + counted(world_.edits.size(), "edit");
        return text;
    }
    std::string readout_text() const {
        const auto error = [this](const Vec& v) {
            const double e = value_difference(v, world_.v, world_.weights);
            constexpr double kRounding = 1e-12, kBeyond = 1e6;
            if (!(e < kBeyond)) return std::string("diverges");
            return fmt::format("{:.3g}", e < kRounding ? 0.0 : e);
        };
        const Vec w = implicit_weight(world_.mrp.features, world_.v, world_.weights);
        const std::string whose = values_.size() > 1 ? fmt::format(" of seed {}", shown_) : "";
        return fmt::format("MSVE{}{}: {} {}, batch TD {}, best linear {}, zero {}", whose,
                           world_.leaves_states ? ", weighed by visits" : "", network_name(config_),
                           error(shown().network), error(shown().batch_td), error(world_.mrp.features.transpose() * w),
                           error(Vec::Zero(m_)));
    }

    const InContextTdConfig& config_;
    const TdWorld& world_;
    const std::vector<TdWorldValues>& values_;
    int m_;
    size_t shown_ = 0;
    DrawingSpec drawing_;
};

}  // namespace

void add_td_world(const InContextTdConfig& config, const TdWorld& world, const LearnedSeeds& seeds,
                  Snapshot& snapshot) {
    const std::vector<TdWorldValues> values = td_world_values(config, world, seeds);
    if (config.inside.world()) {
        Scene scene;
        scene.id = "world";
        scene.title = world.title;
        scene.height = 520.0;
        scene.note = fmt::format(
            "Values from one context of {} transitions: the {} with {} layers, and {} after as many steps; discount "
            "{}. Drag bars to edit; weights stay frozen. Marks: other networks.{}",
            config.eval_context_length, network_name(config), config.num_layers, batch_td_name(config, seeds),
            world.gamma,
            world.leaves_states ? " The chain ends in states without rewards, so errors weigh states by visits." : "");
        scene.moments = std::make_shared<const std::vector<DrawingSpec>>(1, WorldDrawing(config, world, values).draw());
        if (config.inside.world_file.empty()) scene.chosen_by = "watched_task";
        snapshot.scenes.push_back(std::move(scene));
    }
    if (config.inside.world_file.empty()) return;
    const auto mean_error = [&](Vec TdWorldValues::*of) {
        std::vector<std::vector<double>> errors;
        for (const TdWorldValues& seed : values) errors.push_back({value_difference(seed.*of, world.v, world.weights)});
        return summarise(errors, 0).mean;
    };
    const std::string what =
        fmt::format("From its context of {} transitions, mean over networks.", config.eval_context_length);
    const std::string mean = values.size() > 1 ? ", mean" : "";
    const Scalar errors[] = {
        {"world_msve", "MSVE in " + world.title + mean, mean_error(&TdWorldValues::network), "",
         "The mean squared value error in the world shown. " + what, false, "value error", "MSVE in this world"},
        {"world_msve_batch_td", "batch TD there" + mean, mean_error(&TdWorldValues::batch_td), "",
         fmt::format("Batch TD's, with {}. {}", batch_td_alpha(config), what)}};
    snapshot.scalars.insert(snapshot.scalars.begin(), std::begin(errors), std::end(errors));
}

}  // namespace emergence
