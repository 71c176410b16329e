#pragma once
// Measured numbers, and the interface of an experiment.

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "core/base/array.h"
#include "core/base/statistics.h"
#include "core/lab/snapshot.h"

namespace emergence {

/// Both ends included.
struct Range {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool contains(double value) const { return value >= low && value <= high; }
    bool operator==(const Range&) const = default;
};
inline Range at_most(double high) { return {.high = high}; }
inline Range at_least(double low) { return {.low = low}; }
inline Range between(double low, double high) { return {low, high}; }

struct Measurement {
    double value = 0.0;
    std::string detail = {};  // more about it for people: counts, its parts
    /// The 95 % interval of a mean or a fraction. nullopt if the number is exact, if it is itself in standard errors,
    /// or if no interval is known.
    std::optional<Range> interval = {};
    int64_t n = 0;  // how many seeds, runs or environments it counts; 0 if unknown
    bool operator==(const Measurement&) const = default;
};

/// The mean's 95 % interval under Student's distribution: mean +- t standard errors with `n` - 1 degrees of freedom.
/// The whole line if n < 2.
inline Range interval_of_mean(double mean, double standard_error, int64_t n) {
    if (n < 2) return {};
    const double half = student_quantile(n) * standard_error;
    return {mean - half, mean + half};
}

/// A measurement that needs no run, by the name under which claims ask for it.
struct NamedMeasure {
    std::string name;
    std::function<Measurement()> measure;
};

/// A number that a figure's drawing or its runs measured, with the name of its claim.
struct MeasuredClaim {
    std::string name;
    Measurement measurement;
};

// The interface of an experiment. A Study is a configured experiment: it holds what its seeds share (held-out banks,
// the names of its metrics) and makes a Snapshot of their states. It makes one Experiment per seed, and a Run advances
// those.

/// One seed of a study. Not thread-safe: one thread at a time advances it.
class Experiment {
  public:
    virtual ~Experiment() = default;

    /// Trains until `target_step`, or until it fails, and appends a row at every logged step, including step 0. The
    /// result does not depend on how calls divide the steps.
    virtual void advance(int64_t target_step, std::vector<MetricRow>& rows) = 0;
    virtual int64_t step() const = 0;
    virtual bool failed() const = 0;
    virtual SeedStatus status() const = 0;

    /// The whole state, so that a resumed run equals an uninterrupted one: weights, optimiser, positions of the random
    /// streams, step.
    virtual ArrayMap save() const = 0;
    /// Resumes from `state`. Throws InputError if it does not fit the config.
    virtual void load(const ArrayMap& state) = 0;
    /// Takes over a changed live field (Applies::live), between steps.
    virtual void set_live(const Settings& settings) = 0;
};

/// A question about a snapshot. Answering it on a worker changes nothing.
struct Inspection {
    /// "evaluate" computes plots and scalars with the live fields of `settings`. Panels add the kinds that they need.
    std::string kind;
    Settings settings;
};

class Study {
  public:
    virtual ~Study() = default;

    virtual const Settings& settings() const = 0;
    virtual std::unique_ptr<Experiment> make_seed(int seed_index) const = 0;
    virtual int num_seeds() const = 0;
    virtual int64_t target_step() const = 0;
    virtual std::string step_unit() const = 0;
    /// In steps.
    virtual int64_t log_interval() const = 0;

    virtual const MetricTable& metrics() const = 0;
    virtual const std::vector<MetricPlot>& metric_plots() const = 0;

    /// The snapshot of these seeds, in seed order, without run_number and status. Must not change the seeds. Nothing
    /// advances meanwhile.
    virtual Snapshot describe(const std::vector<const Experiment*>& seeds) const = 0;
    /// A snapshot for storage. If plots and scalars are expensive, it omits them and `evaluated` is false; inspect()
    /// with kind "evaluate" and the same settings then gives the result of describe().
    virtual Snapshot outline(const std::vector<const Experiment*>& seeds) const { return describe(seeds); }
    /// Answers `inspection` about `snapshot` with a new snapshot. Safe on any thread.
    virtual Snapshot inspect(const Snapshot& snapshot, const Inspection& inspection) const = 0;
    virtual void set_live(const Settings& settings) = 0;
};

struct ExperimentInfo;
struct GridOptions;
struct MadeFigure;

/// One run of a figure: its settings give the number of seeds.
struct GridConfig {
    std::string label;  // "L = 2"; "" for the only one
    Settings settings;
    std::vector<std::string> own = {};                      // the settings that the figure itself chooses in this run
    std::shared_ptr<const ExperimentInfo> experiment = {};  // null: the figure's
};

/// A run at its target. A seed that threw is missing in the snapshot and in the history: the history's k-th seed is the
/// snapshot's.
struct FinishedRun {
    std::string label;  // see GridConfig
    Snapshot snapshot;
    MetricHistory history;
    std::vector<MetricPlot> plots = {};  // Study::metric_plots()
    std::vector<std::string> own = {};   // see GridConfig
};

/// A figure that an experiment can draw: a paper's, or ours.
struct FigureInfo {
    std::string name;  // "wang-2"
    std::string title;
    /// The stem of a file in assets/presets: the settings that all runs share, "" for the defaults. It opens one of the
    /// runs in the window.
    std::string preset;
    /// Trains the runs that the figure needs, from the preset's settings, and draws them.
    std::function<MadeFigure(const ExperimentInfo&, const Settings&, const GridOptions&)> build = {};
    /// Draws and measures a run that exists, such as the window's. Empty if one run of the preset is not enough for the
    /// figure. Throws InputError if the run does not fit.
    std::function<MadeFigure(const Snapshot&, const MetricHistory&)> draw = {};
    /// The figure's settings where they differ from its preset's, which has as many seeds as a window can show.
    std::vector<std::pair<std::string, FieldValue>> start = {};
    std::vector<std::string> measures = {};  // the names of what its drawing measures
    /// Throws InputError if runs with these settings lack what the figure draws. It makes the runs but trains nothing,
    /// and is called for settings that are not the preset's.
    std::function<void(const ExperimentInfo&, const Settings&)> check = {};
    /// The size of its page in inches; 0 if it depends on the runs.
    double width_inches = 0.0, height_inches = 0.0;
    /// The runs that build() trains for these settings, see refuse_unused(). Empty: one run.
    std::function<std::vector<GridConfig>(const ExperimentInfo&, const Settings&)> plan = {};
};

/// One line of the registry.
struct ExperimentInfo {
    std::string name;  // "td"
    std::string title;
    std::string summary;  // two or three sentences
    /// The condition for a seed to count as emerged, and the source of its definition; "" if none.
    std::string emergence_rule;
    std::shared_ptr<const FieldTable> fields;
    /// Throws InputError if fields, each in its own range, contradict each other.
    std::function<void(const Settings&)> check;
    std::function<std::unique_ptr<Study>(const Settings&)> make;
    std::vector<FigureInfo> figures;
    /// Measurements for claims that need no run. Only the program emergence-verify has any.
    std::vector<NamedMeasure> measures;
    /// The pace, in steps per second, at which the eye can follow an experiment whose single steps matter; 0 for the
    /// window's default pace.
    double pace = 0.0;
};

/// Finds an experiment by its name; throws InputError for an unknown one.
using FindExperiment = std::function<const ExperimentInfo&(const std::string&)>;

}  // namespace emergence
