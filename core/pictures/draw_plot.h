#pragma once
// Lays out and draws what is inside a plot's axes.

#include <optional>
#include <string>
#include <vector>

#include "core/pictures/plot_lines.h"
#include "core/pictures/plot_marks.h"

namespace emergence {

/// A plot's data, reference lines, labels and note where they are drawn. Made anew if data, view or place change.
struct PlotLayout {
    PlotPlace place;
    std::vector<SeriesLines> lines;
    PlotMarks marks;
    /// What the drawing leaves out.
    std::string note;
    /// Empty if the note is not to be drawn among the data.
    Rect note_box;
    std::vector<std::string> note_lines = {};
    /// For what needs free room, e.g. a legend.
    Obstacles obstacles;
};

/// `plot` has the limits of its axes.
PlotLayout lay_out_plot(const PlotSpec& plot, const std::vector<SeriesShape>& shapes, const PlotPlace& place,
                        const PictureStyle& style, const TextRuler& ruler);

/// Draws it inside the axes, on the grid: ranges, reference lines, series, labels, the note. `emphasis` has one entry
/// per series.
void draw_plot(Pen& pen, const PlotSpec& plot, const PlotLayout& layout,
               const std::vector<Emphasis>& emphasis, const PictureStyle& style);

}  // namespace emergence
