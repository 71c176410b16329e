#include "core/pictures/arrow_field.h"

#include <cmath>

namespace emergence {
namespace {

using Eigen::Vector2d;

// A line from tail to tip and back along both sides of its head; a gap after it.
void add_arrow(const Vector2d& tail, const Vector2d& along, Series& series) {
    const Vector2d tip = tail + along, across(-along.y(), along.x());
    for (const Vector2d& at : {tail, tip, Vector2d(tip - 0.32 * along + 0.2 * across), tip,
                               Vector2d(tip - 0.32 * along - 0.2 * across), Vector2d(kMissing, kMissing)}) {
        series.x.push_back(at.x());
        series.rows[0].push_back(at.y());
    }
}

}  // namespace

Series arrow_field(const PlaneView& view, int per_side, const std::function<Vector2d(const Vector2d&)>& field) {
    const Vector2d apart = (view.high - view.low) / per_side;
    std::vector<std::pair<Vector2d, Vector2d>> all;
    double largest = 0.0;
    for (int i = 0; i < per_side; ++i)
        for (int j = 0; j < per_side; ++j) {
            const Vector2d at = view.low + apart.cwiseProduct(Vector2d(i + 0.5, j + 0.5));
            all.emplace_back(at, field(at));
            largest = std::max(largest, all.back().second.norm());
        }
    Series arrows;
    arrows.rows = {{}};
    for (const auto& [at, direction] : all) {
        if (direction.norm() == 0.0) continue;
        const Vector2d along = apart.minCoeff() * std::cbrt(direction.norm() / largest) * direction.normalized();
        add_arrow(at - 0.5 * along, along, arrows);
    }
    return arrows;
}

void fix_axes(const PlaneView& view, PlotSpec& plot) {
    plot.x.minimum = view.low.x();
    plot.x.maximum = view.high.x();
    plot.y.minimum = view.low.y();
    plot.y.maximum = view.high.y();
}

}  // namespace emergence
