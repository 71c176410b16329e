// Experiment "td": the meaning of the blocks of P and Q, and the update rule that they carry out.

#include "core/experiments/in_context_td/block_places.h"
#include "core/experiments/in_context_td/td_study.h"

namespace emergence {
namespace {

std::vector<BlockReference> in_every_layer(const std::string& letter, int row_block, int column_block,
                                           int stored) {
    std::vector<BlockReference> blocks;
    for (int layer = 0; layer < stored; ++layer)
        blocks.push_back({letter + std::to_string(layer), row_block, column_block});
    return blocks;
}

}  // namespace

std::vector<BlockMeaning> in_context_td_meanings(const std::string& matrix, int num_layers) {
    if (matrix[0] == 'P')
        return {{kRewardBlock, kRewardBlock,
                 "+1: reads the last row, which holds the TD errors, and writes there. All else is 0: the "
                 "features stay as they are."}};
    std::vector<BlockMeaning> meanings = {
        {kNowBlock, kNowBlock, "-I times a step size: the current value, -phi"}};
    if (num_layers > 1)
        meanings.push_back({kNowBlock, kNextBlock, "+I times a step size: bootstrapping, +gamma phi'"});
    return meanings;
}

Formula in_context_td_formula(int num_layers, int stored) {
    const std::vector<BlockReference> corner = in_every_layer("P", kRewardBlock, kRewardBlock, stored);
    const std::vector<BlockReference> current = in_every_layer("Q", kNowBlock, kNowBlock, stored);
    const std::vector<BlockReference> next = in_every_layer("Q", kNowBlock, kNextBlock, stored);
    std::vector<BlockReference> both = current;
    both.insert(both.end(), next.begin(), next.end());
    const FormulaTerm step{"alpha/n",
                           "The step size over the number of transitions: P's corner times the size of Q's "
                           "diagonals.",
                           corner};
    const FormulaTerm reward{"R_j", "The reward of transition j, in the prompt's last row.", corner};
    if (num_layers == 1)
        return {"batch TD, one step from 0",
                {{"w_1", "The weights after the only layer, from w_0 = 0.", {}},
                 {"=", "", {}},
                 step,
                 {"sum_j", "Over all transitions of the context.", {}},
                 reward,
                 {"phi_j", "The features of transition j: the direction of its step.", current}},
                "Corollary 1 of Wang et al. 2025 with C = alpha I: from zero there is no value to bootstrap "
                "on yet."};
    return {
        "batch TD",
        {{"w_{l+1}", "The value function's weights after layer l + 1.", {}},
         {"=", "", {}},
         {"w_l", "What the layers before have learned from this prompt; the residual stream keeps it.", {}},
         {"+", "", {}},
         step,
         {"sum_j", "Over all transitions of the context.", {}},
         {"(", "", {}},
         reward,
         {"+", "", {}},
         {"gamma w_l^T phi'_j", "The value of the next state: bootstrapping.", next},
         {"-", "", {}},
         {"w_l^T phi_j", "The value of the current state.", current},
         {")", "", {}},
         {"phi_j", "The features of transition j, the direction of its step: the rows phi of Q.", both}},
        "Theorem 1 of Wang et al. 2025 with C = alpha I: each layer is one step of batch TD on the prompt."};
}

}  // namespace emergence
