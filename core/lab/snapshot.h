#pragma once
// The training history: rows of named numbers, one for each seed and logged step. A run has one history; a snapshot
// shows the part up to its own step.

#include <functional>
#include <memory>

#include "core/base/array.h"
#include "core/pictures/figure_spec.h"
#include "core/pictures/matrix_cells.h"
#include "core/settings/fields.h"

namespace emergence {

/// One column of metrics.csv.
struct MetricInfo {
    std::string name, label;  // in files and in a legend: implicit_weight_similarity, IWS
    std::string help;
    bool share = false;  // each seed has 0 or 1, so that the mean over seeds is a share
    /// Depends on the scale of P against Q, which does not change the network, so runs are not compared by it.
    bool of_scale = false;
};
using MetricTable = std::vector<MetricInfo>;

/// The metrics of one seed at one logged step; `values` in the order of the MetricTable.
struct MetricRow {
    int seed_index = 0;
    int64_t step = 0;
    std::vector<double> values;
    bool operator==(const MetricRow&) const = default;
};

/// How often each label occurs, the most frequent first; equal counts in order of appearance.
std::vector<std::pair<std::string, int>> tally(const std::vector<std::string>& labels);

/// Further marks of a plane, and what they show in one sentence.
struct PlaneMarks {
    std::vector<Series> series;
    std::string sentence;
};

/// Turns a plot of the history into a plane of two metrics: a point for each seed, with the path that led there.
struct MetricPlane {
    /// The metrics of the place, of half of each interval, their correlation, and a share: see PointDetails.
    std::string x, y, half_x, half_y, tilt, ring;
    /// Of a single group, marks are filled where this metric is 1 and open where it is 0, and the read-out lists the
    /// two kinds apart; "" if there is no such metric.
    std::string split_by, split_words = "emerged";
    AxisSpec x_axis;
    /// At least one. Seed k belongs to group number k modulo the number of groups.
    struct Group {
        std::string name;
        int color = 0;
    };
    std::vector<Group> groups;
    uint64_t first_seed = 0;  // the number of the first seed; the others follow
    Series landmarks;         // marks that stay where they are
    /// Makes further marks. It takes a second or two, so call it on a worker. Equal keys give equal marks. Null: none.
    std::function<PlaneMarks()> marks;
    std::string marks_key;
    std::vector<std::string> told;  // the metrics whose values words() and verdict() get
    std::function<std::string(const std::vector<double>& told)> words;
    /// The name under which a seed is counted: "TD".
    std::function<std::string(const std::vector<double>& told)> verdict;
};

/// A plot of the history, whose series are metrics, with their names and colours.
struct MetricPlot : PlotSpec {
    struct Line {
        std::string metric;
        std::string label;
        int color = 0;
        bool dashed = false;
        size_t group = 0, groups = 1;  // the line is over the seeds of one group, as in MetricPlane
    };
    std::vector<Line> metrics;
    /// A seed's best checkpoint is where the product of these metrics is greatest; it gets a mark on every solid line.
    /// Empty: no marks.
    std::vector<std::string> best_by = {};
    std::optional<MetricPlane> plane = {};  // replaces the metrics
};

/// Columns of numbers by metric and seed over the logged steps. Rows arrive in any order of seeds, but the steps of one
/// seed ascend; a failed seed has NaN from then on.
class MetricHistory {
  public:
    MetricHistory() = default;
    MetricHistory(MetricTable table, int num_seeds);

    void append(const MetricRow& row);

    const MetricTable& table() const { return table_; }
    int num_seeds() const { return num_seeds_; }
    /// The logged steps, ascending.
    const std::vector<double>& steps() const { return steps_; }
    /// One metric of one seed, of the length of steps(). Throws InputError for an unknown metric.
    const std::vector<double>& column(const std::string& metric, int seed_index) const;
    /// Grows with every change, so that caches can tell whether the history has changed.
    uint64_t revision() const { return revision_; }

    /// The index in steps() of the seed's best checkpoint up to and including `last_step`: the largest product of these
    /// metrics, the first of equals. nullopt if no product is above 0. Throws InputError for an unknown metric.
    std::optional<size_t> best_point(const std::vector<std::string>& metrics, int seed_index, int64_t last_step) const;

    /// The plot up to and including `last_step`; a line without a label takes its metric's. Throws InputError for an
    /// unknown metric.
    PlotSpec plot(const MetricPlot& description, const AxisSpec& x, int64_t last_step) const;

  private:
    MetricTable table_;
    int num_seeds_ = 0;
    std::vector<double> steps_;
    std::vector<std::vector<std::vector<double>>> columns_;  // [metric][seed][step]
    uint64_t revision_ = 0;
};

// A moment of a run, immutable and self-describing. A Snapshot holds everything that the user sees or exports, except
// for the training history, which is the MetricHistory cut at the snapshot's step. Panels, figures and the command line
// all read it.

/// A matrix of the model in every seed, with the meaning of its rows and columns and theory's expectation.
struct NamedMatrix : MatrixFrame {
    std::string name;
    std::string help;           // what it does, in one sentence
    std::vector<Table> seeds;   // as trained: neither aligned nor scaled
    std::vector<double> signs;  // +1 or -1 per seed; empty if the model has no sign symmetry
    /// True if dividing by the largest entry does not change the model, up to a step size.
    bool may_scale = true;
    std::string alignment_note;   // how it is aligned and scaled, or why not
    std::optional<Table> target;  // theory's matrix, largest entry 1
    std::string target_name;      // "theory: Eq. (7), Wang et al. 2025"
    /// seeds x seeds: the sums of products of two seeds' entries at step 0, aligned, which give the norm of any mean of
    /// seeds there, the norm strip's reference. Empty: no norm strip.
    Table initial_products;
    // The members below, and marks, free_aspect and words of the frame, are for quantities other than weights, e.g. an
    // attention map or the rewards of arms over time. These leave initial_products empty. Marks are of every seed.

    std::string title = {};  // the title of its picture; "" for the usual one
    std::string unit = {};
    bool nonnegative = false;  // no entry is negative: it is drawn with a sequential map
};

/// A named number, for the status line and the read-outs.
struct Scalar {
    std::string name, label;
    double value = 0.0;
    std::string unit, help;
    bool counts_seeds = false;  // true if it is the number of seeds for which something holds
    /// For the number by which two runs are compared first: the words before its value, "value error", and where it was
    /// measured, "MSVE at n = 30". "" for other numbers.
    std::string headline = {}, headline_at = {};
    /// For such a number of which less is better: its value for each seed, NaN if unknown. Empty: runs cannot be
    /// compared by it. measured_on is equal for two runs exactly if both are measured on the same tasks.
    std::vector<double> seeds = {};
    double measured_on = 0.0;
};

/// A sign of emergence, lit for each seed that shows it.
struct Lamp {
    std::string name, label;  // for logs and tests, "bootstrap", and as shown
    std::string help;         // the condition, and the source of its definition
    std::vector<bool> lit;    // one per seed
};

/// A range that is shaded on a setting's slider, e.g. the range that a network was trained on.
struct FieldRange {
    std::string field, label;  // "trained here"
    double from = 0.0, to = 0.0;
};

/// The sample size of a snapshot whose seeds are not the sample: 200 environments.
struct Counted {
    int64_t number = 0;
    std::string what;  // "environments"; "" if the seeds are the sample
};

/// What a network computes: the one verdict (measures/verdict.h).
struct Judged {
    std::string verdict;  // as in JSON: "td", "between"
    /// The name under which networks are counted: "TD", "no named algorithm".
    std::string label;
    /// "computes TD, best described with discount 0.68 instead of 0.9; 3 % unexplained"
    std::string sentence;
    /// Whether it is the algorithm of the network's loss; absent if the loss has none.
    std::optional<bool> own = {};
    /// The logged step since which the verdict has been this one, once that has lasted; -1 if it has not.
    int64_t since = -1;
};

struct SeedStatus {
    uint64_t seed = 0;
    int64_t step = 0;
    bool failed = false;
    std::string reason;    // the reason and the step of the failure
    bool emerged = false;  // by the experiment's rule, see Snapshot::emergence_rule
    /// The logged step since which the rule has held, once that has lasted; if the rule no longer holds, the step of
    /// the last time. -1: never so far.
    int64_t emerged_at = -1;
    /// The parts of the rule that did not hold at the last logged step; empty if the seed emerged or nothing is known.
    std::vector<Lack> lacks = {};
    /// How many steps after emerged_at, or after Judged::since, it had lasted long enough to be reported.
    int64_t seen_later = 0;
    /// What the network computes at the seed's step; absent if nothing judges it.
    std::optional<Judged> judged = {};
};

enum class RunState { running, paused, finished, failed };

struct RunStatus {
    RunState state = RunState::paused;
    std::string reason;          // for RunState::failed
    int64_t target_step = 0;     // the stop condition
    double elapsed_seconds = 0;  // training time without pauses
    /// Per seed, over about the last second of training; 0 while paused.
    double steps_per_second = 0;
    double pace = 0;  // the requested pace in steps per second; 0: as fast as possible
    int threads = 1;
};

/// The live whole-number field that the up and down keys change, e.g. to show one layer after another, and its range.
/// The field is "" if there is none.
struct Stepping {
    std::string field;
    int64_t first = 0, last = 0;
};

struct Snapshot {
    uint64_t run_number = 0;  // counts restarts: a new number is a new run
    std::string experiment;
    Settings settings;
    int64_t step = 0;
    std::string step_unit;  // "MRPs"
    RunStatus status;
    std::vector<SeedStatus> seeds;
    std::string emergence_rule;  // see ExperimentInfo
    /// The headline's word for seeds that have emerged, unless it counts verdicts: "ahead of the classical algorithms".
    std::string emerged_words = "emerged";
    /// The algorithm of the loss, for Judged::own: "TD"; "" if the loss has none.
    std::string algorithm;
    /// The main message of an experiment without a rule of emergence; where verdicts are counted, why none of them can
    /// be the algorithm. May be empty.
    std::string headline;
    std::vector<NamedMatrix> matrices;
    std::vector<Formula> formulas;  // the update that the matrices compute, term by term
    /// Curves other than training history, e.g. MSVE against context length.
    std::vector<PlotSpec> plots;
    std::vector<Scene> scenes;  // drawings of the world that the run learns from
    std::vector<Scalar> scalars;
    std::vector<Lamp> lamps = {};
    Stepping stepping = {};
    std::string seed_word = "seed";  // the experiment's word for a seed: "stream", "environment"
    Counted counted = {};
    std::vector<FieldRange> field_ranges = {};
    std::vector<std::string> notices = {};  // what was asked for but is missing, a sentence for each
    ArrayMap weights;                       // the weights of all seeds, as in weights.npz
    /// False if plots, scenes' plots and scalars are missing; an inspection of kind "evaluate" adds them.
    bool evaluated = true;
};

struct MatrixView {
    enum class Mode { scaled, raw, difference, theory };
    Mode mode = Mode::scaled;
    int seed_index = -1;        // -1: the mean over the seeds that have not failed
    bool emerged_only = false;  // takes the mean over the seeds that have emerged only
    bool magnitudes = false;
    ColorLimits limits = {};
    /// A moment of the same seeds that is subtracted from this one. Both are aligned and scaled alike (in `raw`: not
    /// scaled). It has no effect in `theory`.
    std::shared_ptr<const Snapshot> baseline = {};
    bool operator==(const MatrixView&) const = default;
};

/// The heatmap for a view, with a note on the treatment of the numbers ("P0: signs flipped so that P's corner is
/// positive, mean of 8 seeds, scaled: divided by its largest entry 2.14").
///
/// All modes multiply every seed by its sign. The mean is over the seeds that have not failed, or over all if all have.
/// Automatic limits are -1..1 in `scaled` and `difference` (scaled minus theory). In `raw`, or if the matrix must not
/// be scaled, they are the largest finite |entry|. If nothing can be drawn (no such seed, no emerged seed, no theory, a
/// baseline without seeds or of another size), `values` is empty and the note says why.
HeatmapSpec heatmap_of(const Snapshot& snapshot, const NamedMatrix& matrix, const MatrixView& view);

/// The matrix of that name; null if none.
const NamedMatrix* find_matrix(const Snapshot& snapshot, const std::string& name);

}  // namespace emergence
