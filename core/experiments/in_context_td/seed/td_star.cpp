#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/experiments/in_context_td/seed/td_seed.h"
#include "core/lab/snapshot.h"

namespace emergence {
namespace {

std::string hundredths(double number) { return fmt::format("{:.2f}", std::round(100 * number) / 100 + 0.0); }

// All that a star depends on.
std::string key_of(const InContextTdConfig& config, const StarOptions& options) {
    const TaskOptions& t = options.tasks;
    const StarLoss& loss = options.loss;
    return fmt::format(
               "{}", fmt::join(
                         std::vector<double>{
                             static_cast<double>(t.kind), static_cast<double>(t.num_states), static_cast<double>(t.d),
                             t.gamma, static_cast<double>(t.representable), static_cast<double>(t.normal_true_weights),
                             static_cast<double>(t.min_states), t.min_threshold, t.max_threshold,
                             static_cast<double>(t.fixed_transition), static_cast<double>(t.fixed_features),
                             static_cast<double>(options.layers), static_cast<double>(options.context_length),
                             static_cast<double>(options.windows), loss.lambda,
                             static_cast<double>(loss.follows_target), static_cast<double>(options.exact_contexts)},
                         " ")) +
           " " + config.worlds;
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
    if (!star.found) return fmt::format("The {} has no star: no stable algorithm was found.", loss_words(loss));
    std::string text = fmt::format("Star: the {} itself prefers \u03b2 {}, c {}", loss_words(loss),
                                   hundredths(star.beta.value), hundredths(star.c.value));
    if (star.valley_beta > 0) text += "; in the ellipse it is at most 1 % higher";
    if (!star.reachable() && !config.sequential)
        text += fmt::format("; its largest step size, {:.1f}, is beyond what one shared layer reaches (about {})",
                            star.alphas.back(), kReachedByOneLayer);
    return text + ".";
}

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

}  // namespace emergence
