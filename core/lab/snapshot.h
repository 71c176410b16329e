#pragma once
// A moment of a run, immutable and self-describing. Everything the user sees or exports is in a Snapshot (or,
// for the training history, in the MetricHistory cut at the snapshot's step): panels, figures and the command
// line read the same.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/types.h"
#include "core/pictures/color_limits.h"
#include "core/pictures/figure_spec.h"
#include "core/pictures/formula.h"
#include "core/pictures/scene.h"
#include "core/settings/fields.h"

namespace emergence {

/// A matrix of the model in every seed, with what its rows and columns mean and what theory expects.
struct NamedMatrix {
    std::string name;  // "P0"
    std::string help;  // what it does, one sentence
    std::vector<Block> row_blocks;
    std::vector<Block> column_blocks;
    std::vector<Table> seeds;     // as trained: neither aligned nor scaled
    std::vector<double> signs;    // +1 or -1 a seed; empty where the model has no sign symmetry
    bool may_scale = true;        // dividing by the largest entry leaves the model the same up to a step size
    std::string alignment_note;   // how it was aligned and scaled, or why it was not
    std::optional<Table> target;  // theory's matrix, largest entry 1
    std::string target_name;      // "theory: Eq. (7), Wang et al. 2025"
    Table initial_norms;          // 1 x seeds: Frobenius norm at step 0, the norm strip's reference
    std::vector<BlockMeaning> meanings;  // what theory expects in the blocks that it uses
    // What follows is for quantities that are no weights: an attention map, rewards of arms over time. They
    // have no norm strip, which comes with `initial_norms`.
    std::string title = {};             // over its picture; where it is empty, "P0 as learned"
    std::string unit = {};              // of the values
    bool nonnegative = false;           // drawn with a sequential map
    bool free_aspect = false;           // cells need not be square
    std::vector<CellMarks> marks = {};  // the same in every seed
    /// What a row or a column is, "arm", "round": they are numbered from 1, at round numbers, instead of
    /// naming blocks. "" where blocks are named.
    std::string row_word = {}, column_word = {};
};

/// A number with a name, for the status line and the read-outs.
struct Scalar {
    std::string name;
    std::string label;
    double value = 0.0;
    std::string unit;
    std::string help;
};

/// Something that a seed shows or does not show yet: one of several signs of emergence.
struct Lamp {
    std::string name;       // for logs and tests: "bootstrap"
    std::string label;      // "bootstrap +"
    std::string help;       // when it is lit, and whose definition that is
    std::vector<bool> lit;  // one a seed
};

/// A stretch of a setting that means something, shaded on its slider: what a network was trained on, say.
struct FieldRange {
    std::string field;
    std::string label;  // "trained here"
    double from = 0.0, to = 0.0;
};

/// How many of what a snapshot is about, where that is not its seeds: 200 environments.
struct Counted {
    int64_t number = 0;
    std::string what;  // "environments"; "": the seeds count
};

struct SeedStatus {
    uint64_t seed = 0;
    int64_t step = 0;
    bool failed = false;
    std::string reason;       // why it failed, and at which step
    bool emerged = false;     // by the experiment's own rule, see Snapshot::emergence_rule
    int64_t emerged_at = -1;  // first logged step at which it had emerged; -1: not yet
};

enum class RunState { running, paused, finished, failed };

struct RunStatus {
    RunState state = RunState::paused;
    std::string reason;           // for failed
    int64_t target_step = 0;      // the stop condition
    double elapsed_seconds = 0;   // of training, pauses not counted
    double steps_per_second = 0;  // of a seed, over the last second or so of training; 0 while paused
    double pace = 0;              // steps a second that were asked for; 0: as fast as it goes
    int threads = 1;
};

/// The live whole-number field that leads through what is shown, from layer to layer, and how far: the up and
/// down keys change it. No field: there is nothing to be led through.
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
    std::string emergence_rule;
    std::string headline;  // what there is to say first where there is no such rule; may be empty
    std::vector<NamedMatrix> matrices;
    std::vector<Formula> formulas;  // the update that the matrices carry out, term by term
    std::vector<PlotSpec> plots;    // curves that are not training history: MSVE against context length, ...
    std::vector<Scene> scenes;      // the world it learns from, drawn
    std::vector<Scalar> scalars;
    std::vector<Lamp> lamps = {};
    Stepping stepping = {};
    std::string seed_word = "seed";  // what a seed of this experiment is: "stream", "environment"
    Counted counted = {};
    std::vector<FieldRange> field_ranges = {};
    std::vector<std::string> notices = {};  // what was asked for and is not there, each a sentence
    ArrayMap weights;                       // all seeds, as written to weights.npz
    bool evaluated = true;  // false: plots, scenes' plots and scalars are left to an inspection of kind
                            // "evaluate"
};

/// How a NamedMatrix is looked at.
struct MatrixView {
    enum class Mode { scaled, raw, difference, theory };
    Mode mode = Mode::scaled;
    int seed_index = -1;        // -1: mean over the seeds that have not failed
    bool emerged_only = false;  // the mean is over the seeds that have emerged
    bool magnitudes = false;    // absolute values
    ColorLimits limits = {};
    /// A moment to compare with: the difference of this moment and that one is shown, of the same seeds,
    /// aligned and scaled alike (in `raw`: neither scaled). No part in `theory`.
    std::shared_ptr<const Snapshot> baseline = {};
    bool operator==(const MatrixView&) const = default;
};

/// What to draw for that look, with a note that says what was done to the numbers ("P0: signs aligned by
/// P[-1,-1], mean of 8 seeds, scaled: divided by its largest entry 2.14"). Every seed is multiplied by its
/// sign in all modes. The mean is over the seeds that have not failed, or over all when all have. Automatic
/// limits are -1..1 in `scaled` and `difference` (scaled minus theory's), unless the matrix may not be
/// scaled: then, and in `raw`, the largest entry. Missing (non-finite) entries do not count towards it. Where
/// there is nothing to draw (no such seed, none that has emerged, no theory, a baseline without these seeds
/// or of another size) `values` is empty and the note says why.
HeatmapSpec heatmap_of(const Snapshot& snapshot, const NamedMatrix& matrix, const MatrixView& view);

/// The matrix of that name; null where the snapshot has none.
const NamedMatrix* find_matrix(const Snapshot& snapshot, const std::string& name);

}  // namespace emergence
