#include "core/experiments/in_context_td/world/own_world_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/statistics.h"
#include "core/pictures/axis.h"
#include "core/pictures/drawing.h"

namespace emergence {
namespace {

constexpr int kStateColor = 2, kArrowColor = 5;
constexpr double kCentreX = 2.7, kCentreY = 6.45, kRing = 1.5, kHeadingY = 8.88;

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
        const double angle = 2.0 * std::numbers::pi * state / m_;
        return {kCentreX + radius * std::sin(angle), kCentreY + radius * std::cos(angle)};
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
        // Beside the state's name, which stands straight outwards.
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

    const TdWorld& world_;
    DrawingSpec& drawing_;
    int m_;
};

}  // namespace

void add_world_graph(const TdWorld& world, DrawingSpec& drawing) { RingGraph(world, drawing).add(); }

DrawnHandle state_handle(const TdWorld& world, int state, DrawnPlace lower, DrawnPlace upper, const char* where) {
    DrawnHandle grip;
    grip.name = fmt::format("{}{}", where, state + 1);
    grip.help =
        fmt::format("State {}: value {}, reward {}, visited {} of the time. Choose it", world.states[state],
                    readout(world.v[state]), readout(world.mrp.reward[state]), readout(world.stationary[state]));
    grip.field = "world_state";
    grip.lower = lower;
    grip.upper = upper;
    grip.value = state + 1;
    return grip;
}

}  // namespace emergence
