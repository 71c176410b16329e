#pragma once
// A drawn piece of the world that a run learns from: one moment, or many that are played one after the other,
// with plots of what happens in them. An experiment puts its scenes into the Snapshot; window and exporter
// need no more.

#include <memory>
#include <string>
#include <vector>

#include "core/pictures/drawing.h"
#include "core/pictures/figure_spec.h"

namespace emergence {

struct Scene {
    std::string id;
    std::string title;
    std::string note;  // help: what is drawn and whose definition it is
    /// At least one. They do not depend on what was learned: a run's snapshots share them.
    std::shared_ptr<const std::vector<DrawingSpec>> moments;
    double first_time = 0.0;          // of moments[0] on the plots' x axis; the next is one later
    double moments_per_second = 0.0;  // how fast they are played; 0: a single one
    std::vector<PlotSpec> plots;      // over time
    double height = 0.0;  // of its panel below the curves, where it needs more than others, in the
                          // lengths of the window's design; 0: what is usual
    std::string
        chosen_by;  // the live field that numbers the scene, a whole number; "" where there is no choice
};

/// One moment of a scene, as it is drawn and exported.
struct SceneMoment {
    DrawingSpec drawing;
    std::vector<PlotSpec> plots;  // with a line at the moment, where there are several
};
/// `moment` counts from 0; beyond the last it is the last. Throws nothing; a scene has a moment.
SceneMoment moment_of(const Scene& scene, size_t moment);

/// The moment that a file shows where nobody has chosen one: the middle.
size_t typical_moment(const Scene& scene);

/// The drawing left, its plots right.
FigureSpec scene_figure(const SceneMoment& moment);

}  // namespace emergence
