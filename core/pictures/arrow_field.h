#pragma once
// A vector field as arrows on a grid.

#include <functional>

#include "core/base/eigen.h"
#include "core/pictures/figure_spec.h"

namespace emergence {

/// The rectangle of a plane that a picture shows.
struct PlaneView {
    Eigen::Vector2d low, high;
};

/// The arrows of `field` at per_side x per_side points of `view`, as one path with gaps. The longest arrow is as long
/// as a cell's shorter side; lengths grow with the cube root of the field's size. Where the field is 0 there is none.
Series arrow_field(const PlaneView& view, int per_side,
                   const std::function<Eigen::Vector2d(const Eigen::Vector2d&)>& field);

/// Makes the axes end at the edges of `view`.
void fix_axes(const PlaneView& view, PlotSpec& plot);

}  // namespace emergence
