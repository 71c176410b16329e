#pragma once
// How an experiment plugs in. A Study is a configured experiment: what its seeds share (held-out banks, the
// names of its metrics) and how their states become a Snapshot. It makes one Experiment a seed, and a Run
// advances those.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/lab/claims.h"
#include "core/lab/job_grid.h"
#include "core/lab/metrics.h"
#include "core/lab/snapshot.h"

namespace emergence {

/// One seed of a study. Not thread-safe: one thread at a time advances it.
class Experiment {
  public:
    virtual ~Experiment() = default;

    /// Trains until `target_step` (or until it fails), appending a row at every logged step on the way, step
    /// 0 included. The result does not depend on how the way is cut into calls.
    virtual void advance(int64_t target_step, std::vector<MetricRow>& rows) = 0;
    virtual int64_t step() const = 0;
    virtual bool failed() const = 0;
    virtual SeedStatus status() const = 0;

    /// Everything needed to go on as if never interrupted: weights, optimiser, random streams' positions,
    /// step.
    virtual ArrayMap save() const = 0;
    /// Throws InputError where `state` does not fit the config.
    virtual void load(const ArrayMap& state) = 0;
    /// A live field has changed.
    virtual void set_live(const Settings& settings) = 0;
};

/// A question about a snapshot, answered on a worker: it changes nothing.
struct Inspection {
    std::string
        kind;  // "evaluate": at the live fields of `settings`; more kinds come with the panels that need them
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
    virtual int64_t log_interval() const = 0;  // in steps

    virtual const MetricTable& metrics() const = 0;
    virtual const std::vector<MetricPlot>& metric_plots() const = 0;

    /// The snapshot of these seeds, in seed order; everything but run_number and status. Must not change the
    /// seeds: may run while nothing advances.
    virtual Snapshot describe(const std::vector<const Experiment*>& seeds) const = 0;
    /// A snapshot for keeps: where plots and scalars are expensive they are left out, `evaluated` is false,
    /// and inspect() with kind "evaluate" and the same settings makes of it what describe() would have.
    virtual Snapshot outline(const std::vector<const Experiment*>& seeds) const { return describe(seeds); }
    /// Answers `inspection` about `snapshot` with a new one. Const and safe on any thread.
    virtual Snapshot inspect(const Snapshot& snapshot, const Inspection& inspection) const = 0;

    /// A changed live field (Applies::live) reaches the study, between steps.
    virtual void set_live(const Settings& settings) = 0;
};

/// A paper's figure that an experiment can draw.
struct FigureInfo {
    std::string name;  // "wang-2"
    std::string title;
    std::string preset;  // file stem in assets/presets
    std::function<FigureSpec(const Snapshot&, const MetricHistory&)> build;
    /// What the same run measures of the claims about the figure. May be empty.
    std::function<std::vector<MeasuredClaim>(const Snapshot&, const MetricHistory&)> measure = {};
};

struct ExperimentInfo;

/// One of the runs that a figure is made of, at its end.
struct FigureRun {
    std::string label;  // "L = 2"; "" for the only one
    Snapshot snapshot;
    MetricHistory history;
};

/// A figure made of a grid of jobs, with what they measured of its claims.
struct GridFigure {
    FigureSpec figure;
    std::vector<MeasuredClaim> measured;
    std::vector<JobFailure> failures;  // of jobs that are missing in it
    bool stopped = false;              // then the rest is empty
    std::vector<FigureRun> runs =
        {};  // whose metrics and weights can be kept; none where nothing was trained
    std::vector<std::string> notices = {};  // of its runs, see Snapshot
};

/// A paper's figure that takes many runs.
struct GridFigureInfo {
    std::string name;
    std::string title;
    std::string preset;  // what all runs share; opens one of them in the window
    std::function<GridFigure(const ExperimentInfo&, const Settings&, const GridOptions&)> build;
};

/// One line of the registry.
struct ExperimentInfo {
    std::string name;  // "td"
    std::string title;
    std::string summary;  // two or three sentences
    std::string
        emergence_rule;  // when a seed counts as emerged, and whose definition that is; "" where none does
    std::shared_ptr<const FieldTable> fields;
    /// Throws InputError where fields, each in its own range, do not go together.
    std::function<void(const Settings&)> check;
    std::function<std::unique_ptr<Study>(const Settings&)> make;
    std::vector<FigureInfo> figures;
    std::vector<GridFigureInfo> grid_figures;
    std::vector<Claim> claims;
    /// Steps a second that one can follow, where steps are watched one by one; 0: the window's own pace.
    double pace = 0.0;
};

}  // namespace emergence
