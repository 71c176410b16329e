#pragma once
// Experiment "td": what each network computes (measures/verdict.h), at every logged step.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/experiments/in_context_td/seed/td_metrics.h"
#include "core/experiments/in_context_td/td.h"
#include "core/experiments/in_context_td/world/world_folder.h"
#include "core/measures/network_evaluator.h"
#include "core/measures/verdict.h"

namespace emergence {

/// Shared by all seeds of a study for their measurements; immutable.
struct SeedMeasures {
    /// training_worlds()
    Worlds worlds;
    /// At the training's context length.
    std::shared_ptr<const NetworkEvaluator> evaluator;
    std::shared_ptr<const Decoys> decoys;
    /// Null if the network is not linear.
    std::shared_ptr<const VerdictPrompts> prompts;
};
SeedMeasures seed_measures(const InContextTdConfig& config);

/// The view through which verdicts read flat weights; the weights must outlive it.
LinearAttentionView view_of(const InContextTdConfig& config, const std::vector<float>& weights);

/// The second coordinate of a network's place: lambda of traces for a mask of traces, the mean reward for two heads.
PlaceAxis place_axis(const InContextTdConfig& config);
/// The prompts that networks of these settings are judged on, the same wherever they are judged.
std::shared_ptr<const VerdictPrompts> verdict_prompts(const InContextTdConfig& config);
/// The algorithms with names. weights: flat; a mask that is learned is read off them.
std::vector<Landmark> landmarks_of(const InContextTdConfig& config, const std::vector<float>& weights);
/// The discount in prompts.
double prompt_gamma(const InContextTdConfig& config);

/// The verdict that is right for the loss; nullopt if its algorithm has no place in the family.
std::optional<VerdictName> own_verdict(const InContextTdConfig& config);

/// For so many logged steps in a row a network must compute an algorithm to be dated.
inline constexpr int64_t kLastingSteps = 10;

/// A verdict for the snapshot.
Judged judged_as(const InContextTdConfig& config, const NetworkVerdict& verdict, const std::vector<float>& weights);

/// Adds the place, its intervals, what the landmarks leave, the verdict, and both kinds of emergence.
void add_verdict_metrics(const InContextTdConfig& config, Metrics<TdMeasured>& metrics);
/// Adds the map of algorithms and what each of them leaves unexplained; nothing if the network is not linear.
void add_verdict_plots(const InContextTdConfig& config, std::vector<MetricPlot>& plots);

}  // namespace emergence
