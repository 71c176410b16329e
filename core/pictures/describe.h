#pragma once
// Pictures in words: the axes, the course of each line, the largest cells. Made from the data that are drawn,
// for people who cannot see the picture and for texts.

#include "core/pictures/figure_spec.h"

namespace emergence {

/// One picture in words.
struct Description {
    /// Of the picture; "" for what is said of all.
    std::string id;
    std::string title;
    std::vector<std::string> sentences;
};

/// Axes and their ranges; how each line begins, runs and ends, with its extremes; which lines cross, and their order at
/// the right end; marks, bars and reference lines.
Description describe(const PlotSpec& plot);

/// Size and blocks, the largest entries, the diagonals of blocks; with `theory`, theory's matrix of the same size: the
/// distance from it and the blocks that agree.
Description describe(const HeatmapSpec& heatmap, const HeatmapSpec* theory = nullptr);

/// Its read-out, its numbers, its labels and its note.
Description describe(const DrawingSpec& drawing);

/// The heatmaps in their order, each beside theory's of the same matrix, which gets no description of its own. Ids are
/// the matrix' name, alone or with "learned", "B" or "theory" behind it, as heatmap_of() and the window write them.
std::vector<Description> describe(const std::vector<HeatmapSpec>& heatmaps);

/// A whole figure: its title and caption first, then its cells.
std::vector<Description> describe(const FigureSpec& figure);

/// A number with three digits, or with all before the point.
std::string spoken(double value);

/// Titles and sentences, a line each, with an empty line between two pictures.
std::string text_of(const std::vector<Description>& descriptions);

}  // namespace emergence
