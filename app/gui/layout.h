#pragma once
// Where the panels are: left what one does, in the middle what one came to see, right how it went, below how
// it goes.

#include <imgui.h>

#include <vector>

namespace emergence {

struct Box {
    ImVec2 min;
    ImVec2 size;
    ImVec2 max() const { return {min.x + size.x, min.y + size.y}; }
};

struct Layout {
    Box transport;
    Box settings;
    Box banner;  // of no height where there is no bad news
    Box emerged;
    Box matrices;
    Box curves;
    Box status;

    std::vector<Box> all() const { return {transport, settings, banner, emerged, matrices, curves, status}; }
};

/// `banners`: how many lines of bad news there are; `transport_height` in pixels.
Layout make_layout(ImVec2 window, float scale, int banners, float transport_height);

}  // namespace emergence
