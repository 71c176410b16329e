#pragma once
// What a right click on a plot offers.

#include <array>
#include <string>
#include <vector>

#include "app/gui/shell/theme.h"
#include "core/pictures/axis.h"
#include "core/pictures/figure_spec.h"
#include "core/pictures/plot.h"

namespace emergence {

/// The menu's own memory.
struct PlotMenu {
    std::array<double, 4> limits{};  // being typed: x from, x to, y from, y to
    std::string refusal;             // why they were not taken
    std::string values;              // what was read where the menu was opened; "" where nothing was
};

/// Opens the menu at the pointer, for the plot as it is shown.
void open_plot_menu(PlotMenu& menu, const PlotSpec& shown);

/// Draws the menu while it is open and applies what is chosen to the view. `own` is the plot without its
/// view: what "as above all plots" means. Items are logged as "menu ITEM".
void draw_plot_menu(const Ui& ui, PlotMenu& menu, const PlotSpec& own, const PlotSpec& shown,
                    const std::vector<SeriesShape>& shapes, PlotView& view);

}  // namespace emergence
