#include "core/pictures/color_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/pictures/axis.h"

namespace emergence {

double largest_entry(const Table& table) {
    double largest = 0.0;
    for (const double value : table.values)
        if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    return largest;
}

double magnitude_percentile(const Table& table, double percentile) {
    std::vector<double> magnitudes;
    magnitudes.reserve(table.values.size());
    for (const double value : table.values)
        if (std::isfinite(value)) magnitudes.push_back(std::abs(value));
    if (magnitudes.empty()) return 0.0;
    const double position =
        std::clamp(percentile, 0.0, 100.0) / 100.0 * static_cast<double>(magnitudes.size() - 1);
    const auto below = static_cast<std::ptrdiff_t>(position);
    const auto at = magnitudes.begin() + below;
    std::nth_element(magnitudes.begin(), at, magnitudes.end());
    if (at + 1 == magnitudes.end()) return *at;
    return std::lerp(*at, *std::min_element(at + 1, magnitudes.end()), position - static_cast<double>(below));
}

void apply_limits(HeatmapSpec& heatmap, const ColorLimits& limits) {
    if (limits.rule == ColorLimits::Rule::percentile)
        heatmap.limit = magnitude_percentile(heatmap.values, limits.percentile);
    else if (limits.rule == ColorLimits::Rule::manual)
        heatmap.limit = limits.manual;
    if (!std::isfinite(heatmap.limit) || heatmap.limit <= 0.0) heatmap.limit = 1.0;
    if (limits.rule == ColorLimits::Rule::percentile)
        heatmap.note += fmt::format(", colours end at {}: {:g} % of the cells lie inside",
                                    readout(heatmap.limit), limits.percentile);
    else if (limits.rule == ColorLimits::Rule::manual)
        heatmap.note += fmt::format(", colours end at {}, set by hand", readout(heatmap.limit));
}

ClippedCells clipped_cells(const HeatmapSpec& heatmap) {
    // Rounding of a mean must not count as clipping.
    const double limit = heatmap.limit * (1.0 + 1e-9);
    ClippedCells clipped;
    // Asked in every frame, and mostly there are none: one comparison per cell.
    int beyond = 0;
    for (const double value : heatmap.values.values) beyond += std::abs(value) > limit ? 1 : 0;
    if (beyond == 0) return clipped;
    for (const double value : heatmap.values.values) {
        clipped.above += value > limit ? 1 : 0;
        clipped.below += value < -limit ? 1 : 0;
    }
    return clipped;
}

}  // namespace emergence
