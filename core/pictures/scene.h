#pragma once
// A drawn piece of the world that a run learns from: one moment, or many that the window plays in order, with plots
// over them. An experiment puts its scenes into the Snapshot; window and exporter need nothing else.

#include <memory>

#include "core/pictures/drawing.h"
#include "core/pictures/figure_spec.h"

namespace emergence {

struct Scene {
    std::string id;
    std::string title;
    /// Help text: the meaning of the drawing and the source of the definition.
    std::string note;
    /// At least one. They are independent of training: a run's snapshots share them.
    std::shared_ptr<const std::vector<DrawingSpec>> moments;
    /// The time of moments[0] on the plots' x axis; the next one is 1 later.
    double first_time = 0.0;
    /// The playing speed; 0 for a single moment.
    double moments_per_second = 0.0;
    /// Plots over time.
    std::vector<PlotSpec> plots;
    /// The height of its panel below the curves, in the lengths of the window's design; 0: the usual height.
    double height = 0.0;
    /// The live whole-number field that selects the scene; "" if none.
    std::string chosen_by;
};

/// One moment of a scene, as drawn and exported.
struct SceneMoment {
    DrawingSpec drawing;
    /// With a line at the moment, if the scene has several.
    std::vector<PlotSpec> plots;
};
/// The moment with index `moment`, counted from 0, or the last one if there are fewer. Throws InvariantError if the
/// scene has no moment.
SceneMoment moment_of(const Scene& scene, size_t moment);

/// The index of the middle moment, which a file shows unless the user has chosen one.
size_t typical_moment(const Scene& scene);

/// A figure with the drawing on the left and its plots on the right.
FigureSpec scene_figure(const SceneMoment& moment);

}  // namespace emergence
