#pragma once
// A plot's reference lines, level or upright, dashed, and its shaded ranges; with labels that keep off each
// other.

#include <imgui.h>

#include <string>
#include <vector>

#include "app/gui/shell/theme.h"
#include "app/gui/widgets/plot_frame.h"
#include "core/pictures/figure_spec.h"

namespace emergence {

/// Where the label of a reference line or a shaded range stands, in pixels.
struct ReferenceLabel {
    std::string text;
    ImVec2 at, size;
};

/// Places the labels of what is seen: beside their lines or in the upper part of their ranges, inside the
/// axes, none on another while there is room.
std::vector<ReferenceLabel> place_reference_labels(const Ui& ui, const PlotSpec& spec,
                                                   const PlotFrame& frame);
/// Behind everything.
void draw_shaded_ranges(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame);
void draw_reference_lines(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame);
/// On a ground of their own, so that they can be read over data.
void draw_reference_labels(const Ui& ui, const std::vector<ReferenceLabel>& labels);

}  // namespace emergence
