#pragma once
// Experiment "td": which algorithm is it? Families of algorithms fitted to the network while it trains
// (metrics/line_up.h), and decoys beside the similarities.

#include <memory>
#include <vector>

#include "core/experiments/in_context_td/td_study.h"
#include "core/measures/decoys.h"
#include "core/measures/line_up.h"

namespace emergence {

/// What the seeds of a study share to be measured with; immutable.
struct SeedMeasures {
    std::shared_ptr<const NetworkEvaluator> evaluator;  // at the training's context length
    std::shared_ptr<const Decoys> decoys;
    std::shared_ptr<const LineUpPrompts> fitted, judged;  // null where no line-up is asked for
    std::shared_ptr<const Replay> replay;                 // whose weights stand in for training; or null
};
SeedMeasures seed_measures(const InContextTdConfig& config);
/// Those of an evaluator that is there already, without line-up or replay.
std::shared_ptr<const SeedMeasures> measures_with(std::shared_ptr<const NetworkEvaluator> evaluator);

/// Flat weights, which must outlive it, as the fits read them.
LinearAttentionView view_of(const InContextTdConfig& config, const std::vector<float>& weights);

/// Whether there is a line-up with these settings: it is about linear attention.
bool has_line_up(const InContextTdConfig& config);
/// A seed's own; null where `measures` have no prompts for it.
std::unique_ptr<LineUp> make_line_up(const InContextTdConfig& config, const SeedMeasures& measures);
/// Fits it to the weights and appends what is logged, in the order of the metrics.
void log_line_up(const InContextTdConfig& config, const std::vector<float>& weights, LineUp& line_up,
                 std::vector<double>& values);

/// The columns, plots and matrices of the line-up; nothing without one.
void add_line_up_metrics(const InContextTdConfig& config, MetricTable& table);
void add_line_up_plots(const InContextTdConfig& config, std::vector<MetricPlot>& plots);
/// The fitted C_l of TD(C_l) among the weights, "C": seeds x layers x d x d; `fits`: one a seed.
void add_fitted_matrices(const InContextTdConfig& config, const std::vector<const LineUp*>& fits,
                         Snapshot& snapshot);
/// Their pictures, a matrix a layer.
void add_line_up_matrices(const InContextTdConfig& config, Snapshot& snapshot);

/// What the networks of Figure 2 compute, by the basin that they end in: families fitted to each.
GridFigure figure_line_up(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);

}  // namespace emergence
