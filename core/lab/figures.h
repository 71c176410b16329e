#pragma once
// Everything that can be exported of a moment, each as one FigureSpec: the papers' figures and what the
// window's panels show. Window and command line make them here, so that both write the same files for the
// same state.

#include <cstddef>
#include <string>
#include <vector>

#include "core/lab/metrics.h"
#include "core/lab/snapshot.h"
#include "core/lab/study.h"
#include "core/settings/toml.h"

namespace emergence {

/// The panels of a window, as they are drawn.
struct ShownPanels {
    std::vector<PlotSpec> plots;
    std::vector<HeatmapSpec> heatmaps;
    std::vector<SceneMoment> scenes = {};
    ViewValues view = {};  // embedded, so that the window can show them alike again
};

/// Everything that there is to show of a run at its end, as a window shows it at first: the training history
/// and the snapshot's own plots; every matrix, the mean over its seeds with theory's beside it.
ShownPanels panels_of(const Study& study, const Snapshot& snapshot, const MetricHistory& history);

/// One picture that can be made.
struct FigureChoice {
    enum class Kind {
        figure,    // a paper's, `index` into ExperimentInfo::figures
        grid,      // a paper's that takes many runs of its own, `index` into ExperimentInfo::grid_figures
        window,    // all panels
        matrices,  // all heatmaps side by side
        curves,    // all plots
        matrix,    // one, `index` into ShownPanels::heatmaps
        plot,      // one, `index` into ShownPanels::plots
        scene,     // one moment, `index` into ShownPanels::scenes
    };
    Kind kind = Kind::window;
    size_t index = 0;
    std::string name;   // unique, and a file's name: "wang-2", "td-curves", "td-P0-learned"
    std::string title;  // for a list

    bool operator==(const FigureChoice&) const = default;
};

/// All of them, the papers' first, single matrices last; none that would be empty. Whether a paper's figure
/// can be drawn of the present run, why_missing() says.
std::vector<FigureChoice> figure_choices(const ExperimentInfo& info, const std::vector<PlotSpec>& plots,
                                         const std::vector<HeatmapSpec>& heatmaps,
                                         const std::vector<SceneMoment>& scenes = {});

/// The picture, complete: caption and embedded settings say what was run, with which seeds, to which step,
/// what differs from the defaults, how many runs were looked at and by which version. Throws what
/// FigureInfo::build throws; not for a figure of many runs, which is not made of a moment.
FigureSpec build_figure(const FigureChoice& choice, const ExperimentInfo& info, const Snapshot& snapshot,
                        const MetricHistory& history, const ShownPanels& shown);

/// Why a paper's figure cannot be drawn of this run, a sentence; "" where it can.
std::string why_missing(const FigureInfo& figure, const Snapshot& snapshot, const MetricHistory& history);

/// "Settings other than the defaults: n = 40. Seeds 0..7: 8 runs looked at, 3 emerged. Step 1200 MRPs.
/// Emergence 0.2.0." Seeds that stopped are counted.
std::string provenance(const Snapshot& snapshot);

/// `text` as part of a file's name: letters, digits, dot, minus and underscore, all else a minus.
std::string file_stem(const std::string& text);

}  // namespace emergence
