#pragma once
// Where the panels are: left what one does, in the middle what one came to see, right how it went, below how
// it goes.

#include <imgui.h>

#include <functional>
#include <optional>
#include <vector>

namespace emergence {

struct Box {
    ImVec2 min;
    ImVec2 size;
    ImVec2 max() const { return {min.x + size.x, min.y + size.y}; }
    /// False for a panel that this layout leaves out: then nothing is to be drawn.
    bool shown() const { return size.x > 0.0F && size.y > 0.0F; }
};

/// The panels with a heading: those that can be enlarged to the whole window.
enum class PanelName { settings, matrices, curves, scene };

/// Where the user has put the borders between panels, in lengths of the 1600 x 1000 design; 0 where the
/// layout is to choose.
struct Splits {
    float left = 0.0F;     // width of the column of controls
    float right = 0.0F;    // width of the column of curves
    float emerged = 0.0F;  // height of the strip over the matrices
    float scene = 0.0F;    // height of the drawn world below the curves
    bool operator==(const Splits&) const = default;
};

/// A border that can be dragged.
struct Splitter {
    Box box;              // where it can be grabbed: the gap between two panels
    bool upright = true;  // it is dragged sideways
    float Splits::*length = &Splits::left;
    float origin = 0.0F;   // the length is the distance of the panel's edge from here, in pixels
    float sign = 1.0F;     // -1 where it is measured leftwards
    float minimum = 0.0F;  // pixels
    float maximum = 0.0F;  // pixels
};

/// A panel with a heading above its content. The Layout's box of that panel is what is below the heading.
struct Frame {
    PanelName name = PanelName::matrices;
    Box whole;
    Box heading;
};

struct LayoutRequest {
    ImVec2 window;
    float scale = 1.0F;
    float transport_height = 0.0F;  // pixels
    float timeline_height = 0.0F;   // pixels; 0 for none
    /// Pixels by which the strip over the matrices is higher than without lamps and read-outs, at a width.
    std::function<float(float width)> strip_more = {};
    /// Height of the bad news at a width, in pixels; 0 for none.
    std::function<float(float width)> banner_height = {};
    Splits splits = {};
    bool matrices = true;                    // false: there are none, their room goes to the curves
    std::optional<PanelName> enlarged = {};  // fills the window but for status and timeline
    bool presenting = false;                 // only what is there to be seen
    bool scene = false;                      // there is a drawn world
    float scene_height = 0.0F;               // that it asks for, in lengths of the design; 0: the usual
};

struct Layout {
    Box transport;
    Box settings;
    Box banner;  // where bad news stands, above the panels; no height if none
    Box emerged;
    Box matrices;
    Box scene;  // below the curves
    Box curves;
    Box timeline;  // below the matrices and curves
    Box status;
    std::vector<Frame> frames;
    std::vector<Splitter> splitters;

    /// What is shown, panels with their headings.
    std::vector<Box> all() const;
};

Layout make_layout(const LayoutRequest& request);

}  // namespace emergence
