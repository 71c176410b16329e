#pragma once
// Experiment "td": where the networks lie on the map of algorithms (measures/algorithm_map.h), at every logged step.

#include <memory>
#include <string>
#include <vector>

#include "core/experiments/in_context_td/seed/td_metrics.h"
#include "core/measures/map_follower.h"

namespace emergence {

struct SeedMeasures;  // td_line_up.h

/// The second coordinate of the map: lambda of traces for a mask of traces, the mean reward for two heads.
MapAxis map_axis(const InContextTdConfig& config);

/// A seed's place on the map; null if the network is not linear.
std::unique_ptr<MapFollower> make_map_follower(const InContextTdConfig& config, const SeedMeasures& measures);
/// The place at a logged step; of weights that stand still when the fit has come to rest.
MapPlace follow_map(const InContextTdConfig& config, const std::vector<float>& weights, MapFollower& map);

/// The place that Corollary 3 or Theorem 3 gives a masked network's second coordinate. weights: flat.
double own_second_coordinate(const InContextTdConfig& config, const std::vector<float>& weights);

/// For so many logged steps in a row a network must compute its algorithm to have emerged in function.
inline constexpr int64_t kLastingSteps = 10;
/// A place in words, with the algorithms that its intervals leave open.
std::string words_of_place(const MapPlace& place);
/// Whether the map has a place for the algorithm that the loss names.
bool has_own_place(const InContextTdConfig& config);
/// What a place lacks to be that of this algorithm; "" if nothing. weights: flat, of a mask that is learned.
std::string lacks_own_place(const InContextTdConfig& config, const MapPlace& place,
                            const std::vector<float>& weights = {});

/// Adds beta, c, their intervals and the unexplained share; of weights that stand still also how the fit came to rest.
void add_map_metrics(const InContextTdConfig& config, Metrics<TdMeasured>& metrics);

/// Adds whether a network has emerged, in pattern and in function.
void add_emerged_metrics(Metrics<TdMeasured>& metrics);

/// Adds the plane of beta and c; nothing if the network is not linear.
void add_map_plot(const InContextTdConfig& config, std::vector<MetricPlot>& plots);

}  // namespace emergence
