#pragma once
// Sizes and greys of a published figure, for a page 10 inches wide; Style::scale is 1 there.

#include "core/pictures/pen.h"

namespace emergence::page {

inline constexpr const char* kFontFamily = "DejaVu Sans";

inline constexpr Rgb kInk{26, 26, 26};       // text and axes
inline constexpr Rgb kFaintInk{90, 90, 90};  // notes, captions, reference lines
inline constexpr Rgb kBorder{60, 60, 60};    // around matrices and their blocks
inline constexpr Rgb kHatch{140, 140, 140};  // over blocks that never change, and missing cells
inline constexpr Rgb kGrid{226, 226, 226};
inline constexpr Rgb kTrack{226, 226, 226};  // behind a norm
inline constexpr Rgb kPaper{255, 255, 255};

/// Everything in points.
struct Style {
    double scale = 1.0;

    TextStyle figure_title() const { return {11.5 * scale, kInk, true}; }
    TextStyle caption() const { return {8.0 * scale, kFaintInk, false}; }
    TextStyle title() const { return {9.0 * scale, kInk, true}; }
    TextStyle axis() const { return {8.5 * scale, kInk, false}; }
    TextStyle tick() const { return {7.5 * scale, kInk, false}; }
    TextStyle legend() const { return {7.5 * scale, kInk, false}; }
    TextStyle note() const { return {7.0 * scale, kFaintInk, false}; }
    TextStyle block() const { return {8.5 * scale, kInk, false}; }

    double margin() const { return 10.0 * scale; }    // around the page
    double cell_gap() const { return 14.0 * scale; }  // between cells
    double gap() const { return 3.0 * scale; }        // between things that belong together
    double axis_line() const { return 0.7 * scale; }
    double grid_line() const { return 0.5 * scale; }
    double series_line() const { return 1.4 * scale; }
    double thin_line() const { return 0.5 * scale; }
    double tick_length() const { return 3.0 * scale; }
    double minor_tick_length() const { return 1.8 * scale; }

    PictureStyle picture() const;
};

}  // namespace emergence::page
