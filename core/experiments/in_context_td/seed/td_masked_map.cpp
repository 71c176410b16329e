#include "core/experiments/in_context_td/seed/td_masked_map.h"

#include <fmt/format.h>

#include <cmath>

#include "core/experiments/in_context_td/seed/td_map.h"
#include "core/experiments/in_context_td/settings/td_network.h"
#include "core/lab/views/measured.h"
#include "core/measures/algorithm_map.h"

namespace emergence {
namespace {

// How far from an algorithm's place its name reaches.
constexpr double kBetaReach = 0.4, kLambdaReach = 0.25, kMeanReach = 0.4;

struct AxisText {
    const char *metric, *label, *help, *axis;
};
const AxisText& text_of(MapAxis axis) {
    static const AxisText kTrace = {"map_lambda", "\u03bb",
                                    "\u03bb of the trace along which the network's values step, as fitted on the map "
                                    "(ours), which knows nothing of the mask: 0 for TD(0).",
                                    "\u03bb: how long its trace is"};
    static const AxisText kMean = {
        "map_mean", "\u03c1",
        "How much of the mean of the rewards so far the network's values subtract, as fitted "
        "on the map (ours): 1 for average-reward TD, 0 for TD(0) without discount.",
        "\u03c1: how much of the mean reward it subtracts"};
    return axis == MapAxis::trace ? kTrace : kMean;
}

std::string number_in_words(double value) { return std::isfinite(value) ? fmt::format("{:.2f}", value) : "unknown"; }

MapPlace place_of(const PlanePlace& at) { return {at.x, at.y, at.half_x, at.half_y, at.tilt, at.ring}; }

std::string word_of_masked_place(MapAxis axis, const PlanePlace& at) {
    if (!(at.ring <= kMapExplained)) return count_word_of(MapVerdict::none);
    if (!std::isfinite(at.x) || !std::isfinite(at.y)) return "not determined";
    if (std::abs(at.x - 1) > kBetaReach) return count_word_of(MapVerdict::between);
    if (axis == MapAxis::trace) return std::abs(at.y) <= kLambdaReach ? "TD(0)" : "TD(\u03bb)";
    if (std::abs(at.y - 1) <= kMeanReach) return "average-reward TD";
    return std::abs(at.y) <= kMeanReach ? "TD(0) without discount" : count_word_of(MapVerdict::between);
}

// The plane's functions take a place alone.
template <MapAxis axis>
std::string plane_words(const PlanePlace& at) {
    return words_of_masked_place(axis, place_of(at));
}
template <MapAxis axis>
std::string plane_verdict(const PlanePlace& at) {
    return word_of_masked_place(axis, at);
}

}  // namespace

std::string words_of_masked_place(MapAxis axis, const MapPlace& place) {
    if (!std::isfinite(place.unexplained)) return "it predicts zero, or values that are not finite";
    const std::string second = number_in_words(place.c);
    return fmt::format("bootstraps {} of the way, {}; {:.2g} % unexplained", number_in_words(place.beta),
                       axis == MapAxis::trace ? "its trace has \u03bb " + second
                                              : fmt::format("subtracts {} of the mean reward", second),
                       100 * place.unexplained);
}

bool is_own_masked_place(MapAxis axis, int layers, const MapPlace& place, double own) {
    const double reach = axis == MapAxis::trace ? kLambdaReach : kMeanReach;
    return (layers == 1 || std::abs(place.beta - 1) <= kBetaReach) && std::abs(place.c - own) <= reach;
}

void add_masked_map_metrics(const InContextTdConfig& config, Metrics<TdMeasured>& metrics) {
    const AxisText& text = text_of(map_axis(config));
    const std::string half = std::string(text.metric) + "_half";
    metrics.add(
        {{"map_beta", "\u03b2",
          "How much the network bootstraps, as fitted on the map of algorithms (ours): 1 for TD, 0 without "
          "bootstrapping. Missing where its values do not determine it.",
          of(&TdMeasured::place, &MapPlace::beta)},
         {text.metric, text.label, text.help, of(&TdMeasured::place, &MapPlace::c)},
         {"map_beta_half", "\u03b2, half of its interval",
          "Half the width of the interval of 95 %: prompts drawn anew, and moves that hardly change the values.",
          of(&TdMeasured::place, &MapPlace::beta_half)},
         {half, std::string(text.label) + ", half of its interval", "Likewise.",
          of(&TdMeasured::place, &MapPlace::c_half)},
         {"map_tilt", "correlation of both",
          "How the errors of both go together, from -1 to 1: the tilt of the ellipse on the map.",
          of(&TdMeasured::place, &MapPlace::tilt)},
         {"map_unexplained", "unexplained by the point",
          "Share of the network's mean square value, on prompts that were not fitted, that the point leaves "
          "unexplained with its best step sizes.",
          of(&TdMeasured::place, &MapPlace::unexplained)}});
    const std::string own = map_axis(config) == MapAxis::trace ? "TD(\u03bb) of Corollary 3, \u03bb the mask's"
                                                               : "average-reward TD of Theorem 3";
    metrics.add({{"own_unexplained", "unexplained by its construction",
                  fmt::format("The same of {}, with the best step sizes.", own), &TdMeasured::own_unexplained},
                 {"td_unexplained", "unexplained by TD(0)", "The same of TD(0), with the best step sizes.",
                  &TdMeasured::td_unexplained}});
    if (config.learn_mask_lambda && map_axis(config) == MapAxis::trace)
        metrics.add({"mask_lambda", "mask: \u03bb", "\u03bb of the mask, which is learned.",
                     [](const TdMeasured& m) { return m.mask_lambda; }, false, false});
    add_emerged_metrics(metrics);
}

MetricPlot masked_map_plot(const InContextTdConfig& config) {
    const MapAxis axis = map_axis(config);
    const bool trace = axis == MapAxis::trace;
    const AxisText& text = text_of(axis);
    MetricPlane plane;
    plane.x = "map_beta";
    plane.y = text.metric;
    plane.half_x = "map_beta_half";
    plane.half_y = plane.y + "_half";
    plane.tilt = "map_tilt";
    plane.ring = "map_unexplained";
    plane.split_by = "emerged_pattern";
    plane.words = trace ? plane_words<MapAxis::trace> : plane_words<MapAxis::mean_reward>;
    plane.verdict = trace ? plane_verdict<MapAxis::trace> : plane_verdict<MapAxis::mean_reward>;
    AxisBuilder(plane.x_axis).from(-0.5).to(2);
    plane.x_axis.label = "\u03b2: how much it bootstraps";
    const bool fixed = trace && !config.learn_mask_lambda;
    const double own = fixed ? config.mask_lambda : 1.0;
    plane.landmarks = {"landmarks", {0, 1, 1}, {{own, 0, own}}, 7, true};
    plane.landmarks.points = true;
    plane.landmarks.details.labels = {"no bootstrapping", "TD(0)",
                                      fixed   ? "TD(\u03bb)"
                                      : trace ? "TD(1)"
                                              : "average-reward TD"};
    plane.groups.push_back({"seeds", 0});
    plane.first_seed = static_cast<uint64_t>(config.seed);
    HistoryPlot map("map", "Map of algorithms");
    map.y(text.axis).from(-0.5).to(1.5);
    const char* const algorithm =
        trace
            ? "w <- w + \u03b1_l mean (R + \u03b2 \u03b3\u03c6'w - \u03c6'w) e, e <- \u03bb e + \u03c6,"
            : "w <- w + \u03b1_l mean (R - \u03c1 m + \u03b2 \u03c6'w - \u03c6'w) \u03c6, m the mean of the rewards so far,";
    map.note(
        fmt::format("Ours: each seed is where the algorithm {} comes nearest to its values on held-out prompts. The "
                    "fit does not know the network's {}. Ellipse: intervals of 95 %. Ring: its area is the share "
                    "that stays unexplained, eight marks' radius for all of it. A click chooses a seed.",
                    algorithm, trace ? "mask" : "masks"));
    map.spec().plane = std::move(plane);
    return map;
}

}  // namespace emergence
