// Checks that settings of experiment "td" agree with each other.
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/experiments/in_context_td/seed/start_weights.h"
#include "core/experiments/in_context_td/seed/td_banks.h"
#include "core/experiments/in_context_td/settings/td_network.h"
#include "core/experiments/in_context_td/surgery/surgery.h"
#include "core/experiments/in_context_td/world/own_world.h"
#include "core/experiments/in_context_td/world/world_folder.h"
#include "core/files/text.h"
#include "core/models/network_shape.h"
#include "core/models/network_windows.h"

namespace emergence {
namespace {

void check_tasks(const InContextTdConfig& c) {
    const TaskOptions& t = c.tasks;
    if (t.kind == TaskKind::files) check_worlds(c);
    if (t.kind == TaskKind::cart_pole && t.representable)
        throw InputError("representable: task = cart_pole has no exact values. Set it to false.");
    if (t.kind == TaskKind::loop && t.min_states > t.num_states)
        throw InputError(
            fmt::format("loop_min_states: {} is more than num_states = {}. Lower it.", t.min_states, t.num_states));
    if (t.kind == TaskKind::loop && t.min_states == 1)
        throw InputError("loop_min_states: a loop has at least 2 states. Set 2 or more, or 0 for always num_states.");
    if (t.min_threshold > t.max_threshold)
        throw InputError(fmt::format("loop_min_threshold: {} is more than loop_max_threshold = {}. Lower it.",
                                     t.min_threshold, t.max_threshold));
    if (c.update_each_prompt && (c.loss.kind == LossKind::td_lambda || c.loss.kind == LossKind::monte_carlo))
        throw InputError(fmt::format("updates: the returns of loss = {} look further than one prompt. Set minibatch.",
                                     loss_names()[static_cast<size_t>(c.loss.kind)]));
}

void check_losses(const InContextTdConfig& c) {
    InContextTdConfig one = c;
    one.more_losses = "";
    for (const LossKind kind : losses_in_turn(c)) {
        one.loss.kind = kind;
        if (kind == LossKind::average_reward && !c.more_losses.empty())
            throw InputError(
                "more_losses: average_reward has other values than the other losses. Train it in a run of its own.");
        check_tasks(one);
    }
}

// What masks of traces and two heads do not have.
void check_masks(const InContextTdConfig& c) {
    if (!has_masks(c)) return;
    const bool heads = c.model == "two_heads";
    const std::string network = heads ? "model = two_heads" : "mask = td_lambda";
    if (heads && c.sequential)
        throw InputError("sequential: all layers of model = two_heads share their weights. Set it to false.");
    for (const auto& [field, used] : {std::pair{"surgery", heads && !c.surgery.empty()},
                                      {"more_losses", !c.more_losses.empty()}})
        if (used) throw InputError(fmt::format("{}: is not made for {}. Set it to nothing.", field, network));
}

void check_network(const InContextTdConfig& c) {
    check_masks(c);
    const NetworkShape shape = network_shape(c);
    if (c.eval_extra_layers > 0 && !shares_layers(shape))
        throw InputError(
            fmt::format("eval_extra_layers: {} further layers have no weights, since each layer has its own. Set 0.",
                        c.eval_extra_layers));
    if (is_linear(shape)) return;
    const double bytes =
        c.seeds * network_windows_bytes(
                      shape, PhasedLayout::of(c.context_length,
                                              MultiTaskTd::update_batch(training_options(c, training_worlds(c)))));
    if (bytes > kMostRunBytes)
        throw InputError(fmt::format(
            "n: a network that is not linear takes {:.1f} GB with n = {}, num_layers = {}, minibatch_size = {} and "
            "seeds = {}, more than {:.2f} GB. Lower one of them.",
            bytes / 1e9, c.context_length, c.num_layers, c.minibatch_size, c.seeds, kMostRunBytes / 1e9));
}

}  // namespace

void check_td(const InContextTdConfig& c) {
    if (c.num_layers + c.eval_extra_layers > kMaxLayers)
        throw InputError(fmt::format("eval_extra_layers: {} and num_layers = {} are more than {} layers. Lower one.",
                                     c.eval_extra_layers, c.num_layers, kMaxLayers));
    check_losses(c);
    check_network(c);
    if (looks_inside(c)) td_world(c, own_world(c).get());
    check_start(c);
    check_surgery(c);
}

}  // namespace emergence
