#include "core/models/network_windows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/instruction_set.h"
#include "core/base/rng.h"

namespace emergence {

Activation activation_named(const std::string& name, const std::string& what) {
    static const std::vector<std::string> names = {"identity", "softmax", "softmax_columns", "relu", "elu", "tanh"};
    for (size_t i = 0; i < names.size(); ++i)
        if (names[i] == name) return static_cast<Activation>(i);
    throw InputError("{}: '{}' is not one of {}", what, name, fmt::join(names, ", "));
}

// Each compiled instruction set has its own, see network_kernels.cpp.
EMERGENCE_DECLARE_ON_LANES(template <class T>
                           WindowValues<T>* make_network_windows(const NetworkShape&, const PhasedLayout&);)
EMERGENCE_DECLARE_ON_LANES(NetworkPrompts* make_network_prompts(const NetworkShape&);)

void check_network_shape(const NetworkShape& shape, const PhasedLayout& layout) {
    check(shape.d >= 1 && 2 * shape.d + 1 <= kMaxRows, "feature dimension");
    check(shape.layers >= 1 && shape.layers <= kMaxLayers, "number of layers");
    check(shape.model == Model::rnn || shape.stored == 1 || shape.stored == shape.layers,
          "stored layers are one or all");
    check(shape.width >= 1, "width of a recurrent layer");
    check(shape.context_length >= 1, "context length");
    check(!shape.is_masked() || shape.activation == Activation::identity, "masks of linear attention");
    check(shape.model != Model::two_heads || (shape.stored == 1 && shape.mask == Mask::td), "two heads share layers");
    check(!shape.learns_lambda || shape.mask == Mask::td_lambda, "a mask with lambda");
    check(!(shape.learns_W || shape.shares_Q) || shape.model == Model::two_heads, "W and one Q join two heads");
    check(shape.context_length == layout.context_length && layout.batch >= 1, "minibatch of this network");
}

template <class T>
std::unique_ptr<WindowValues<T>> make_network_windows(const NetworkShape& shape, const PhasedLayout& layout,
                                                      InstructionSet set) {
    check_network_shape(shape, layout);
    return made_on_lanes(EMERGENCE_FLOAT_ON_LANES(T, set, make_network_windows<T>(shape, layout)));
}
template std::unique_ptr<WindowValues<float>> make_network_windows(const NetworkShape&, const PhasedLayout&,
                                                                   InstructionSet);
template std::unique_ptr<WindowValues<double>> make_network_windows(const NetworkShape&, const PhasedLayout&,
                                                                    InstructionSet);

std::unique_ptr<NetworkPrompts> make_network_prompts(const NetworkShape& shape) {
    check_network_shape(shape, PhasedLayout::of(shape.context_length, 1));
    check(!shape.is_masked(), "values of masked networks are linear in the query");
    return made_on_lanes(EMERGENCE_ON_LANES(instruction_set(), make_network_prompts(shape)));
}

std::vector<NamedBlock> network_blocks(const NetworkShape& shape) {
    std::vector<NamedBlock> blocks;
    size_t offset = 0;
    const auto add = [&](const std::string& name, int rows, int columns) {
        blocks.push_back({name, rows, columns, offset});
        offset += blocks.back().size();
    };
    if (shape.model == Model::attention) {
        for (const char* matrix : {"P", "Q"})
            for (int l = 0; l < shape.stored; ++l) add(matrix + std::to_string(l), shape.rows(), shape.rows());
        if (shape.learns_lambda) add("lambda", 1, 1);
        return blocks;
    }
    if (shape.model == Model::two_heads) {
        for (const char* matrix : {"P1", shape.shares_Q ? "Q12" : "Q1", "P2"}) add(matrix, shape.rows(), shape.rows());
        if (!shape.shares_Q) add("Q2", shape.rows(), shape.rows());
        if (shape.learns_W) add("W", shape.rows(), 2 * shape.rows());
        return blocks;
    }
    for (int l = 0; l < shape.layers; ++l) {
        add("W_ax" + std::to_string(l), shape.width, l == 0 ? shape.rows() : shape.width);
        add("W_aa" + std::to_string(l), shape.width, shape.width);
        add("b_a" + std::to_string(l), shape.width, 1);
    }
    add("W_o", 1, shape.width);
    return blocks;
}

WindowNetwork make_rnn(const NetworkShape& shape, const PhasedLayout& layout, uint64_t seed) {
    WindowNetwork network;
    network.values = make_network_windows<float>(shape, layout);
    network.blocks = network_blocks(shape);
    const double bound = 1.0 / std::sqrt(static_cast<double>(shape.width));
    for (size_t b = 0; b < network.blocks.size(); ++b) {
        Stream stream(seed, Purpose::initial_weights, static_cast<uint32_t>(b));
        for (size_t i = 0; i < network.blocks[b].size(); ++i)
            network.initial_weights.push_back(static_cast<float>(stream.uniform(-bound, bound)));
    }
    return network;
}

double network_windows_bytes(const NetworkShape& shape, const PhasedLayout& layout) {
    const double rows = shape.rows(), columns = shape.columns(), width = shape.width;
    const double a_prompt = shape.model == Model::rnn ? columns * (rows + shape.layers * width)
                                                      : shape.layers * columns * (3 * rows + columns + 1);
    return a_prompt * 16 * (layout.phases + 1) * sizeof(float);
}

}  // namespace emergence
