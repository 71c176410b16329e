// The constructed matrices with their names, and the meaning of their blocks in theory.
#include <fmt/format.h>

#include <functional>

#include "core/experiments/in_context_td/block_places.h"
#include "core/experiments/in_context_td/construction/construction_pictures.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/shown_matrix.h"

namespace emergence {
namespace {

using Eigen::MatrixXd;

struct Constructed {
    std::string name, help;
    std::vector<Block> rows, columns;
    std::vector<BlockMeaning> meanings;
    std::function<const MatrixXd&(const ConstructedMatrices&)> of;
};

std::vector<Block> twice(std::vector<Block> blocks) {
    const std::vector<Block> once = blocks;
    blocks.insert(blocks.end(), once.begin(), once.end());
    return blocks;
}

std::vector<BlockMeaning> query_meanings(const ConstructionConfig& config) {
    std::vector<BlockMeaning> meanings = {
        {kNowBlock, kNowBlock, "-C_l': the current value, -\u03c6, along \u03c6"},
        {kNowBlock, kNextBlock, "+C_l': bootstrapping, the next state's value, along \u03c6"}};
    if (config.algorithm == BatchAlgorithm::residual_gradient) {
        meanings.push_back({kNextBlock, kNowBlock,
                            "+C_l': the current value along -\u03b3\u03c6', the gradient's other half"});
        meanings.push_back({kNextBlock, kNextBlock, "-C_l': the next state's value along -\u03b3\u03c6'"});
    }
    return meanings;
}

std::string mask_meaning(const ConstructionConfig& config) {
    if (config.algorithm == BatchAlgorithm::td_lambda)
        return fmt::format(
            "row i, column j <= i: {}^(i-j), the trace that transition i has of the features "
            "of transition j",
            config.textbook_trace ? "(\u03b3\u03bb)" : "\u03bb");
    return "1 on the diagonal: every transition counts for itself alone";
}

std::vector<Constructed> single_head(const ConstructionConfig& config) {
    const std::vector<Block> blocks = prompt_blocks(config.d);
    const std::vector<Block> columns = {{"context", config.n}, {"query", 1}};
    return {
        {"P",
         "What the layer writes: the last row only, which holds the TD errors.",
         blocks,
         blocks,
         {{kRewardBlock, kRewardBlock, "1: reads the TD errors, and writes there; all else stays as it is"}},
         [](const auto& m) -> const MatrixXd& { return m.layer.single.P; }},
        {"Q", "What the layer compares, with its C_l in the blocks.", blocks, blocks, query_meanings(config),
         [](const auto& m) -> const MatrixXd& { return m.layer.single.Q; }},
        {"M",
         "The mask: which transition (row) counts for which (column).",
         columns,
         columns,
         {{0, 0, mask_meaning(config)}, {1, 1, "0: the query is no part of the context"}},
         [](const auto& m) -> const MatrixXd& { return m.masks.memory; }}};
}

std::vector<Constructed> two_heads(const ConstructionConfig& config) {
    const std::vector<Block> blocks = {{"\u03c6", config.d}, {"\u03c6'", config.d}, {"R", 1}, {"mem", 1}};
    const std::vector<Block> columns = {{"context", config.n}, {"query", 1}};
    return {{"P_R",
             "What the reward head passes on: rewards.",
             blocks,
             blocks,
             {{kRewardBlock, kRewardBlock, "1: reads the rewards"}},
             [](const auto& m) -> const MatrixXd& { return m.layer.heads.P_reward; }},
            {"P_mem",
             "What the memory head passes on: the memory, which holds value differences.",
             blocks,
             blocks,
             {{kMemoryBlock, kMemoryBlock, "1: reads the memory"}},
             [](const auto& m) -> const MatrixXd& { return m.layer.heads.P_memory; }},
            {"Q", "What both heads compare, with C_l in the blocks.", blocks, blocks, query_meanings(config),
             [](const auto& m) -> const MatrixXd& { return m.layer.heads.Q; }},
            {"W",
             "Joins the heads: columns of the reward head, then of the memory head.",
             blocks,
             twice(blocks),
             {{kMemoryBlock, kRewardBlock, "1: the reward head's rewards are added to the memory"},
              {kMemoryBlock, 4 + kMemoryBlock, "1: so is what the memory head passes on"}},
             [](const auto& m) -> const MatrixXd& { return m.layer.heads.W; }},
            {"M_R",
             "The reward head's mask: takes the mean of the rewards so far off each reward.",
             columns,
             columns,
             {{0, 0, "1 on the diagonal, less 1/(j+1) at and above it in column j: R_j - m_j"},
              {1, 1, "0: the query is no part of the context"}},
             [](const auto& m) -> const MatrixXd& { return m.masks.reward; }},
            {"M_mem",
             "The memory head's mask.",
             columns,
             columns,
             {{0, 0, "1 on the diagonal: every transition counts for itself alone"},
              {1, 1, "0: the query is no part of the context"}},
             [](const auto& m) -> const MatrixXd& { return m.masks.memory; }}};
}

std::vector<Constructed> constructed(const ConstructionConfig& config) {
    return config.algorithm == BatchAlgorithm::average_reward_td ? two_heads(config) : single_head(config);
}

}  // namespace

std::vector<NamedMatrix> construction_matrices(const ConstructionConfig& config,
                                               const std::vector<ConstructedMatrices>& prompts) {
    std::vector<NamedMatrix> matrices;
    for (const Constructed& each : constructed(config)) {
        ShownMatrix matrix(each.name, each.name + " as constructed", each.help);
        matrix.rows(each.rows).columns(each.columns).meanings(each.meanings);
        matrix.as_is("constructed: as the proof has it");
        for (const ConstructedMatrices& prompt : prompts)
            matrix.seed(table_of(each.of(prompt)), table_of(each.of(prompt)));
        matrices.push_back(matrix);
    }
    return matrices;
}

ArrayMap construction_weights(const ConstructionConfig& config,
                              const std::vector<ConstructedMatrices>& prompts) {
    ArrayMap arrays;
    for (const Constructed& each : constructed(config)) {
        if (each.name[0] == 'M') continue;
        const Eigen::MatrixXd first = each.of(prompts.front());
        arrays[each.name] =
            stacked(prompts, {1, static_cast<size_t>(first.rows()), static_cast<size_t>(first.cols())},
                    [&each](const ConstructedMatrices& prompt) { return table_of(each.of(prompt)).values; });
    }
    return arrays;
}

}  // namespace emergence
