#include "core/experiments/in_context_td/seed/td_map.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "core/experiments/in_context_td/seed/td_line_up.h"
#include "core/experiments/in_context_td/seed/td_masked_map.h"
#include "core/experiments/in_context_td/settings/td_network.h"
#include "core/lab/views/measured.h"
#include "core/measures/algorithm_map.h"

namespace emergence {

MapAxis map_axis(const InContextTdConfig& config) {
    if (!has_masks(config)) return MapAxis::gradient;
    return config.model == "two_heads" ? MapAxis::mean_reward : MapAxis::trace;
}

std::unique_ptr<MapFollower> make_map_follower(const InContextTdConfig& config, const SeedMeasures& measures) {
    if (!measures.map) return nullptr;
    return std::make_unique<MapFollower>(measures.map, config.num_layers);
}

MapPlace follow_map(const InContextTdConfig& config, const std::vector<float>& weights, MapFollower& map) {
    const LinearAttentionView network = view_of(config, weights);
    return stands_still(config) ? map.settle(network) : map.follow(network);
}

namespace {

MapInterval interval_of(double value, double half) {
    constexpr double kAny = std::numeric_limits<double>::infinity();
    return std::isfinite(value) ? MapInterval{value, value - half, value + half} : MapInterval{value, -kAny, kAny};
}

// Where seeds are counted.
std::string counted_as(const PlanePlace& at) {
    if (!(at.ring <= kMapExplained)) return count_word_of(MapVerdict::none);
    if (!std::isfinite(at.x) || !std::isfinite(at.y)) return "not determined";
    return count_word_of(region_of(at.x, at.y));
}

}  // namespace

std::string words_of_place(const MapPlace& place) {
    const MapInterval beta = interval_of(place.beta, place.beta_half), c = interval_of(place.c, place.c_half);
    const std::string words = words_of_place(beta, c, place.unexplained);
    if (!(place.unexplained <= kMapExplained)) return words;
    const std::string open = open_between(beta, c);
    if (!open.empty()) return words + "; " + open;
    // A fit that follows a network has not come to rest.
    return is_known(beta) && is_known(c) ? words : words + "; identify, which fits until it rests, may show more";
}

double own_second_coordinate(const InContextTdConfig& config, const std::vector<float>& weights) {
    if (map_axis(config) == MapAxis::mean_reward) return 1.0;
    return config.learn_mask_lambda ? static_cast<double>(weights.back()) : config.mask_lambda;
}

bool has_own_place(const InContextTdConfig& config) {
    if (has_masks(config)) return has_target(config);
    return has_theory(config) && (config.loss.kind == LossKind::td || config.loss.kind == LossKind::residual_gradient);
}

std::string lacks_own_place(const InContextTdConfig& config, const MapPlace& place, const std::vector<float>& weights) {
    if (!std::isfinite(place.unexplained)) return "it predicts zero, or values that are not finite";
    if (!(place.unexplained <= kMapExplained))
        return fmt::format("the nearest algorithm leaves {:.3g} % unexplained", 100 * place.unexplained);
    if (has_masks(config)) {
        const double own = own_second_coordinate(config, weights);
        return is_own_masked_place(map_axis(config), config.num_layers, place, own)
                   ? ""
                   : words_of_masked_place(map_axis(config), place);
    }
    const bool td = config.loss.kind == LossKind::td;
    // A single layer has nothing to bootstrap from (Corollary 1).
    const double beta = config.num_layers == 1 && td ? 1.0 : place.beta;
    if (region_of(beta, place.c) == (td ? MapVerdict::td : MapVerdict::residual_gradient)) return "";
    return words_of_place(place);
}

void add_map_metrics(const InContextTdConfig& config, Metrics<TdMeasured>& metrics) {
    if (!has_theory(config)) return;
    if (has_masks(config)) return add_masked_map_metrics(config, metrics);
    metrics.add(
        {{"map_beta", "\u03b2",
          "How much the network bootstraps, as fitted on the map of algorithms (ours): 1 for TD, 0 without "
          "bootstrapping. Missing where its values do not determine it.",
          of(&TdMeasured::place, &MapPlace::beta)},
         {"map_c", "c", "How much of the target's gradient it takes, likewise: 0 for TD, 1 for residual gradient.",
          of(&TdMeasured::place, &MapPlace::c)},
         {"map_beta_half", "\u03b2, half of its interval",
          "Half the width of the interval of 95 %: prompts drawn anew, and moves that hardly change the values.",
          of(&TdMeasured::place, &MapPlace::beta_half)},
         {"map_c_half", "c, half of its interval", "Likewise.", of(&TdMeasured::place, &MapPlace::c_half)},
         {"map_tilt", "correlation of both",
          "How the errors of β and c go together, from -1 to 1: the tilt of the ellipse on the map.",
          of(&TdMeasured::place, &MapPlace::tilt)},
         {"map_unexplained", "unexplained by the point",
          "Share of the network's mean square value, on prompts that were not fitted, that the point (\u03b2, c) "
          "leaves unexplained with its best step sizes.",
          of(&TdMeasured::place, &MapPlace::unexplained)}});
    add_emerged_metrics(metrics);
    if (!stands_still(config)) return;
    metrics.add(
        {{"map_steps", "map: steps", "Steps of least squares until the fits rested, because the weights stand still.",
          of(&TdMeasured::place, &MapPlace::steps)},
         {"map_slope", "map: slope", "The greatest slope of the share at the point: below 1e-6 the fit rests.",
          of(&TdMeasured::place, &MapPlace::slope)}});
}

void add_emerged_metrics(Metrics<TdMeasured>& metrics) {
    metrics.add(
        {{"emerged_pattern", "emerged, pattern",
          "1 if the weights have had the pattern of theory for ten logged steps in a row, by the rule of emergence.",
          &TdMeasured::pattern, true},
         {"emerged_function", "emerged, function",
          fmt::format("1 if the network has computed the algorithm of its loss for {} logged steps in a row (ours): "
                      "near its place on the map, with at most 15 % unexplained. Missing for losses whose "
                      "algorithm has no place there.",
                      kLastingSteps),
          &TdMeasured::function, true}});
}

void add_map_plot(const InContextTdConfig& config, std::vector<MetricPlot>& plots) {
    if (!has_theory(config)) return;
    if (has_masks(config)) {
        plots.push_back(masked_map_plot(config));
        return;
    }
    MetricPlane plane;
    plane.x = "map_beta";
    plane.y = "map_c";
    plane.half_x = "map_beta_half";
    plane.half_y = "map_c_half";
    plane.tilt = "map_tilt";
    plane.ring = "map_unexplained";
    plane.split_by = "emerged_pattern";
    plane.words = [](const PlanePlace& at) {
        return words_of_place({at.x, at.y, at.half_x, at.half_y, at.tilt, at.ring});
    };
    plane.verdict = counted_as;
    AxisBuilder(plane.x_axis).from(-0.5).to(2);
    plane.x_axis.label = "\u03b2: how much it bootstraps";
    plane.landmarks = {"landmarks", {0, 1, 1}, {{0, 0, 1}}, 7, true};
    plane.landmarks.points = true;
    plane.landmarks.details.labels = {"no bootstrapping", "TD", "residual gradient"};
    const std::vector<LossKind> losses = losses_in_turn(config);
    constexpr int kColors[] = {0, 6, 2, 3, 5, 8};
    for (size_t i = 0; i < losses.size(); ++i)
        plane.groups.push_back({losses.size() > 1 ? loss_words(losses[i]) : "seeds", kColors[i % std::size(kColors)]});
    plane.first_seed = static_cast<uint64_t>(config.seed);
    HistoryPlot map("map", "Map of algorithms");
    map.y("c: how much of the target's gradient it takes").from(-1).to(1.5);
    map.level("one reward step", 0);
    map.note(
        "Ours: each seed is where the algorithm w <- w + \u03b1_l mean (R + \u03b2 \u03b3\u03c6'w - \u03c6'w)(\u03c6 - c \u03b3\u03c6') comes nearest to "
        "its values on held-out prompts. Ellipse: intervals of 95 %. Ring: its area is the share that stays unexplained, "
        "eight marks' radius for all of it. Line: its way, where both numbers were known to within 0.5. Of a number that "
        "the values do not determine a bar crosses the picture, without a mark. Monte Carlo needs a trace, which the family lacks, and so has no place. A click chooses a seed.");
    map.spec().plane = std::move(plane);
    plots.push_back(std::move(map));
}

}  // namespace emergence
