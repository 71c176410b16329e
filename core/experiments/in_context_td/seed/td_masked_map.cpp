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
const AxisText& words_of_axis(MapAxis axis) {
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

MapPlace map_place(const PlanePlace& at) { return {at.x, at.y, at.half_x, at.half_y, at.tilt, at.ring}; }

// Where lambda is learned all of them are TD(lambda), and lambda says how near TD(0).
std::string word_of_masked_place(MapAxis axis, bool learned, const PlanePlace& at) {
    if (!(at.ring <= kMapExplained)) return count_word_of(MapVerdict::none);
    if (!std::isfinite(at.x) || !std::isfinite(at.y)) return "not determined";
    if (std::abs(at.x - 1) > kBetaReach) return count_word_of(MapVerdict::between);
    if (axis == MapAxis::trace) return !learned && std::abs(at.y) <= kLambdaReach ? "TD(0)" : "TD(\u03bb)";
    if (std::abs(at.y - 1) <= kMeanReach) return "average-reward TD";
    return std::abs(at.y) <= kMeanReach ? "TD(0) without discount" : count_word_of(MapVerdict::between);
}

// What both heads read, and the traces of their Q.
HistoryPlot head_plot() {
    HistoryPlot heads("element_wise", "Entries of both heads");
    heads.line("p_reward").color(0);
    heads.line("q1_trace_upper_left").color(1);
    heads.line("q1_trace_upper_right").color(2);
    heads.line("p_memory").color(0).dashed();
    heads.line("q2_trace_upper_left").color(1).dashed();
    heads.line("q2_trace_upper_right").color(2).dashed();
    heads.y("entries, sign aligned");
    heads.note(
        "Ours, as Figure 2b of Wang et al. 2025: each head aligned by the sign of what its P reads, not scaled. "
        "Theorem 3: both entries of P and both upper-right traces grow, the upper-left traces fall.");
    return heads;
}

HistoryPlot mask_history(const InContextTdConfig& config) {
    HistoryPlot plot("mask_lambda", "The mask's \u03bb");
    plot.line("mask_lambda").label("\u03bb");
    plot.y("\u03bb of the mask");
    plot.level("\u03b3", config.tasks.gamma);
    plot.note(
        "\u03bb of Eq. (14), Wang et al. 2025, a weight like the others here. At 0 the mask is that of TD(0), at 1 a "
        "trace never fades. At \u03b3, drawn, the weights of theory run a textbook's TD(1).");
    return plot;
}

// By its own construction and by TD(0).
HistoryPlot construction_history(const InContextTdConfig& config) {
    HistoryPlot plot("construction", "Its construction or TD(0)?");
    plot.line("own_unexplained").label(config.model == "two_heads" ? "average-reward TD" : "TD(\u03bb)").color(0);
    plot.line("td_unexplained").label("TD(0)").color(1).dashed();
    plot.line("map_unexplained").label("the point on the map").color(2).dashed();
    plot.y("unexplained share of the network's values").logarithmic();
    plot.level("predict zero", 1.0);
    plot.note(
        "Ours: each algorithm, with a step size per layer fitted to the network's values on held-out prompts and "
        "judged on others; mean squared difference over the network's mean square value. Low: it computes that.");
    return plot;
}

// The plane's functions take a place alone.
template <MapAxis axis>
std::string plane_words(const PlanePlace& at) {
    return words_of_masked_place(axis, map_place(at));
}
template <MapAxis axis, bool learned>
std::string plane_verdict(const PlanePlace& at) {
    return word_of_masked_place(axis, learned, at);
}

}  // namespace

std::string words_of_masked_place(MapAxis axis, const MapPlace& place) {
    if (!std::isfinite(place.unexplained)) return "it predicts zero, or values that are not finite";
    const auto told = [](double value, const char* known, const char* open) {
        return std::isfinite(value) ? fmt::format(fmt::runtime(known), value) : open;
    };
    const bool trace = axis == MapAxis::trace;
    return fmt::format("{}, {}; {:.2g} % unexplained",
                       told(place.beta, "bootstraps {:.2f} of the way", "how much it bootstraps is open"),
                       told(place.c, trace ? "its trace has \u03bb {:.2f}" : "subtracts {:.2f} of the mean reward",
                            trace ? "its trace's \u03bb is open" : "how much of the mean reward it subtracts is open"),
                       100 * place.unexplained);
}

bool is_own_masked_place(MapAxis axis, int layers, const MapPlace& place, double own) {
    const double reach = axis == MapAxis::trace ? kLambdaReach : kMeanReach;
    return (layers == 1 || std::abs(place.beta - 1) <= kBetaReach) && std::abs(place.c - own) <= reach;
}

void add_masked_map_metrics(const InContextTdConfig& config, Metrics<TdMeasured>& metrics) {
    const AxisText& text = words_of_axis(map_axis(config));
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
    const AxisText& text = words_of_axis(axis);
    MetricPlane plane;
    plane.x = "map_beta";
    plane.y = text.metric;
    plane.half_x = "map_beta_half";
    plane.half_y = plane.y + "_half";
    plane.tilt = "map_tilt";
    plane.ring = "map_unexplained";
    plane.split_by = has_own_place(config) ? "emerged_function" : "emerged_pattern";  // as the headline counts
    plane.words = trace ? plane_words<MapAxis::trace> : plane_words<MapAxis::mean_reward>;
    plane.verdict = !trace                     ? plane_verdict<MapAxis::mean_reward, false>
                    : config.learn_mask_lambda ? plane_verdict<MapAxis::trace, true>
                                               : plane_verdict<MapAxis::trace, false>;
    AxisBuilder(plane.x_axis).from(-0.5).to(2);
    plane.x_axis.label = "\u03b2: how much it bootstraps";
    const bool fixed = trace && !config.learn_mask_lambda;
    const double own = fixed ? config.mask_lambda : 1.0;
    plane.landmarks = {"landmarks", {0, 1, 1}, {{own, 0, own}}, 7, true};
    plane.landmarks.points = true;
    plane.landmarks.details.labels = {"no bootstrapping", "TD(0)",
                                      fixed   ? "TD(\u03bb)"
                                      : trace ? "TD(1)"
                                              : "average reward"};
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

void add_masked_plots(const InContextTdConfig& config, std::vector<MetricPlot>& plots) {
    if (config.model == "two_heads") plots.insert(plots.begin(), head_plot());
    plots.push_back(construction_history(config));
    if (network_shape(config).learns_lambda) plots.push_back(mask_history(config));
}

}  // namespace emergence
