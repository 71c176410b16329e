#pragma once
// Recipes: a figure as data. A recipe lists the runs and the page, and says how finished runs become cells and
// measurements; names, titles, seeds, steps, failures and the version are filled in here.
// Figures are files, see figure_file.h; what is not data, such as drawing of its own, is added in code.

#include <string>
#include <vector>

#include "core/base/statistics.h"
#include "core/lab/figures/figures.h"
#include "core/lab/quantity/quantity.h"
#include "core/lab/runs/run.h"
#include "core/settings/toml.h"

namespace emergence {

/// A changed setting: {"num_layers", 2}, {"kind", "cosine"}.
using Change = SettingsFile::Entry;

/// One of a figure's runs: its label and its changes of the figure's settings.
struct RecipeRun {
    std::string label;
    std::vector<Change> changes = {};
};

/// `settings` with these changes, which count as the run's own. Throws InputError if a field or value does not exist.
GridConfig config_with(std::string label, Settings settings, const std::vector<Change>& changes);

/// A figure's page: its title, relative widths and heights of its columns and rows, its size in inches.
struct Page {
    std::string title;
    std::vector<double> columns = {1}, rows = {1};
    double width = 7, height = 4.6;
};

using CellContent = decltype(FigureCell::content);

/// A figure in the making: its runs have finished, its cells, caption and measurements are added.
class Draft {
  public:
    /// `from`: the settings that the runs share.
    Draft(const ExperimentInfo* of, Settings from, GridOptions how)
        : info(of), settings(std::move(from)), options(std::move(how)) {}

    /// Trains the runs. False if that was stopped, or if a run has no seed: nothing can be drawn then.
    bool train(const std::vector<GridConfig>& configs);
    const std::vector<FinishedRun>& runs() const { return made.runs; }
    const FinishedRun& run(size_t i = 0) const { return made.runs[i]; }

    /// Adds a cell behind the last one, row by row.
    void add(CellContent content);
    void add(CellContent content, int row, int column);

    /// Records a measurement under one of the names that the recipe declares.
    void measure(const std::string& claim, Measurement measurement);
    void measure(const std::string& claim, double value, const std::string& detail = "");
    /// The share with its interval, and the detail "20 of 30; DETAIL".
    void measure(const std::string& claim, const Fraction& fraction, const std::string& detail = "");

    /// Null if a run that exists is drawn.
    const ExperimentInfo* info;
    Settings settings;
    GridOptions options;
    Page page;
    /// The recipe's, unless `draw` writes others: a name says what was trained.
    std::string name, caption;
    MadeFigure made;
};

/// A figure as data. Its settings are the preset's with the changes of `start`; each run adds its own changes. A user's
/// change that no run would use is refused before training.
struct FigureRecipe {
    /// "wang-4", also the name of its preset.
    std::string name = {};
    /// "Figure 4: what one, two and four layers learn"; the page has its own.
    std::string title = {};
    Page page = {};
    /// "Figure 4 of Wang et al. 2025". If it is given, the caption begins with it and names seeds, steps, the runs that
    /// emerged, failures and curves.
    std::string after = {};
    std::string caption = {};
    std::string curves = "mean and standard error over seeds";
    /// None: one run with the figure's settings. A single run without label is not named in the caption.
    std::vector<RecipeRun> runs = {};
    /// Makes the runs if they depend on the settings; then `runs` is empty.
    std::function<std::vector<GridConfig>(const ExperimentInfo&, const Settings&)> plan = {};
    /// Saved runs, which are drawn instead of trained ones.
    std::shared_ptr<const std::vector<FinishedRun>> saved = {};
    /// See FigureInfo: the first run's value of settings that every run chooses itself, and the number of seeds.
    std::vector<Change> start = {};
    /// The names of what `draw` measures; no other may be measured.
    std::vector<std::string> measures = {};
    /// Adds cells and measurements. Draws nothing if a Draft's jobs were stopped.
    std::function<void(Draft&)> draw = {};
    /// Whether the figure can be drawn of any run that `draw` accepts, such as the window's.
    bool of_any_run = false;
};

/// Draws the recipe on runs before their first step. Throws InputError if they lack something, because training would
/// not add it.
void rehearse(const FigureRecipe& recipe, const ExperimentInfo& info, const Settings& asked);
FigureInfo figure_of(FigureRecipe recipe);

// Parts of figures of many runs, for every experiment.

/// The run's plot `id`, from its history or its snapshot, under another title and under the name `as`; its own
/// if they are "". Throws InputError if the run has none.
PlotSpec plot_of_run(const FinishedRun& run, const std::string& id, const std::string& title,
                     const std::string& as = "");

/// The run's matrix `name`, as `view` says: the mean over seeds, one of them, or theory's. Throws InputError if the run
/// has none.
HeatmapSpec heatmap_of_run(const FinishedRun& run, const std::string& name, const MatrixView& view);

/// A row of numbers for each seed of a run that did not diverge, in the run's order; NaN for a number that is missing.
/// Rows of different metrics of one run belong together; those of different runs do not.
using SeedRows = std::vector<std::vector<double>>;

/// The places of the seeds that have not diverged, in the snapshot and in its history. A seed's number is not its
/// place: two seeds may be numbered 5 and 7.
std::vector<size_t> live_seeds(const Snapshot& snapshot);

/// A metric's last values, and their summary over seeds.
SeedRows final_values(const FinishedRun& run, const std::string& metric);
Summary final_summary(const FinishedRun& run, const std::string& metric);

SeedRows logged_values(const FinishedRun& run, const std::string& metric);

/// Adds a point with the first number of each row. Rows that are shorter or fewer than before get gaps.
void add_point(Series& series, double x, const SeedRows& values);

/// The largest and the least; NaN if one of the values is NaN, or without values.
inline double largest_of(const std::vector<double>& values) { return reduced(Reduction::greatest, values); }
inline double least_of(const std::vector<double>& values) { return reduced(Reduction::least, values); }

/// The summary of a column of the rows at these places, for statistics of bootstrapped().
Summary summary_at(const std::vector<std::vector<double>>& rows, const Places& places, size_t column = 0);
/// "1.54 +- 0.16": mean and standard error over seeds.
std::string mean_text(const Summary& summary);

Fraction emerged_fraction(const Snapshot& snapshot);
}  // namespace emergence
