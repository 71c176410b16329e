#include "core/experiments/in_context_td/seed/td_map.h"

#include "core/experiments/in_context_td/seed/td_line_up.h"
#include "core/experiments/in_context_td/settings/td_network.h"

namespace emergence {

std::unique_ptr<MapFollower> make_map_follower(const InContextTdConfig& config,
                                               const SeedMeasures& measures) {
    if (!measures.map) return nullptr;
    return std::make_unique<MapFollower>(measures.map, config.num_layers);
}

MapPlace follow_map(const InContextTdConfig& config, const std::vector<float>& weights, MapFollower& map) {
    const LinearAttentionView network = view_of(config, weights);
    return stands_still(config) ? map.settle(network) : map.follow(network);
}

void add_map_metrics(const InContextTdConfig& config, Metrics<TdMeasured>& metrics) {
    if (!has_theory(config)) return;
    metrics.add(
        {{"map_beta", "\u03b2",
          "How much the network bootstraps, as fitted on the map of algorithms (ours): 1 for TD, 0 without "
          "bootstrapping. Missing where its values do not determine it.",
          of(&TdMeasured::place, &MapPlace::beta)},
         {"map_c", "c",
          "How much of the target's gradient it takes, likewise: 0 for TD, 1 for residual gradient.",
          of(&TdMeasured::place, &MapPlace::c)},
         {"map_beta_half", "\u03b2, half of its interval",
          "Half the width of the interval of 95 %: prompts drawn anew, and moves that hardly change the values.",
          of(&TdMeasured::place, &MapPlace::beta_half)},
         {"map_c_half", "c, half of its interval", "Likewise.", of(&TdMeasured::place, &MapPlace::c_half)},
         {"map_unexplained", "unexplained by the point",
          "Share of the network's mean square value, on prompts that were not fitted, that the point (\u03b2, c) "
          "leaves unexplained with its best step sizes.",
          of(&TdMeasured::place, &MapPlace::unexplained)}});
    if (!stands_still(config)) return;
    metrics.add({{"map_steps", "map: steps",
                  "Steps of least squares until the fits rested, because the weights stand still.",
                  of(&TdMeasured::place, &MapPlace::steps)},
                 {"map_slope", "map: slope",
                  "The greatest slope of the share at the point: below 1e-6 the fit rests.",
                  of(&TdMeasured::place, &MapPlace::slope)}});
}

}  // namespace emergence
