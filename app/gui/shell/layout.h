#pragma once
// Where the panels are: above what one does, left the settings while they are open, in the middle the stage with what
// one came to see, beside it the wings, below the run's time and how it goes.

#include <imgui.h>

#include <functional>
#include <vector>

namespace emergence {

struct Box {
    ImVec2 min;
    ImVec2 size;
    ImVec2 max() const { return {min.x + size.x, min.y + size.y}; }
    /// False for a panel that this layout leaves out: then nothing is to be drawn.
    bool shown() const { return size.x > 0.0F && size.y > 0.0F; }
};

/// Where the user has put the borders between panels, in lengths of the 1600 x 1000 design; 0 where the
/// layout is to choose.
struct Splits {
    float left = 0.0F;   // width of the column of settings
    float right = 0.0F;  // width of the wings beside the stage
    bool operator==(const Splits&) const = default;
};

/// A border that can be dragged sideways.
struct Splitter {
    Box box;  // where it can be grabbed: the gap between two panels
    float Splits::*length = &Splits::left;
    float origin = 0.0F;   // the length is the distance of the panel's edge from here, in pixels
    float sign = 1.0F;     // -1 where it is measured leftwards
    float minimum = 0.0F;  // pixels
    float maximum = 0.0F;  // pixels
};

struct LayoutRequest {
    ImVec2 window;
    float scale = 1.0F;
    float transport_height = 0.0F;  // pixels; 0: none
    float timeline_height = 0.0F;   // pixels; 0 for none
    bool settings = true;           // their column is open
    /// Pixels by which the headline is higher than without lamps and read-outs, at a width.
    std::function<float(float width)> headline_more = {};
    /// Height of the row of controls that the preset names, in pixels; 0 for none.
    float controls_height = 0.0F;
    Splits splits = {};
    float first_wing = 0.0F;  // least height of the first of them, in lengths of the design; 0: as the others
    int wings = 0;            // pictures that are to stand beside the stage, if they fit
    bool unfolded = false;    // all `wings` are there, to be scrolled
    bool presenting = false;  // stage, headline and controls, nothing else
};

struct Layout {
    Box transport;  // above all others
    Box settings;
    Box headline;
    Box stage;
    Box controls;            // those that the preset names
    Box column;              // of all wings
    std::vector<Box> wings;  // a picture each; if unfolded the last ones lie below the column
    Box strip;               // at the end of the column: what is folded away
    Box timeline;            // below all others
    Box status;              // right below it, without a gap: they are one strip
    std::vector<Splitter> splitters;

    std::vector<Box> all() const;
};

Layout make_layout(const LayoutRequest& request);

/// Cells of equal size, `gap` pixels apart, for pictures that share a stage: as many columns as make them least
/// flat and least narrow.
std::vector<Box> share_stage(const Box& stage, int count, float gap);

}  // namespace emergence
