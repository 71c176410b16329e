#include "core/experiments/in_context_td/seed/td_seed.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

#include "core/base/ranges.h"

namespace emergence {
namespace {

std::string hundredths(double number) { return fmt::format("{:.2f}", std::round(100 * number) / 100 + 0.0); }

// All that a star depends on.
std::string key_of(const InContextTdConfig& config, const StarOptions& options) {
    const TaskOptions& t = options.tasks;
    const StarLoss& loss = options.loss;
    const std::tuple key(static_cast<int>(t.kind), t.num_states, t.d, t.gamma, t.representable, t.normal_true_weights,
                         t.min_states, t.min_threshold, t.max_threshold, t.fixed_transition, t.fixed_features,
                         options.layers, options.context_length, options.windows, loss.lambda, loss.follows_target,
                         options.exact_contexts, config.worlds);
    return fmt::format("{}", fmt::join(key, " "));
}

Series mark_of(const Star& star, std::string name, int color, std::string label) {
    const bool valley = star.valley_beta > 0;
    return {.name = std::move(name),
            .x = {star.beta.value},
            .rows = {{star.c.value}},
            .color = color,
            .dashed = true,
            .points = true,
            .details = {.half_x = {valley ? star.valley_beta : star.beta.half},
                        .half_y = {valley ? star.valley_c : star.c.half},
                        .tilt = {star.valley_tilt},
                        .ring = {},
                        .labels = {std::move(label)},
                        .words = {}}};
}

// The stars of all losses, and the least value error of the first one's prompts.
PlaneMarks marks_of(const InContextTdConfig& config, const std::vector<LossKind>& losses) {
    constexpr int kStarColor = 6, kValueColor = 10;
    PlaneMarks marks;
    for (const LossKind loss : losses) {
        const Star star = star_of(*star_options(config, loss));
        if (!star.found) continue;
        marks.series.push_back(mark_of(star, fmt::format("star of the {}", loss_words(loss)), kStarColor,
                                       losses.size() == 1 ? "star" : fmt::format("{} star", loss_words(loss))));
        if (losses.size() == 1) marks.sentence = sentence_of(star, loss, config);
    }
    if (losses.size() > 1)
        marks.sentence = "Star: the algorithm that a loss itself prefers, computed without a network.";
    if (marks.series.empty()) marks.sentence = "No star: no stable algorithm was found.";
    StarOptions values = *star_options(config, losses[0]);
    values.loss = {.value_error = true};
    if (const Star star = star_of(values); star.found) {
        marks.series.push_back(mark_of(star, "least value error", kValueColor, ""));
        marks.series.back().details.labels.clear();
        marks.series.back().hidden = true;
    }
    return marks;
}

// Adds the stars of the losses as further marks; nothing if one has none.
void add_star(const InContextTdConfig& config, MetricPlane& plane) {
    const std::vector<LossKind> losses = losses_in_turn(config);
    if (config.tasks.own) return;  // nothing says whether two are the same
    for (const LossKind loss : losses) {
        const auto options = star_options(config, loss);
        if (!options) return;
        plane.marks_key += key_of(config, *options) + "\n";
    }
    plane.marks = [config, losses] { return marks_of(config, losses); };
}

struct AxisText {
    const char *metric, *label, *help, *axis, *algorithm;
};
const AxisText& words_of_axis(PlaceAxis axis) {
    static const AxisText kTexts[] = {
        {"map_c", "c",
         "How much of the residual gradient it follows, as fitted (ours): 0 for TD, 1 for residual gradient.",
         "c: share of the residual gradient",
         "w <- w + \u03b1_l mean (R + \u03b2 \u03b3\u03c6'w - \u03c6'w)(\u03c6 - c \u03b3\u03c6')"},
        {"map_lambda", "\u03bb",
         "\u03bb of the trace that the network follows, as fitted to its values alone (ours). 0 for TD(0).",
         "\u03bb: how slowly its trace fades",
         "w <- w + \u03b1_l mean (R + \u03b2 \u03b3\u03c6'w - \u03c6'w) e, e <- \u03bb e + \u03c6,"},
        {"map_mean", "\u03c1",
         "How much of the mean reward it subtracts, as fitted (ours): 1 for average-reward TD, 0 for TD(0).",
         "\u03c1: how much of the mean reward it subtracts",
         "w <- w + \u03b1_l mean (R - \u03c1 m + \u03b2 \u03c6'w - \u03c6'w) \u03c6, m the mean of the rewards so far,"}};
    return kTexts[static_cast<size_t>(axis)];
}

constexpr int kByMatricesBit = 16;
// The landmarks that a verdict names as the bits 1, 2, 4, 8 of a number; bit 16 says that step sizes are matrices.
double landmark_bits(const NetworkVerdict& verdict) {
    int bits = verdict.of >= 0 ? 1 << verdict.of : 0;
    for (const int tie : verdict.ties) bits |= 1 << tie;
    if (verdict.by_matrices) bits |= kByMatricesBit;
    return bits;
}

// The metrics of a verdict, in the order in which verdict_of_row() reads them.
std::vector<std::string> told_metrics(PlaceAxis axis) {
    const std::string second = words_of_axis(axis).metric;
    std::vector<std::string> told = {"verdict",       "verdict_of",     "map_beta",        second,
                                     "map_beta_half", second + "_half", "map_unexplained", "matrices_unexplained"};
    for (const Landmark& one : landmarks_of(axis, 1)) told.push_back(fmt::format("leaves_{}", one.name));
    return told;
}

// The verdict that a row holds, as far as sentences need it.
NetworkVerdict verdict_of_row(const std::vector<double>& told, size_t layers) {
    NetworkVerdict verdict;
    verdict.converged = true;
    verdict.alphas.resize(layers);
    if (!std::isfinite(told[0])) return verdict;
    auto next = told.begin();
    verdict.name = static_cast<VerdictName>(*next++);
    const int bits = static_cast<int>(*next++);
    verdict.by_matrices = (bits & kByMatricesBit) != 0;
    for (double* number : {&verdict.beta.value, &verdict.c.value, &verdict.beta.half, &verdict.c.half,
                           &verdict.unexplained, &verdict.unexplained_by_matrices})
        *number = *next++;
    for (; next != told.end(); ++next) verdict.leaves.push_back({*next, *next, *next});
    for (int m = 0; m < static_cast<int>(verdict.leaves.size()); ++m) {
        if ((bits >> m) % 2 == 0) continue;
        if (verdict.name == VerdictName::ambiguous)
            verdict.ties.push_back(m);
        else
            verdict.of = m;
    }
    return verdict;
}

// The map of algorithms, with the network's two numbers as coordinates.
MetricPlot map_plot(const InContextTdConfig& config) {
    const PlaceAxis axis = place_axis(config);
    const AxisText& text = words_of_axis(axis);
    const double own = axis == PlaceAxis::trace && !config.learn_mask_lambda ? config.mask_lambda : 1;
    const std::vector<Landmark> landmarks = landmarks_of(axis, own);
    MetricPlane plane;
    plane.x = "map_beta";
    plane.y = text.metric;
    plane.half_x = "map_beta_half";
    plane.half_y = plane.y + "_half";
    plane.tilt = "map_tilt";
    plane.ring = "map_unexplained";
    plane.told = told_metrics(axis);
    const auto layers = static_cast<size_t>(config.num_layers);
    plane.words = [landmarks, layers, axis, gamma = prompt_gamma(config)](const std::vector<double>& told) {
        return sentence_of(verdict_of_row(told, layers), landmarks, axis, gamma);
    };
    plane.verdict = [landmarks, layers](const std::vector<double>& told) {
        return label_of(verdict_of_row(told, layers), landmarks);
    };
    plane.x_axis = {.label = "\u03b2: how much it bootstraps", .unit = "", .minimum = -0.5, .maximum = 2};
    plane.landmarks = {.name = "landmarks", .x = {}, .rows = {{}}, .color = 7, .dashed = true, .points = true};
    for (const Landmark& one : landmarks) {
        if (one.one_step) continue;  // one step has no place on the map
        plane.landmarks.x.push_back(one.beta);
        plane.landmarks.rows[0].push_back(one.c);
        plane.landmarks.details.labels.push_back(one.label);
    }
    plane.groups = loss_groups(config);
    plane.first_seed = static_cast<uint64_t>(config.seed);
    if (plane.groups.size() == 1 && own_verdict(config)) {
        plane.split_by = "computes_own";
        plane.split_words = "compute it";
    }
    add_star(config, plane);
    HistoryPlot map("map", "Map of algorithms");
    // Only losses that reach beyond the next state lead far below 0.
    const bool low = axis == PlaceAxis::gradient && any_of(losses_in_turn(config), [](LossKind loss) {
                         return loss == LossKind::monte_carlo || loss == LossKind::td_lambda;
                     });
    map.y(text.axis).from(low ? -1 : -0.5).to(1.25);
    map.note(
        fmt::format("Ours: each network stands at the numbers with which {} best fits its values on held-out prompts. "
                    "Solid: it computes its loss's algorithm. Ellipse: 95 % intervals. Ring: its area is the "
                    "unexplained share. Line: its path. Bar: the values do not determine this number.",
                    text.algorithm));
    map.spec().plane = std::move(plane);
    return map;
}

// Draws what each named algorithm and the best point leave unexplained.
HistoryPlot leaves_plot(const InContextTdConfig& config) {
    HistoryPlot plot("leaves", "Which algorithm is it?");
    for (int color = 0; const Landmark& one : landmarks_of(place_axis(config), 1)) {
        plot.line(fmt::format("leaves_{}", one.name)).label(one.label).color(color).dashed(color < 2);
        ++color;
    }
    plot.line("map_unexplained").label("best point of the map").color(8);
    plot.y("unexplained share of the network's values").logarithmic();
    plot.level("predict zero", 1.0);
    plot.level("named below", kMostUnexplained);
    plot.note(
        "Ours: how much of the network's values each algorithm leaves unexplained, with a step size for each layer, "
        "fitted on held-out prompts and judged on others. Low: the network computes it.");
    return plot;
}

}  // namespace

std::optional<StarOptions> star_options(const InContextTdConfig& config, LossKind loss) {
    if (!has_theory(config) || has_masks(config) || !config.tasks.has_values() || loss == LossKind::average_reward ||
        config.loss.own || config.num_layers > kMostStarLayers)
        return {};
    StarOptions options{.tasks = task_options(config),
                        .layers = config.num_layers,
                        .context_length = config.context_length,
                        .windows = config.minibatch_size * (config.update_each_prompt ? config.minibatches_per_mrp : 1),
                        .exact_contexts = config.exact_contexts};
    if (options.tasks.kind == TaskKind::files) options.tasks.worlds = read_worlds(config, false);
    options.loss.follows_target = loss == LossKind::residual_gradient;
    if (loss == LossKind::td_lambda) options.loss.lambda = config.loss.lambda;
    if (loss == LossKind::monte_carlo) options.loss.lambda = 1;
    return options;
}

std::string sentence_of(const Star& star, LossKind loss, const InContextTdConfig& config) {
    std::string text = fmt::format("Star: the {} itself prefers \u03b2 {}, c {}", loss_words(loss),
                                   hundredths(star.beta.value), hundredths(star.c.value));
    if (star.valley_beta > 0) text += "; in the ellipse it is at most 1 % higher";
    if (!star.reachable() && !config.sequential)
        text += fmt::format("; its largest step size, {:.1f}, is beyond what one shared layer reaches (about {})",
                            star.alphas.back(), kReachedByOneLayer);
    return text + ".";
}

SeedMeasures seed_measures(const InContextTdConfig& config) {
    auto bank = make_bank(config, evaluation_size(config), {config.context_length});
    return {training_worlds(config), std::make_shared<const NetworkEvaluator>(network_shape(config), std::move(bank)),
            has_theory(config) ? verdict_prompts(config) : nullptr};
}

PlaceAxis place_axis(const InContextTdConfig& config) {
    if (!has_masks(config)) return PlaceAxis::gradient;
    return config.model == "two_heads" ? PlaceAxis::mean_reward : PlaceAxis::trace;
}

std::vector<MetricPlane::Group> loss_groups(const InContextTdConfig& config) {
    const std::vector<LossKind> losses = losses_in_turn(config);
    constexpr int kColors[] = {0, 1, 2, 3, 5, 8};
    std::vector<MetricPlane::Group> groups;
    for (size_t i = 0; i < losses.size(); ++i)
        groups.push_back({losses.size() > 1 ? loss_words(losses[i]) : "networks", kColors[i % std::size(kColors)]});
    return groups;
}

std::shared_ptr<const VerdictPrompts> verdict_prompts(const InContextTdConfig& config) {
    const auto bank = make_bank(config, VerdictPrompts::kFitted + VerdictPrompts::kJudged, {config.context_length});
    return std::make_shared<const VerdictPrompts>(*bank, 0, place_axis(config));
}

std::vector<Landmark> landmarks_of(const InContextTdConfig& config, const std::vector<float>& weights) {
    const bool learned = config.learn_mask_lambda && !weights.empty();
    return landmarks_of(place_axis(config), learned ? static_cast<double>(weights.back()) : config.mask_lambda);
}

double prompt_gamma(const InContextTdConfig& config) { return averages_rewards(config) ? 1 : config.tasks.gamma; }

std::optional<VerdictName> own_verdict(const InContextTdConfig& config) {
    if (!has_theory(config)) return {};
    if (has_masks(config)) {
        if (!has_target(config)) return {};
        return config.model == "two_heads" ? VerdictName::average_reward : VerdictName::td_lambda;
    }
    if (config.loss.kind == LossKind::td) return VerdictName::td;
    if (config.loss.kind == LossKind::residual_gradient) return VerdictName::residual_gradient;
    return {};
}

void say_verdict(const TdMeasured& measured, Row& row) {
    const PlaceAxis axis = place_axis(*measured.config);
    const AxisText& text = words_of_axis(axis);
    const NetworkVerdict& verdict = measured.verdict;
    row("map_beta", "\u03b2",
        "How much the network bootstraps, as fitted (ours): 1 for TD, 0 for none. Missing if undetermined.",
        verdict.beta.value);
    row(text.metric, text.label, text.help, verdict.c.value);
    row("map_beta_half", "\u03b2, half of its interval",
        "Half the width of the 95 % interval, from redrawn prompts and from moves that hardly change the values.",
        verdict.beta.half);
    row(std::string(text.metric) + "_half", std::string(text.label) + ", half of its interval", "Likewise.",
        verdict.c.half);
    row("map_tilt", "correlation of both",
        "Correlation between the errors of both numbers, from -1 to 1: the tilt of the ellipse on the map.",
        verdict.tilt);
    row("map_unexplained", "unexplained by the point",
        "Unexplained share of the network's values at this point, on prompts that were not fitted.",
        verdict.unexplained);
    row("matrices_unexplained", "unexplained by matrices",
        "Unexplained share of the best algorithm with a matrix for each step, where needed; else that of the point.",
        std::isnan(verdict.unexplained_by_matrices) ? verdict.unexplained : verdict.unexplained_by_matrices);
    row("verdict", "verdict",
        "What the network computes: 0 TD, 1 residual gradient, 2 no bootstrapping, 3 one reward step, 4 TD(\u03bb), 5 "
        "average-reward TD, 6 one of these with the wrong sign, 7 several that cannot be told apart, 8 between them, 9 "
        "none.",
        static_cast<double>(verdict.name));
    row("verdict_of", "algorithms of the verdict",
        "The algorithms that the verdict names, as a sum: 1 one reward step, 2 no bootstrapping, 4 TD, 8 the next on "
        "the map; plus 16 if step sizes are matrices.",
        landmark_bits(verdict));
    for (size_t l = 0; l < static_cast<size_t>(measured.config->num_layers); ++l)
        row(fmt::format("map_step_{}", l + 1), fmt::format("step size {}", l + 1),
            "One of the step sizes fitted at this point, in ascending order.",
            l < verdict.alphas.size() ? verdict.alphas[l] : kMissing);
    const std::vector<Landmark> landmarks = landmarks_of(axis, 1);
    for (size_t m = 0; m < landmarks.size(); ++m)
        row(fmt::format("leaves_{}", landmarks[m].name), landmarks[m].label,
            fmt::format("The unexplained share of {}, with the best step sizes.", landmarks[m].label),
            m < verdict.leaves.size() ? verdict.leaves[m].value : kMissing);
    if (measured.config->learn_mask_lambda && axis == PlaceAxis::trace)
        row("mask_lambda", "mask: \u03bb", "The mask's \u03bb, which the network learns.", measured.mask_lambda);
    row("computes_own", "computes its loss's algorithm",
        "1 if the verdict at this step is the algorithm of the network's loss. Missing for losses without one.",
        measured.computes_own)
        .share();
    row("emerged_pattern", "looks like theory",
        "1 if the weights have looked like theory's for ten logged steps in a row, by the rule of emergence.",
        measured.pattern)
        .share();
    row("emerged_function", "computes it, lasting",
        fmt::format(
            "1 while the verdict has been the algorithm of the network's loss for {} logged steps in a row or longer "
            "(ours). Missing for losses without one.",
            kLastingSteps),
        measured.function)
        .share();
}

void add_verdict_plots(const InContextTdConfig& config, std::vector<MetricPlot>& plots) {
    if (!has_theory(config)) return;
    plots.push_back(map_plot(config));
    plots.push_back(leaves_plot(config));
    if (config.learn_mask_lambda && place_axis(config) == PlaceAxis::trace) {
        HistoryPlot mask("mask_lambda", "The mask's \u03bb");
        mask.line("mask_lambda").label("\u03bb");
        mask.y("\u03bb of the mask");
        mask.level("\u03b3", config.tasks.gamma);
        mask.note(
            "The trained \u03bb of Eq. (14), Wang et al. 2025. 0 is TD(0)'s mask; at 1 a trace never fades. At \u03b3 "
            "(drawn), theory's weights run the textbook's TD(1).");
        plots.push_back(std::move(mask));
    }
}

}  // namespace emergence
