#pragma once
// Which pictures share a cell of the stage or of the wings.

#include <string>
#include <vector>

#include "core/lab/views/run_views.h"

namespace emergence {

struct PictureCell {
    enum class Kind { matrices, tiles, plot, scene };
    Kind kind = Kind::plot;
    std::vector<std::string> ids;  // several for matrices only
    bool operator==(const PictureCell&) const = default;
};

/// On the stage all matrices share a cell.
std::vector<PictureCell> stage_cells(const std::vector<std::string>& places, const PictureIds& ids);
/// In the wings neighbours of equal size do, at most three.
std::vector<PictureCell> wing_cells(const std::vector<std::string>& places, const PictureIds& ids,
                                    const Snapshot& snapshot);

/// Of these settings those that what stands on the stage may depend on: weights do not on where they are evaluated.
std::vector<std::string> controls_of(const std::vector<PictureCell>& stage, std::vector<std::string> settings,
                                     const Snapshot& snapshot);

}  // namespace emergence
