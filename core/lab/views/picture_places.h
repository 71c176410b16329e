#pragma once
// The pictures of a run by their ids, and where a Staging puts each of them.

#include "core/lab/metrics.h"
#include "core/lab/snapshot.h"
#include "core/settings/toml.h"

namespace emergence {

/// Stands for all matrices that are not named elsewhere.
inline constexpr const char* kAllMatrices = "matrices";
/// The matrices of every seed, as tiles.
inline constexpr const char* kSeedTiles = "seeds";

/// The ids of a run's pictures, in the order of the snapshot.
struct PictureIds {
    /// NamedMatrix::name.
    std::vector<std::string> matrices;
    /// PlotSpec::id, those of the history first.
    std::vector<std::string> plots;
    /// Scene::id.
    std::vector<std::string> scenes;
    /// Plots that the user asked for (PlotSpec::leads).
    std::vector<std::string> leading;
    /// The seeds can stand as tiles.
    bool tiles = false;

    bool has(const std::string& id) const;
    bool has_matrix(const std::string& id) const;
    bool operator==(const PictureIds&) const = default;
};
/// `history`: Study::metric_plots().
PictureIds picture_ids(const std::vector<MetricPlot>& history, const Snapshot& snapshot);

/// Every picture stands in one place.
struct PicturePlaces {
    std::vector<std::string> stage, wings, more;
    bool operator==(const PicturePlaces&) const = default;
};

/// Ids that the run lacks are skipped; of two places the first counts. A plot that the user asked for, and that has no
/// place, comes first in the wings. If no picture is left on the stage, the matrices take it, if none the drawn world,
/// if none the first plot; if the staging names no wings, all others stand in them.
PicturePlaces place_pictures(const Staging& staging, const PictureIds& ids);

}  // namespace emergence
