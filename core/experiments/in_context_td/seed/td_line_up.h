#pragma once
// Experiment "td": which algorithm is it? Families of algorithms are fitted to the network while it trains
// (measures/line_up.h), and decoys stand beside the similarities.

#include <memory>
#include <vector>

#include "core/experiments/in_context_td/seed/td_metrics.h"
#include "core/experiments/in_context_td/td.h"
#include "core/experiments/in_context_td/world/world_folder.h"
#include "core/measures/line_up.h"
#include "core/measures/map_follower.h"
#include "core/measures/network_evaluator.h"
#include "core/measures/similarity.h"

namespace emergence {

/// Shared by all seeds of a study for their measurements; immutable.
struct SeedMeasures {
    /// training_worlds()
    Worlds worlds;
    /// At the training's context length.
    std::shared_ptr<const NetworkEvaluator> evaluator;
    std::shared_ptr<const Decoys> decoys;
    /// Prompts that algorithms are fitted to, and others that judge them; null if the network is not linear.
    std::shared_ptr<const MapBench> map;
};

/// The measures of a study: evaluator, decoys, and the line-up's prompts if the settings ask for them.
SeedMeasures seed_measures(const InContextTdConfig& config);

/// The view through which the fits read flat weights; the weights must outlive it.
LinearAttentionView view_of(const InContextTdConfig& config, const std::vector<float>& weights);

/// Whether the settings ask for a line-up and the network is linear attention.
bool has_line_up(const InContextTdConfig& config);
/// A seed's line-up; null without one.
std::unique_ptr<LineUp> make_line_up(const InContextTdConfig& config, const SeedMeasures& measures);
/// Fits the line-up to the weights of a logged step; until it settles if they stand still.
void follow_line_up(const InContextTdConfig& config, const std::vector<float>& weights, LineUp& line_up);

/// Add the metrics and the plots of the line-up; nothing without one.
void add_line_up_metrics(const InContextTdConfig& config, Metrics<TdMeasured>& metrics);
void add_line_up_plots(const InContextTdConfig& config, std::vector<MetricPlot>& plots);
/// Adds the fitted C_l of TD(C_l) to the weights as "C": seeds x layers x d x d; and "line_up_steps" and
/// "line_up_gradients", seeds x families, if the fits have settled. `fits` has one entry per seed.
void add_fitted_matrices(const InContextTdConfig& config, const std::vector<const LineUp*>& fits, Snapshot& snapshot);
/// Adds the number of steps after which the fits settled and the gradient there, if the weights stand still.
void add_line_up_scalars(Snapshot& snapshot);
/// Adds their pictures, one matrix per layer.
void add_line_up_matrices(const InContextTdConfig& config, Snapshot& snapshot);

}  // namespace emergence
