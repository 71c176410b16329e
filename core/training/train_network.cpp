#include "core/training/train_network.h"

#include "core/base/check.h"
#include "core/models/network_windows.h"

namespace emergence {

MultiTaskTd train_network(const NetworkShape& shape, const MultiTaskTdOptions& options, uint64_t seed) {
    check(shape.d == options.tasks.d && shape.context_length == options.context_length &&
              shape.layers == options.num_layers,
          "a network of the training's sizes");
    const auto layout = PhasedLayout::of(options.context_length, MultiTaskTd::update_batch(options));
    if (shape.model == Model::rnn) return {options, seed, make_rnn(shape, layout, seed)};
    if (shape.activation == Activation::identity) return {options, seed};
    WindowNetwork network = linear_attention_network(options, seed);
    network.values = make_network_windows<float>(shape, layout);
    return {options, seed, std::move(network)};
}

}  // namespace emergence
