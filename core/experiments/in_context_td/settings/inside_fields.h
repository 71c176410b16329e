#pragma once
// Settings of experiment "td" for one prompt: the drawing of its world, and the microscope, which shows the
// prompt layer by layer. All are live; none affects training.

#include <string>

#include "core/settings/field_builder.h"

namespace emergence {

/// The prompt, the world and the layer that are shown.
struct TdInsideConfig {
    std::string look_inside = "nothing";
    int watched_task = 0;
    std::string world_file;
    std::string world_edits;
    int world_state = 1;
    int shown_seed = 0;
    int layer = 0;
    std::string microscope_of = "learned";

    void fields(Fields& f);

    bool world() const { return look_inside == "world" || look_inside == "both"; }
    bool microscope() const { return look_inside == "microscope" || look_inside == "both"; }
};

}  // namespace emergence
