#pragma once
// Places the panels: controls at the top, settings at the left, the stage in the middle, wings beside it, and the run's
// timeline and status at the bottom.

#include <imgui.h>

#include <functional>
#include <vector>

namespace emergence {

struct Box {
    ImVec2 min;
    ImVec2 size;
    ImVec2 max() const { return {min.x + size.x, min.y + size.y}; }
    /// False for a panel that this layout leaves out. Nothing is drawn there.
    bool shown() const { return size.x > 0.0F && size.y > 0.0F; }
};

/// The borders between panels as the user has moved them, in lengths of the 1600 x 1000 design. 0 lets the layout
/// choose.
struct Splits {
    float left = 0.0F;   // width of the column of settings
    float right = 0.0F;  // width of the wings beside the stage
    bool operator==(const Splits&) const = default;
};

/// A border that the user can drag sideways.
struct Splitter {
    Box box;  // where it can be grabbed: the gap between two panels
    float Splits::*length = &Splits::left;
    float origin = 0.0F;   // the length is the distance from here to the panel's edge, in pixels
    float sign = 1.0F;     // -1 if the length grows to the left
    float minimum = 0.0F;  // pixels
    float maximum = 0.0F;  // pixels
};

struct LayoutRequest {
    ImVec2 window;
    float scale = 1.0F;
    float transport_height = 0.0F;  // pixels; 0: none
    float timeline_height = 0.0F;   // pixels; 0: none
    bool settings = true;           // the column of settings is open
    /// Extra height of the headline, in pixels, for lamps and read-outs at this width.
    std::function<float(float width)> headline_more = {};
    /// Height of the row of controls that the preset names, in pixels; 0: none.
    float controls_height = 0.0F;
    Splits splits = {};
    float first_wing = 0.0F;  // least height of the first wing, in lengths of the design; 0: as the others
    int wings = 0;            // pictures to stand beside the stage if they fit
    int unfolded = 0;         // number of wings if they are unfolded and scroll; else 0
    bool presenting = false;  // only stage, headline and controls are shown
};

struct Layout {
    Box transport;  // the row at the top
    Box settings;
    Box headline;
    Box stage;
    Box controls;            // the controls that the preset names
    Box column;              // holds all wings
    std::vector<Box> wings;  // one per picture; if unfolded, the last ones lie below the column
    Box strip;               // at the end of the column: names of the pictures without room
    Box timeline;            // above the status
    Box status;              // directly below the timeline, without a gap
    std::vector<Splitter> splitters;

    std::vector<Box> all() const;
};

Layout make_layout(const LayoutRequest& request);

/// Cells of equal size, `gap` pixels apart, for pictures that share a stage. The number of columns keeps cells from
/// being very flat or very narrow.
std::vector<Box> share_stage(const Box& stage, int count, float gap);

}  // namespace emergence
