#pragma once
// All exports of a moment, each as one FigureSpec: the papers' figures and the window's panels. Window and command line
// make them here, so that both write the same files for the same state.

#include "core/lab/figures/claims.h"
#include "core/lab/jobs/job_grid.h"
#include "core/pictures/describe.h"
#include "core/settings/toml.h"

namespace emergence {

/// Another run in the panels.
struct OtherRun {
    /// "Run B", "Overlaid run", "Subtracted moment".
    std::string role;
    /// Its folder's name; "" if it has none.
    std::string name;
    std::shared_ptr<const Snapshot> moment;
};
/// The key of a view under which a file says what captions say of other runs.
inline constexpr const char* kBesideView = "beside";
/// What a caption says of it: "Overlaid run kept: n = 60, seeds 0..7, 4000 MRPs." The settings are those that differ
/// from `from`; another experiment is named instead.
std::string other_run_text(const OtherRun& other, const Snapshot& from);

/// The panels of a window, as drawn.
struct ShownPanels {
    std::vector<PlotSpec> plots;
    std::vector<HeatmapSpec> heatmaps;
    std::vector<SceneMoment> scenes = {};
    /// Embedded in the file, so that the window can restore the view.
    ViewValues view = {};
    /// Named in captions and, as `beside` among the values of the view, in the file.
    std::vector<OtherRun> others = {};
    /// The pictures on the stage, by their ids.
    std::vector<std::string> stage = {};
    /// Above a page of panels: what was trained. "": the experiment's title.
    std::string title = {};
    /// The preset that was opened, for names of files; "" for none.
    std::string preset = {};
};

/// The panels of a run in the window's initial view: the training history, the snapshot's own plots, every matrix as a
/// mean over seeds with theory's matrix beside it, and scenes at a moment in the middle.
ShownPanels panels_of(const Study& study, const Snapshot& snapshot, const MetricHistory& history);

/// One available picture.
struct FigureChoice {
    enum class Kind {
        /// A paper's figure of one run; `index` into ExperimentInfo::figures.
        figure,
        /// A paper's figure that needs runs of its own; `index` as well.
        grid,
        /// All panels.
        window,
        /// The pictures on the stage.
        stage,
        /// All heatmaps side by side.
        matrices,
        curves,
        /// One heatmap; `index` into ShownPanels::heatmaps.
        matrix,
        /// One plot; `index` into ShownPanels::plots.
        plot,
        /// One moment of a scene; `index` into ShownPanels::scenes.
        scene,
    };
    Kind kind = Kind::window;
    size_t index = 0;
    /// Unique, and the stem of the file name: "wang-2", "td-curves", "td-P0".
    std::string name;
    std::string title;
};

/// All available pictures except empty ones, the papers' figures first, single matrices last. why_missing() tells
/// whether the present run can draw a paper's figure.
std::vector<FigureChoice> figure_choices(const ExperimentInfo& info, const ShownPanels& shown);

/// Builds the complete picture. Its caption gives experiment, seeds, step, settings that differ from the defaults, the
/// number of runs and the version; its settings are for embedding. `choice` must not be a grid, which is not made from
/// one moment. Throws what FigureInfo::draw throws.
FigureSpec build_figure(const FigureChoice& choice, const ExperimentInfo& info, const Snapshot& snapshot,
                        const MetricHistory& history, const ShownPanels& shown);

/// A sentence why this run cannot draw a paper's figure, one that has `draw`; "" if it can.
std::string why_missing(const FigureInfo& figure, const Snapshot& snapshot, const MetricHistory& history);

ShownPanels on_stage(const ShownPanels& shown);

/// The origin of a picture, for its caption, including the number of failed seeds: "Settings other than the defaults:
/// n = 40. Seeds 0..7: 8 runs looked at, 3 emerged. Experiment td, 1200 MRPs, Emergence 0.2.0."
std::string provenance(const Snapshot& snapshot);

/// The settings that `which` picks, as files and the command line name them: "num_layers = 3, n = 40".
std::string settings_list(const Settings& settings, const std::function<bool(const FieldInfo&)>& which);
/// "Settings other than the defaults: context length n = 40." or "All settings are the defaults."; without the seeds.
std::string changed_settings(const Settings& settings);

/// "Seeds 0..7", or "Seeds 3, 5, 9" if they are not consecutive.
std::string seed_list_text(const std::vector<SeedStatus>& seeds);

/// A run's settings as TOML. If its seeds are not those that the settings count, `runs` lists them.
std::string run_config(const Snapshot& snapshot, PictureOrigin origin = {});

/// `text` as part of a file name: letters, digits, dots and underscores, with a minus for each run of other characters.
/// "figure" if nothing is left.
std::string file_stem(const std::string& text);

// The record of a finished figure: how it was made, what it measured, and how long that took. It comes from the
// finished runs, never from the request, so no file can name settings or seeds that were not used.

/// A figure with what its drawing measured.
struct MadeFigure {
    FigureSpec figure = {};
    std::vector<MeasuredClaim> measured = {};
    /// The jobs that are missing in the figure.
    std::vector<JobFailure> failures = {};
    /// If true, the rest is empty.
    bool stopped = false;
    /// Runs whose metrics and weights can be saved.
    std::vector<FinishedRun> runs = {};
    /// The notices of its runs, see Snapshot.
    std::vector<std::string> notices = {};
};

/// The figure's settings: `settings` of its preset with FigureInfo::start.
Settings started(const FigureInfo& figure, Settings settings);

/// The same from the presets in `assets`, or from the defaults if it has no preset. Throws InputError if there is no
/// such preset.
Settings figure_settings(const ExperimentInfo& info, const FigureInfo& figure, const std::filesystem::path& assets);

/// "num_layers = 3, seed = 0, seeds = 30": the seeds and the settings that differ from the defaults.
std::string named_settings(const Settings& settings);

/// The runs that a figure was made of.
std::vector<GridConfig> runs_of(const MadeFigure& made);

/// The settings that a figure's runs share. A setting that every run chooses itself has the first run's value.
Settings settings_of(const std::vector<GridConfig>& runs);

/// Refuses a setting that was changed from the figure's `start` and that none of its runs would use. Throws InputError.
void refuse_unused(const ExperimentInfo& info, const FigureInfo& figure, const Settings& start,
                   const Settings& settings);

/// What each run changes of settings_of(): "L = 2: num_layers = 2". Leaves out runs that change nothing.
std::vector<std::string> panel_settings(const std::vector<GridConfig>& runs);

/// A figure's config.toml, also embedded in its pictures.
std::string figure_config(const std::string& experiment, const std::string& figure,
                          const std::vector<GridConfig>& runs);

/// The same for a caption: the settings other than the defaults, what runs change of them, and the seeds.
std::string made_text(const MadeFigure& made);

/// The measured claims for a file. Its times are rounded to tenths of a second.
ClaimResults claim_results(const std::string& figure, const std::vector<GridConfig>& runs, const Stopwatch& watch,
                           int threads, const std::vector<MeasuredClaim>& measured);

// A moment of a run in words. Window and command line say the same of the same snapshot.

/// How far the run is, which seeds have emerged or failed, and the numbers that the experiment names.
Description describe_state(const ExperimentInfo& info, const Snapshot& snapshot);

/// The state, then every picture; those with the ids `first` precede the others, in that order. The id of a matrix
/// stands for all its pictures.
std::vector<Description> describe_run(const ExperimentInfo& info, const Snapshot& snapshot, const ShownPanels& shown,
                                      const std::vector<std::string>& first = {});

}  // namespace emergence
