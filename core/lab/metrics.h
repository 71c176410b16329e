#pragma once
// The training history: rows of named numbers, one a seed and logged step, kept once and cut at a snapshot's
// step.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/pictures/figure_spec.h"

namespace emergence {

/// One column of metrics.csv.
struct MetricInfo {
    std::string name;   // as in the file: implicit_weight_similarity
    std::string label;  // in a legend: IWS
    std::string help;
};
using MetricTable = std::vector<MetricInfo>;

/// What one seed measured at one logged step; `values` in the order of the MetricTable.
struct MetricRow {
    int seed_index = 0;
    int64_t step = 0;
    std::vector<double> values;
    bool operator==(const MetricRow&) const = default;
};

/// A plot of the history: which metrics, with which names and colours.
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
    /// Metrics whose product says which of a seed's logged points is its best checkpoint: that point is
    /// marked on every solid line, a mark a seed. Empty: no marks.
    std::vector<std::string> best_by = {};
    bool sparse_markers = false;  // see PlotSpec
};

/// Columns of numbers by metric and seed over the logged steps. Rows arrive in any order of seeds, each
/// seed's own steps ascending; a seed that stopped has NaN from there on.
class MetricHistory {
  public:
    MetricHistory() = default;
    MetricHistory(MetricTable table, int num_seeds);

    void append(const MetricRow& row);
    /// Forgets the rows, keeps the table and the seeds.
    void clear();

    const MetricTable& table() const { return table_; }
    int num_seeds() const { return num_seeds_; }
    /// The logged steps, ascending.
    const std::vector<double>& steps() const { return steps_; }
    /// One metric of one seed, as long as steps(). Throws InputError for an unknown metric.
    const std::vector<double>& column(const std::string& metric, int seed_index) const;
    /// Grows with every change: whoever caches something made from the history compares it.
    uint64_t revision() const { return revision_; }

    /// The seed's logged point, up to and including `last_step`, with the largest product of these metrics:
    /// its index in steps(), the first of equals; nothing where no product is above 0.
    std::optional<size_t> best_point(const std::vector<std::string>& metrics, int seed_index,
                                     int64_t last_step) const;

    /// The plot up to and including `last_step`; a line without a label has its metric's. Throws InputError
    /// for an unknown metric.
    PlotSpec plot(const MetricPlot& description, const AxisSpec& x, int64_t last_step) const;

  private:
    void add_best_points(const MetricPlot& description, int64_t last_step, PlotSpec& plot) const;
    size_t metric_index(const std::string& metric) const;

    MetricTable table_;
    int num_seeds_ = 0;
    std::vector<double> steps_;
    std::vector<std::vector<std::vector<double>>> columns_;  // [metric][seed][step]
    uint64_t revision_ = 0;
};

}  // namespace emergence
