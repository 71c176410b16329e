#pragma once
// The entries of a plot's legend and their samples. Where a legend stands differs: in the window it can be clicked and
// moves when data comes; on a page it is placed once.

#include "core/pictures/figure_spec.h"
#include "core/pictures/pen.h"

namespace emergence {

struct LegendEntry {
    std::string name;
    /// Series::color.
    int color = 0;
    bool dashed = false;
    /// The series has a band or filled bars.
    bool filled = false;
    /// Its line has marks here and there.
    bool marked = false;
    /// A scatter: marks and no line.
    bool points = false;
    /// Stands for the line of one seed.
    bool note = false;
    /// The series is hidden.
    bool faint = false;
    /// As many as the plot has for the note.
    size_t series = 0;

    bool operator==(const LegendEntry&) const = default;
};

/// An entry per named series, hidden ones too, and one that says which seed is highlighted.
std::vector<LegendEntry> legend_entries(const PlotSpec& plot);

/// The sample of a line from `left` on, LegendStyle::width long.
void draw_sample(Pen& pen, const LegendEntry& entry, Point left, const PictureStyle& style);

}  // namespace emergence
