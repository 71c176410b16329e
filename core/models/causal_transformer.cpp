#include "core/models/causal_transformer.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/instruction_set.h"
#include "core/base/rng.h"

namespace emergence {

// Each compiled instruction set has its own, see causal_transformer_kernels.cpp.
EMERGENCE_DECLARE_ON_LANES(template <class T>
                           CausalTransformer<T>* make_causal_transformer(const CausalTransformerShape&);)
EMERGENCE_DECLARE_ON_LANES(CausalRollout* make_causal_rollout(const CausalTransformerShape&);)

template <class T>
std::unique_ptr<CausalTransformer<T>> make_causal_transformer(const CausalTransformerShape& shape, InstructionSet set) {
    check_causal_shape(shape);
    return made_on_lanes(EMERGENCE_FLOAT_ON_LANES(T, set, make_causal_transformer<T>(shape)));
}
template std::unique_ptr<CausalTransformer<float>> make_causal_transformer(const CausalTransformerShape&,
                                                                           InstructionSet);
template std::unique_ptr<CausalTransformer<double>> make_causal_transformer(const CausalTransformerShape&,
                                                                            InstructionSet);

std::unique_ptr<CausalRollout> make_causal_rollout(const CausalTransformerShape& shape, InstructionSet set) {
    check_causal_shape(shape);
    return made_on_lanes(EMERGENCE_ON_LANES(set, make_causal_rollout(shape)));
}

void check_causal_shape(const CausalTransformerShape& s) {
    if (s.arms < 2 || s.d < 1 || s.rounds < 1 || s.width < 1 || s.layers < 1 || s.hidden < 1)
        throw InputError("transformer: at least two arms and one of everything else are needed");
    if (s.heads < 1 || s.width % s.heads != 0)
        throw InputError("heads: {} does not divide width = {}", s.heads, s.width);
}

std::vector<NamedBlock> causal_transformer_blocks(const CausalTransformerShape& s) {
    std::vector<NamedBlock> blocks;
    size_t offset = 0;
    const auto add = [&](const std::string& name, int rows, int columns) {
        blocks.push_back({name, rows, columns, offset});
        offset += blocks.back().size();
    };
    add("W_token", s.width, s.features());
    add("W_actions", s.width, s.arms * s.d);
    add("positions", s.width, s.rounds);
    for (int l = 0; l < s.layers; ++l) {
        const std::string number = std::to_string(l);
        const auto add_norm = [&](const std::string& name) {
            add(name + "_gain" + number, s.width, 1);
            add(name + "_bias" + number, s.width, 1);
        };
        add_norm("norm1");
        for (const char* name : {"W_q", "W_k", "W_v", "W_o"}) add(name + number, s.width, s.width);
        add_norm("norm2");
        add("W_1_" + number, s.hidden, s.width);
        add("b_1_" + number, s.hidden, 1);
        add("W_2_" + number, s.width, s.hidden);
        add("b_2_" + number, s.width, 1);
    }
    add("norm_gain", s.width, 1);
    add("norm_bias", s.width, 1);
    add("W_out", s.arms, s.width);
    add("b_out", s.arms, 1);
    return blocks;
}

std::vector<float> initial_causal_weights(const CausalTransformerShape& shape, uint64_t seed) {
    const auto blocks = causal_transformer_blocks(shape);
    std::vector<float> weights;
    weights.reserve(shape.num_weights());
    for (size_t b = 0; b < blocks.size(); ++b) {
        const NamedBlock& block = blocks[b];
        const bool gain = block.name.find("gain") != std::string::npos;
        if (block.columns == 1) {
            weights.insert(weights.end(), block.size(), gain ? 1.0F : 0.0F);
            continue;
        }
        double deviation = 1.0 / std::sqrt(static_cast<double>(block.columns));
        if (block.name.starts_with("W_o") || block.name.starts_with("W_2")) deviation /= std::sqrt(2.0 * shape.layers);
        if (block.name == "W_token") deviation = 0.3;
        if (block.name == "W_actions" || block.name == "positions") deviation = 0.02;
        Stream stream(seed, Purpose::initial_weights, static_cast<uint32_t>(b));
        for (size_t i = 0; i < block.size(); ++i) weights.push_back(static_cast<float>(deviation * stream.normal()));
    }
    return weights;
}

}  // namespace emergence
