#pragma once
// Lays out and draws what is inside a plot's axes: its data, and reference lines and shaded ranges with labels that
// keep off each other.

#include "core/pictures/obstacles.h"
#include "core/pictures/plot_lines.h"
#include "core/pictures/plot_place.h"

namespace emergence {

/// The label of a reference line or a shaded range.
struct PlotLabel {
    std::vector<std::string> lines;
    Rect box;
    /// It is read from below.
    bool turned = false;
};

/// What is seen of a plot's ranges and reference lines.
struct PlotMarks {
    struct Line {
        Point from, to;
    };
    std::vector<Rect> shaded;
    std::vector<Line> lines;
    std::vector<PlotLabel> labels;
};

/// Places what is seen: labels beside their lines or in the upper part of their ranges, inside the axes, none on
/// another, each where it covers least of `obstacles`, to which lines and labels are added.
PlotMarks lay_out_marks(const PlotSpec& plot, const PlotPlace& place, Obstacles& obstacles, const PictureStyle& style,
                        const TextRuler& ruler);

/// Where the note in a corner inside the axes covers least; the lower left if none is free.
Rect place_note(const std::vector<std::string>& note, const Rect& area, const Obstacles& obstacles,
                const PlotStyle& style, const TextRuler& ruler);

/// Behind the data.
void draw_marks(Pen& pen, const PlotMarks& marks, const PictureStyle& style);
/// Above it, on a ground, so that they can be read.
void draw_plot_labels(Pen& pen, const std::vector<PlotLabel>& labels, const PictureStyle& style);

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
    /// For what needs free room, e.g. a legend; none in the window, whose legend stands outside.
    Obstacles obstacles;
};

/// `plot` has the limits of its axes.
PlotLayout lay_out_plot(const PlotSpec& plot, const std::vector<SeriesShape>& shapes, const PlotPlace& place,
                        const PictureStyle& style, const TextRuler& ruler);

/// Draws it inside the axes, on the grid: ranges, reference lines, series, labels, the note. `emphasis` has one entry
/// per series.
void draw_plot(Pen& pen, const PlotSpec& plot, const PlotLayout& layout, const std::vector<Emphasis>& emphasis,
               const PictureStyle& style);

}  // namespace emergence
