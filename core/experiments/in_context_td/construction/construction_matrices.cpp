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
        meanings.push_back(
            {kNextBlock, kNowBlock, "+C_l': the current value along -\u03b3\u03c6', the gradient's other half"});
        meanings.push_back({kNextBlock, kNextBlock, "-C_l': the next state's value along -\u03b3\u03c6'"});
    }
    return meanings;
}

std::string mask_meaning(const ConstructionConfig& config) {
    if (config.algorithm == BatchAlgorithm::td_lambda)
        return fmt::format(
            "row i, column j up to i: {}^(i-j), the trace that transition i has of the features "
            "of transition j",
            config.textbook_trace ? "(\u03b3\u03bb)" : "\u03bb");
    return "1 on the diagonal: every transition counts for itself alone";
}

std::vector<Constructed> single_head(const ConstructionConfig& config) {
    const std::vector<Block> blocks = prompt_blocks(config.d);
    const std::vector<Block> columns = {{"context", config.n}, {"query", 1}};
    return {{"P",
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

ArrayMap construction_weights(const ConstructionConfig& config, const std::vector<ConstructedMatrices>& prompts) {
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

// Writes the update of a constructed layer term by term; each term names the blocks that compute it.

namespace {

using Blocks = std::vector<BlockReference>;

Blocks both_of(Blocks first, const Blocks& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

// The blocks that compute each part of the update, for all four algorithms.
struct FormulaPlaces {
    // The TD error's current and next value, along phi.
    Blocks current, next;
    // The same along -gamma phi'; residual gradient only.
    Blocks current_2, next_2;
    // The blocks that read the reward; the mask that selects the transitions.
    Blocks reward, context;
};

FormulaPlaces places_of(const ConstructionConfig& config) {
    if (config.algorithm == BatchAlgorithm::average_reward_td)
        return {{{"Q", 0, 0}}, {{"Q", 0, 1}}, {}, {}, {{"P_R", 2, 2}, {"W", 3, 2}}, {{"M_mem", 0, 0}}};
    FormulaPlaces places{{{"Q", 0, 0}}, {{"Q", 0, 1}}, {}, {}, {{"P", 2, 2}}, {{"M", 0, 0}}};
    if (config.algorithm == BatchAlgorithm::residual_gradient) {
        places.current_2 = {{"Q", 1, 0}};
        places.next_2 = {{"Q", 1, 1}};
    }
    return places;
}

// The direction of transition j's step.
std::vector<FormulaTerm> direction_terms(const ConstructionConfig& config, const FormulaPlaces& at) {
    const Blocks along_phi = both_of(at.current, at.next);
    if (config.algorithm == BatchAlgorithm::td_lambda)
        return {
            {"e_j", "The trace: features of the transitions before it, ever fainter.", both_of(along_phi, at.context)}};
    std::vector<FormulaTerm> terms = {{"phi_j", "The features of transition j.", along_phi}};
    if (config.algorithm != BatchAlgorithm::residual_gradient) return terms;
    terms.front() = {"phi_j", "Along the features of transition j: the rows phi of Q.", along_phi};
    terms.insert(terms.begin(), {"(", "", {}});
    terms.push_back({"-", "", {}});
    terms.push_back({"gamma phi'_j",
                     "And against those of the next state: the rows gamma phi' of Q, what makes it a true "
                     "gradient.",
                     both_of(at.current_2, at.next_2)});
    terms.push_back({")", "", {}});
    return terms;
}

std::vector<FormulaTerm> reward_terms(const ConstructionConfig& config, const FormulaPlaces& at) {
    std::vector<FormulaTerm> terms = {{"R_j", "The reward of transition j.", at.reward}};
    if (config.algorithm != BatchAlgorithm::average_reward_td) return terms;
    terms.push_back({"-", "", {}});
    terms.push_back({"m_j", "The mean of the rewards so far: the reward head's mask.", {{"M_R", 0, 0}}});
    return terms;
}

const char* name_of(const ConstructionConfig& config) {
    return config.algorithm == BatchAlgorithm::residual_gradient   ? "residual gradient"
           : config.algorithm == BatchAlgorithm::td_lambda         ? "TD(lambda)"
           : config.algorithm == BatchAlgorithm::average_reward_td ? "average-reward TD"
                                                                   : "batch TD";
}

const char* theorem_of(const ConstructionConfig& config) {
    return config.algorithm == BatchAlgorithm::residual_gradient   ? "Corollary 2, Eqs. (12) and (13)"
           : config.algorithm == BatchAlgorithm::td_lambda         ? "Corollary 3, Eq. (14)"
           : config.algorithm == BatchAlgorithm::average_reward_td ? "Theorem 3, Eqs. (15) to (18)"
                                                                   : "Theorem 1, Eqs. (7) and (8)";
}

Formula step_formula(const ConstructionConfig& config) {
    const FormulaPlaces at = places_of(config);
    const bool average = config.algorithm == BatchAlgorithm::average_reward_td;
    const Blocks memory = average ? Blocks{{"P_mem", 3, 3}, {"W", 3, 7}} : at.reward;
    const Blocks all = both_of(both_of(at.current, at.next), both_of(at.current_2, at.next_2));
    Formula formula{name_of(config), {}, std::string(theorem_of(config)) + " of Wang et al. 2025."};
    auto& terms = formula.terms;
    terms = {{"w_{l+1}", "The value function's weights after layer l + 1.", {}},
             {"=", "", {}},
             {"w_l", "What the layers before have learned from this prompt; the residual stream keeps it.", memory},
             {"+", "", {}},
             {"1/n", "The layer divides by the number of transitions.", {}},
             {"C_l", "The preconditioner: its transpose stands in Q's blocks.", all},
             {"sum_j", "Over all transitions of the context, the query masked.", at.context},
             {"(", "", {}}};
    for (FormulaTerm& term : reward_terms(config, at)) terms.push_back(std::move(term));
    terms.insert(terms.end(), {{"+", "", {}},
                               {average ? "w_l^T phi'_j" : "gamma w_l^T phi'_j",
                                "The value of the next state: bootstrapping.", both_of(at.next, at.next_2)},
                               {"-", "", {}},
                               {"w_l^T phi_j", "The value of the current state.", both_of(at.current, at.current_2)},
                               {")", "", {}}});
    for (FormulaTerm& term : direction_terms(config, at)) terms.push_back(std::move(term));
    return formula;
}

}  // namespace

std::vector<Formula> construction_formulas(const ConstructionConfig& config) {
    std::vector<Formula> formulas = {step_formula(config)};
    const Blocks traces = {{"M", 0, 0}};
    if (config.algorithm == BatchAlgorithm::td_lambda)
        formulas.push_back(
            {"trace",
             {{"e_j", "The trace of transition j.", traces},
              {"=", "", {}},
              {config.textbook_trace ? "gamma lambda" : "lambda", "How fast it fades: the mask has its powers.",
               traces},
              {"e_{j-1}", "The trace before.", traces},
              {"+", "", {}},
              {"phi_j", "The features of transition j: the mask's diagonal.", traces}},
             config.textbook_trace ? "Sutton and Barto's trace." : "As Wang et al. 2025 have it, without gamma."});
    if (config.algorithm == BatchAlgorithm::average_reward_td)
        formulas.push_back({"mean reward",
                            {{"m_j", "The mean of the rewards up to R_j.", {{"M_R", 0, 0}}},
                             {"=", "", {}},
                             {"1/j", "", {}},
                             {"sum_{i\u2264j}", "Over the transitions so far.", {{"M_R", 0, 0}}},
                             {"R_i", "The rewards.", {{"P_R", 2, 2}}}},
                            "Eq. (17): the reward head's mask centres the rewards."});
    return formulas;
}

}  // namespace emergence
