#pragma once
// Makes a run's moments into a film of its stage, for the window and the command line.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/export/export.h"
#include "core/lab/figures/figures.h"
#include "core/lab/study.h"
#include "core/lab/views/run_views.h"

namespace emergence {

/// One moment of the run, with its description.
struct FilmMoment {
    Snapshot snapshot;
    ShownPanels panels;
    PictureIds ids;
};
FilmMoment film_moment(const Study& study, Snapshot snapshot, const MetricHistory& history);

class FilmedRun {
  public:
    /// Needs at least one moment, the last one last. `staging` says what is on the stage. `info` must outlive the film.
    FilmedRun(const ExperimentInfo& info, Staging staging, MetricHistory history, std::vector<FilmMoment> moments);

    /// Returns the moment that each of so many frames shows. Steps pass evenly.
    std::vector<size_t> plan(int frames) const;
    /// Returns the stage as all exports show it, on white, in exactly this size. Axes stay the same from frame to
    /// frame.
    PixelImage frame(size_t moment, int width, int height) const;

  private:
    void fix_axes(ShownPanels& panels, size_t over_steps) const;
    FigureSpec figure(const FilmMoment& moment) const;

    const ExperimentInfo& info_;
    Staging staging_;
    MetricHistory history_;
    std::vector<FilmMoment> moments_;
    // For each plot, the range that contains all of its fitted ranges.
    std::map<std::string, std::pair<double, double>> limits_;
};

}  // namespace emergence
