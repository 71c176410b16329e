#pragma once
// Sweeps: the scores of an experiment over a grid of any number of its fields, with several seeds per cell.
//
//     experiment = "td"
//     title = "Where in-context TD emerges"
//     score = "emerged"             # what pictures show: the share of seeds; or a metric of the run (its last value);
//                                   # or a scalar of the snapshot of each seed; or any quantity of a seed, such as
//                                   # "metric loss / metric loss first" (core/lab/quantity/quantity.h)
//     seeds = 8                     # per cell
//     weights = true                # also saves the last weights of each cell; optional
//
//     [settings]                    # of all cells
//     num_mrps = 2000
//
//     [x]                           # across
//     field = "num_layers"
//     values = [1, 2, 3, 4]
//
//     [y]                           # down; optional
//     field = "n"
//     from = 5
//     to = 80
//     count = 9
//     scale = "log"                 # or "linear"
//
//     [[axis]]                      # any number of others: pictures show one of their values
//     field = "gamma"
//     values = [0.5, 0.9]
//     shown = 0.9                   # by default the first

#include "core/lab/study.h"

namespace emergence {

struct SweepAxis {
    std::string field;
    /// All allowed, no two equal.
    std::vector<FieldValue> values;
    bool logarithmic = false;
    /// The place of the value that pictures show, of an axis beyond the second.
    int shown = 0;
};

struct Sweep {
    const ExperimentInfo* experiment = nullptr;
    std::string title, description;
    /// What pictures show. All scores of a cell are saved, whichever is chosen.
    std::string score = "emerged";
    int seeds = 4;
    /// Whether the last weights of each cell are saved.
    bool weights = false;
    /// The settings of all cells; settings_of() replaces the fields of the axes and the number of seeds.
    Settings settings;
    /// At least one. Pictures show the first across, the second down, and the others at their shown value.
    std::vector<SweepAxis> axes;

    const SweepAxis& x() const { return axes[0]; }
    /// Null if there is one axis.
    const SweepAxis* y() const { return axes.size() > 1 ? &axes[1] : nullptr; }
    /// Places of x and y.
    int columns() const { return static_cast<int>(x().values.size()); }
    int rows() const { return y() != nullptr ? static_cast<int>(y()->values.size()) : 1; }
    int cells() const;
    /// Null if the field is no axis.
    const SweepAxis* axis(std::string_view field) const;
};

/// Parses a sweep. `find` gives the experiment of a name, or throws. `places` may change where the shared settings lead,
/// before they are checked. Throws InputError, naming `source` and the place, if `text` is not a sweep, and InputError if the
/// settings of a cell contradict each other.
Sweep parse_sweep(std::string_view text, const std::string& source,
                  const std::function<const ExperimentInfo&(const std::string&)>& find,
                  const std::function<void(Settings&)>& places = {});

/// Which whole paths a text holds, for this machine; the other settings are as Settings::shown(). A sweep's folder has copies of
/// the files that settings name, and none of those that are an axis' values.
enum class WholePaths { none, of_axes, all };

/// The text of a sweep, which reads back to the same sweep: settings that differ from their defaults, and every value
/// of the axes.
std::string sweep_to_toml(const Sweep& sweep, WholePaths paths = WholePaths::of_axes);

/// An axis' values as pictures and tables show them: files without their places, equal names numbered.
std::vector<std::string> shown_values(const Sweep& sweep, const SweepAxis& axis);

/// An axis as one types it: "1, 2, 3", or "0.1:1:5:log", which is 5 values from 0.1 to 1 in equal ratios ("linear":
/// evenly; without the word as the field's slider has them). Throws InputError.
SweepAxis parse_axis(const FieldInfo& field, std::string_view text);

/// Shows `x` across and `y` down ("": as it is); the others are shown at one value each. Cells stay the same. Throws
/// InputError for a field that is no axis.
void choose_axes(Sweep& sweep, const std::string& x, const std::string& y);
/// Pictures show the axis `field` at this value. Throws InputError if it is no axis or has no such value.
void show_at(Sweep& sweep, const std::string& field, std::string_view value);

/// `count` values of a numeric field from `from` to `to`, evenly spaced or, if `logarithmic`, in equal ratios. Rounds
/// the values of whole-number fields and omits duplicates.
std::vector<FieldValue> spaced_values(const FieldInfo& field, double from, double to, int count, bool logarithmic);

/// A value as a number, for axes of plots: a flag as 0 or 1, a choice as its index.
double axis_number(const Sweep& sweep, const SweepAxis& axis, const FieldValue& value);

/// One place per axis.
using SweepCell = std::vector<int>;
/// All cells, coarse ones first: every 2^k-th of all axes before every 2^(k-1)-th. `sizes`: of the axes.
std::vector<SweepCell> cells_coarse_first(const std::vector<int>& sizes);
std::vector<SweepCell> cells_coarse_first(const Sweep& sweep);

/// The cell that a picture shows at this place of x and y.
SweepCell shown_cell(const Sweep& sweep, int column, int row);

/// The settings of a cell.
Settings settings_of(const Sweep& sweep, const SweepCell& cell);
/// The name of a cell, from its settings: "num_layers = 3, n = 30".
std::string cell_label(const Sweep& sweep, const SweepCell& cell);
/// A title for a sweep without one, and a name for its folder: "td-num_layers-n". `label`: of its score.
std::string default_title(const Sweep& sweep, const std::string& label);
std::string folder_name(const Sweep& sweep);

/// True if the sweeps have the same experiment and settings (files by their last names), and axes over the same fields: the
/// cells of one then serve the other. They may differ in the values and the order of their axes, in score, seeds and titles.
bool same_but_for_places(const Sweep& a, const Sweep& b);

}  // namespace emergence
