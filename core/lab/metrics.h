#pragma once
// The training history: rows of named numbers, one per seed and logged step. It is stored once and cut at a snapshot's
// step.

#include <functional>

#include "core/pictures/figure_spec.h"

namespace emergence {

/// One column of metrics.csv.
struct MetricInfo {
    /// As in the file: implicit_weight_similarity.
    std::string name;
    /// In a legend: IWS.
    std::string label;
    std::string help;
    /// Each seed has 0 or 1, so that the mean over seeds is a share.
    bool share = false;
    /// It changes if P grows and Q shrinks by the same factor, which leaves the network as it is: runs are not compared
    /// by it.
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

/// Where a seed is on a plane of two metrics: the place, half of its intervals and their correlation, and a share.
struct PlanePlace {
    double x, y, half_x, half_y, tilt, ring;
    /// See MetricPlane.
    std::vector<double> told;
};

/// Turns a plot of the history into a plane of two metrics: a point where each seed is, with the way that led there.
struct MetricPlane {
    /// Metrics: those of a PlanePlace.
    std::string x, y, half_x, half_y, tilt, ring;
    /// The metric, 1 or 0, by which marks are filled or open, and the read-out parts the seeds if all are of one series;
    /// "" if none.
    std::string split_by, split_words = "emerged";
    /// The way has gaps where a place was not known to within this much; medians are of coordinates that are.
    double known_within = 0.5;
    AxisSpec x_axis;
    /// Series of seeds that take turns: seed k is in series number k modulo their number. At least one.
    struct Group {
        std::string name;
        int color = 0;
    };
    std::vector<Group> groups;
    /// The number of the first seed; the others follow.
    uint64_t first_seed = 0;
    /// Marks that do not move.
    Series landmarks;
    /// The metrics whose values words() and verdict() get.
    std::vector<std::string> told;
    std::function<std::string(const std::vector<double>& told)> words;
    /// What a seed is called where seeds are counted: "TD".
    std::function<std::string(const std::vector<double>& told)> verdict;
};

/// A plot of the history: its metrics, with their names and colours.
struct MetricPlot {
    struct Line {
        std::string metric;
        std::string label;
        int color = 0;
        bool dashed = false;
    };
    std::string id;
    std::string title;
    std::vector<Line> lines;
    AxisSpec y;
    std::vector<ReferenceLine> references;
    std::string note;
    /// The product of these metrics is greatest at a seed's best checkpoint, which gets a mark on every solid line, one
    /// per seed. Empty: no marks.
    std::vector<std::string> best_by = {};
    /// See PlotSpec.
    bool sparse_markers = false;
    /// Instead of lines.
    std::optional<MetricPlane> plane = {};
};

/// Columns of numbers by metric and seed over the logged steps. Rows arrive in any order of seeds, but the steps of one
/// seed ascend; a failed seed has NaN from then on.
class MetricHistory {
  public:
    MetricHistory() = default;
    MetricHistory(MetricTable table, int num_seeds);

    void append(const MetricRow& row);
    /// Removes the rows, but not the table and the seeds.
    void clear();

    const MetricTable& table() const { return table_; }
    int num_seeds() const { return num_seeds_; }
    /// The logged steps, ascending.
    const std::vector<double>& steps() const { return steps_; }
    /// One metric of one seed, of the length of steps(). Throws InputError for an unknown metric.
    const std::vector<double>& column(const std::string& metric, int seed_index) const;
    /// Grows with every change; a cache made from the history compares it.
    uint64_t revision() const { return revision_; }

    /// The index in steps() of the seed's best checkpoint up to and including `last_step`: the largest product of these
    /// metrics, the first of equals. nullopt if no product is above 0. Throws InputError for an unknown metric.
    std::optional<size_t> best_point(const std::vector<std::string>& metrics, int seed_index, int64_t last_step) const;

    /// The plot up to and including `last_step`; a line without a label takes its metric's. Throws InputError for an
    /// unknown metric.
    PlotSpec plot(const MetricPlot& description, const AxisSpec& x, int64_t last_step) const;

  private:
    void add_plane(const MetricPlane& plane, size_t shown, PlotSpec& plot) const;
    std::string words_of_group(const MetricPlane& plane, const std::vector<PlanePlace>& places) const;
    std::string plane_words(const MetricPlane& plane, size_t shown) const;
    void add_best_points(const MetricPlot& description, int64_t last_step, PlotSpec& plot) const;
    size_t metric_index(const std::string& metric) const;

    MetricTable table_;
    int num_seeds_ = 0;
    std::vector<double> steps_;
    std::vector<std::vector<std::vector<double>>> columns_;  // [metric][seed][step]
    uint64_t revision_ = 0;
};

}  // namespace emergence
