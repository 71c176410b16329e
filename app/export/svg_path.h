#pragma once
// Points as the data of a path, as SVG and a browser's canvas understand it.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "core/pictures/pen.h"

namespace emergence::page {

/// A coordinate to a thousandth; what is far outside is brought nearer.
inline std::string short_number(double coordinate) {
    return fmt::format("{}", std::round(std::clamp(coordinate, -2e4, 2e4) * 1e3) / 1e3 + 0.0);
}

inline std::string svg_path(std::span<const Point> points, bool closed) {
    std::string path;
    for (const Point& point : points)
        path += fmt::format("{}{} {}", path.empty() ? 'M' : 'L', short_number(point.x), short_number(point.y));
    return closed ? path + 'Z' : path;
}

}  // namespace emergence::page
