// Checks that settings of experiment "td" agree with each other.
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/experiments/in_context_td/own_world.h"
#include "core/experiments/in_context_td/start_weights.h"
#include "core/experiments/in_context_td/surgery.h"
#include "core/experiments/in_context_td/td_study.h"
#include "core/models/network_limits.h"

namespace emergence {
namespace {

// Limit on the tapes of nonlinear networks, in bytes, for all seeds together.
constexpr double kMostTapeBytes = 2e9;

void check_tasks(const InContextTdConfig& c) {
    if (c.tasks.kind == TaskKind::cart_pole && c.tasks.representable)
        throw InputError(
            "representable: found true, allowed is false for task = cart_pole, which has no exact values");
    if (c.tasks.kind == TaskKind::loop && c.tasks.min_states > c.tasks.num_states)
        throw InputError(fmt::format("loop_min_states: found {}, allowed is at most num_states = {}",
                                     c.tasks.min_states, c.tasks.num_states));
    if (c.tasks.kind == TaskKind::loop && c.tasks.min_states == 1)
        throw InputError("loop_min_states: found 1, allowed is 0 for always num_states, or at least 2");
    if (c.tasks.min_threshold > c.tasks.max_threshold)
        throw InputError(
            fmt::format("loop_min_threshold: found {}, allowed is at most loop_max_threshold = {}",
                        c.tasks.min_threshold, c.tasks.max_threshold));
    if (c.update_each_prompt && (c.loss.kind == LossKind::td_lambda || c.loss.kind == LossKind::monte_carlo))
        throw InputError(
            fmt::format("updates: found prompt, allowed is minibatch for loss = {}, whose returns "
                        "look further than one prompt",
                        loss_names()[static_cast<size_t>(c.loss.kind)]));
}

void check_network(const InContextTdConfig& c) {
    const NetworkShape shape = network_shape(c);
    if (c.eval_extra_layers > 0 && !shares_layers(shape))
        throw InputError(
            fmt::format("eval_extra_layers: found {}, allowed is 0 where each layer has weights of its own",
                        c.eval_extra_layers));
    if (is_linear(shape)) return;
    const double bytes =
        c.seeds *
        network_windows_bytes(
            shape, PhasedLayout::of(c.context_length, MultiTaskTd::update_batch(training_options(c))));
    if (bytes > kMostTapeBytes)
        throw InputError(fmt::format(
            "n: found {}, which with num_layers = {}, minibatch_size = {} and seeds = {} takes {:.1f} "
            "GB for a network that is not linear; allowed are {:.0f} GB",
            c.context_length, c.num_layers, c.minibatch_size, c.seeds, bytes / 1e9, kMostTapeBytes / 1e9));
}

}  // namespace

void check_in_context_td(const Settings& settings) {
    const auto c = config_from<InContextTdConfig>(settings);
    if (c.num_layers + c.eval_extra_layers > kMaxLayers)
        throw InputError(
            fmt::format("eval_extra_layers: found {}, with num_layers = {} at most {} is allowed",
                        c.eval_extra_layers, c.num_layers, kMaxLayers - c.num_layers));
    check_log_interval(settings, "num_mrps");
    check_tasks(c);
    check_network(c);
    if (looks_inside(c)) td_world(c, own_world(c).get());
    check_start(c);
    check_surgery(c);
}

}  // namespace emergence
