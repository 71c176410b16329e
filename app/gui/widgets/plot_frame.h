#pragma once
// What surrounds a plot's data in the window: title, read-out, axes.

#include <imgui.h>

#include <string>
#include <vector>

#include "app/gui/shell/theme.h"
#include "app/gui/widgets/text.h"
#include "core/pictures/draw_plot.h"
#include "core/pictures/figure_spec.h"

namespace emergence {

struct PlotFrame {
    /// The whole widget, and inside the axes.
    ImVec2 min, max, area_min, area_max;
    PlotPlace place;
    PlotAxes axes;
    Heading title;
    std::string meaning;                     // what the y axis means, beside the title
    std::vector<std::string> meaning_below;  // the same where the title leaves no room for all of it
    float heading_width = 0.0F;              // that title, meaning and note have
    std::vector<std::string> readout;
    /// The title of the x axis: in a line below its numbers, in place of the last one or, if short, below those of the y
    /// axis.
    std::string footer;
    ImVec2 footer_at;
    bool footer_centred = false;
};

/// `spec` has the limits of its axes. `legend`: kept free beside and above the axes. If the view is not `fitted`, room for
/// the button is left beside the title.
PlotFrame lay_out_frame(const Ui& ui, const PlotSpec& spec, ImVec2 legend, bool fitted, ImVec2 min, ImVec2 size);
/// Everything but the data and the legend. The note on what the axes leave out stands beside the title, as far as there
/// is room.
void draw_frame(const Ui& ui, Pen& pen, const PlotFrame& frame, const std::string& note, const PictureStyle& style);
float fit_button_width(const Ui& ui);

}  // namespace emergence
