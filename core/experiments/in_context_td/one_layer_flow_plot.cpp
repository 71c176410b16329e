// The picture of experiment "one-layer-flow": arrows, the point of rest and paths.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/experiments/in_context_td/one_layer_flow.h"

namespace emergence {
namespace {

using Eigen::Vector2d;

constexpr int kArrows = 19;  // per side
constexpr double kZoomed = 0.12;

// The limits of the picture: zero and the point of rest, with as much room again around them.
struct Sight {
    Vector2d low, high;
};

Sight sight_of(const OneLayerFlowConfig& config, const Vector2d& rest) {
    const double size = rest.cwiseAbs().maxCoeff();
    if (config.zoom) return {Vector2d::Constant(-kZoomed * size), Vector2d::Constant(kZoomed * size)};
    const Vector2d middle = 0.5 * rest, half = Vector2d::Constant(0.9 * size);
    return {middle - half, middle + half};
}

// A line from tail to tip and back along both sides of its head; a gap after it.
void add_arrow(const Vector2d& tail, const Vector2d& along, Series& series) {
    const Vector2d tip = tail + along, across(-along.y(), along.x());
    const auto add = [&](const Vector2d& at) {
        series.x.push_back(at.x());
        series.rows[0].push_back(at.y());
    };
    for (const Vector2d& at : {tail, tip, Vector2d(tip - 0.32 * along + 0.2 * across), tip,
                               Vector2d(tip - 0.32 * along - 0.2 * across)})
        add(at);
    add(Vector2d::Constant(kMissing));
}

Series arrows(const OneLayerFlowConfig& config, const InvariantFlow& flow, const Sight& sight) {
    Series series{"expected update", {}, {{}}, 7};
    const Vector2d apart = (sight.high - sight.low) / kArrows;
    std::vector<std::pair<Vector2d, Vector2d>> all;
    double largest = 0.0;
    for (int i = 0; i < kArrows; ++i)
        for (int j = 0; j < kArrows; ++j) {
            const Vector2d at = sight.low + apart.cwiseProduct(Vector2d(i + 0.5, j + 0.5));
            all.emplace_back(at, flow.direction(at, config.balance));
            largest = std::max(largest, all.back().second.norm());
        }
    for (const auto& [at, direction] : all) {
        if (direction.norm() == 0.0) continue;
        const double length = apart.minCoeff() * std::cbrt(direction.norm() / largest);
        const Vector2d along = length * direction.normalized();
        add_arrow(at - 0.5 * along, along, series);
    }
    return series;
}

Series point_at(const char* name, const Vector2d& at, int color) {
    Series series{name, {at.x()}, {{at.y()}}, color};
    series.points = true;
    return series;
}

}  // namespace

void redraw_arrows(const OneLayerFlowConfig& config, const InvariantFlow& flow, PlotSpec& picture) {
    const Sight sight = sight_of(config, flow.rest());
    picture.x.minimum = sight.low.x();
    picture.x.maximum = sight.high.x();
    picture.y.minimum = sight.low.y();
    picture.y.maximum = sight.high.y();
    picture.series.front() = arrows(config, flow, sight);
}

PlotSpec flow_picture(const OneLayerFlowConfig& config, const InvariantFlow& flow,
                      const std::vector<const OneLayerFlowSeed*>& seeds) {
    PlotSpec plot;
    plot.id = "flow";
    plot.leads = true;
    plot.title = "Expected updates, and trainings";
    plot.markers = false;
    const Vector2d rest = flow.rest();
    plot.x.label = "a = P[-1,-1] tr Q[:d,:d] / d";
    plot.y.label = "b = P[-1,-1] tr Q[d:2d,:d] / d";
    plot.series.emplace_back();
    redraw_arrows(config, flow, plot);
    bool first = true;
    for (const OneLayerFlowSeed* seed : seeds) {
        Series path{first ? "trainings, every seed" : "", {}, {{}}, 0},
            end = point_at("", Vector2d::Zero(), 0);
        for (const std::vector<double>& at : seed->path().rows()) {
            path.x.push_back(at[0]);
            path.rows[0].push_back(at[1]);
        }
        if (path.x.empty()) continue;
        end.x = {path.x.back()};
        end.rows = {{path.rows[0].back()}};
        plot.series.push_back(std::move(path));
        plot.series.push_back(std::move(end));
        first = false;
    }
    plot.series.push_back(point_at("rest", rest, 1));
    plot.series.push_back(point_at("zero", Vector2d::Zero(), 3));
    plot.readout = fmt::format("rest at a = {:.3g}, b = {:.3g}", rest.x(), rest.y());
    plot.note =
        "Arrows: the expected update (10) on the set of Theorem 2, exact but for the MRPs it is averaged "
        "over; "
        "length grows with the cube root of its size. The coordinates (ours) stay as they are when P is "
        "multiplied by a number and Q divided by it: on the set the value is -(a f1 + b f2) with f1 the "
        "context's mean of R phi' and f2 that of R gamma phi', times the query. Paths: trainings from random "
        "weights, off the set, seen in the same coordinates; with Adam they need not follow the arrows.";
    return plot;
}

}  // namespace emergence
