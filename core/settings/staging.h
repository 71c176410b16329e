#pragma once
// Which pictures stand where in the window: large on the stage, small in the wings, or folded away. Presets, the user and
// lessons say it with the ids of pictures, as in exports.
//
//     [view]
//     stage = ["P0", "Q0"]                   # large, in the middle
//     wings = ["emergence", "msve"]          # small, in this order; all others are folded under "more"
//     controls = ["eval_context_length"]     # the fields that a presentation keeps

#include <string>
#include <vector>

#include "core/settings/toml.h"

namespace emergence {

struct Staging {
    // Ids of pictures; see core/lab/views/picture_places.h for those that stand for several.
    std::vector<std::string> stage;
    std::vector<std::string> wings;
    /// Names of fields.
    std::vector<std::string> controls;

    bool empty() const { return stage.empty() && wings.empty() && controls.empty(); }
    bool operator==(const Staging&) const = default;
};

/// What [view] says of it; a list that it omits, or that is none, is empty.
Staging staging_in(const ViewValues& view);
/// Writes the lists that are not empty, and removes the others.
void write_staging(const Staging& staging, ViewValues& view);

}  // namespace emergence
