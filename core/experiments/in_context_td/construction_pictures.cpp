// The constructed matrices with their names, and the meaning of their blocks in theory.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/statistics.h"
#include "core/experiments/in_context_td/construction.h"
#include "core/experiments/in_context_td/settings/td_settings.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/shown_matrix.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

using Eigen::MatrixXd;

struct Constructed {
    std::string name, help;
    std::vector<Block> rows, columns;
    std::vector<BlockMeaning> meanings;
    MatrixXd values;
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
            "row i, column j up to i: {}^(i-j), the trace that transition i has of the features of transition j",
            config.textbook_trace ? "(\u03b3\u03bb)" : "\u03bb");
    return "1 on the diagonal: every transition counts for itself alone";
}

std::vector<Constructed> single_head(const ConstructionConfig& config, const ConstructedMatrices& m) {
    const std::vector<Block> blocks = prompt_blocks(config.d);
    const std::vector<Block> columns = {{"context", config.n}, {"query", 1}};
    return {{"P",
             "What the layer writes: the last row only, which holds the TD errors.",
             blocks,
             blocks,
             {{kRewardBlock, kRewardBlock, "1: reads the TD errors, and writes there; all else stays as it is"}},
             m.layer.single.P},
            {"Q", "What the layer compares, with its C_l in the blocks.", blocks, blocks, query_meanings(config),
             m.layer.single.Q},
            {"M",
             "The mask: which transition (row) counts for which (column).",
             columns,
             columns,
             {{0, 0, mask_meaning(config)}, {1, 1, "0: the query is no part of the context"}},
             m.masks.memory}};
}

std::vector<Constructed> two_heads(const ConstructionConfig& config, const ConstructedMatrices& m) {
    const std::vector<Block> blocks = {{"\u03c6", config.d}, {"\u03c6'", config.d}, {"R", 1}, {"mem", 1}};
    const std::vector<Block> columns = {{"context", config.n}, {"query", 1}};
    return {{"P_R",
             "What the reward head passes on: rewards.",
             blocks,
             blocks,
             {{kRewardBlock, kRewardBlock, "1: reads the rewards"}},
             m.layer.heads.P_reward},
            {"P_mem",
             "What the memory head passes on: the memory, which holds value differences.",
             blocks,
             blocks,
             {{kMemoryBlock, kMemoryBlock, "1: reads the memory"}},
             m.layer.heads.P_memory},
            {"Q", "What both heads compare, with C_l in the blocks.", blocks, blocks, query_meanings(config),
             m.layer.heads.Q},
            {"W",
             "Joins the heads: columns of the reward head, then of the memory head.",
             blocks,
             twice(blocks),
             {{kMemoryBlock, kRewardBlock, "1: the reward head's rewards are added to the memory"},
              {kMemoryBlock, 4 + kMemoryBlock, "1: so is what the memory head passes on"}},
             m.layer.heads.W},
            {"M_R",
             "The reward head's mask: takes the mean of the rewards so far off each reward.",
             columns,
             columns,
             {{0, 0, "1 on the diagonal, less 1/(j+1) at and above it in column j: R_j - m_j"},
              {1, 1, "0: the query is no part of the context"}},
             m.masks.reward},
            {"M_mem",
             "The memory head's mask.",
             columns,
             columns,
             {{0, 0, "1 on the diagonal: every transition counts for itself alone"},
              {1, 1, "0: the query is no part of the context"}},
             m.masks.memory}};
}

std::vector<Constructed> constructed(const ConstructionConfig& config, const ConstructedMatrices& m) {
    return config.algorithm == BatchAlgorithm::average_reward_td ? two_heads(config, m) : single_head(config, m);
}

}  // namespace

void add_construction_matrices(const ConstructionConfig& config, const std::vector<ConstructedMatrices>& prompts,
                               Snapshot& snapshot) {
    std::vector<std::vector<Constructed>> all;
    for (const ConstructedMatrices& prompt : prompts) all.push_back(constructed(config, prompt));
    for (size_t i = 0; i < all.front().size(); ++i) {
        const Constructed& each = all.front()[i];
        ShownMatrix matrix(each.name, each.name + " as constructed", each.help);
        matrix.rows(each.rows).columns(each.columns).meanings(each.meanings);
        matrix.as_is("constructed: as the proof has it");
        std::vector<Table> tables;
        for (const auto& prompt : all) tables.push_back(table_of(prompt[i].values));
        for (const Table& table : tables) matrix.seed(table, table);
        snapshot.matrices.push_back(matrix);
        if (each.name[0] == 'M') continue;  // a mask is no weight
        const auto rows = static_cast<size_t>(tables[0].rows), columns = static_cast<size_t>(tables[0].columns);
        snapshot.weights[each.name] = stacked(
            tables, {1, rows, columns}, [](const Table& table) -> const auto& { return table.values; });
    }
}

// ---- the update of a constructed layer; each term names the blocks that compute it

namespace {

using Blocks = std::vector<BlockReference>;

Blocks both_of(Blocks first, const Blocks& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

// What an algorithm is called, where its construction stands, and its update in writing: the reward, the value of the
// next state, and the direction of transition j's step.
struct AlgorithmText {
    const char *name, *theorem, *reward, *next, *direction;
};
const AlgorithmText& algorithm_text(BatchAlgorithm algorithm) {
    static const AlgorithmText td = {"batch TD", "Theorem 1, Eqs. (7) and (8)", "R_j", "gamma w_l^T phi'_j", "phi_j"},
                               residual = {"residual gradient", "Corollary 2, Eqs. (12) and (13)", "R_j",
                                           "gamma w_l^T phi'_j", "( phi_j - gamma phi'_j )"},
                               traces = {"TD(lambda)", "Corollary 3, Eq. (14)", "R_j", "gamma w_l^T phi'_j", "e_j"},
                               average = {"average-reward TD", "Theorem 3, Eqs. (15) to (18)", "R_j - m_j",
                                          "w_l^T phi'_j", "phi_j"};
    return algorithm == BatchAlgorithm::residual_gradient   ? residual
           : algorithm == BatchAlgorithm::td_lambda         ? traces
           : algorithm == BatchAlgorithm::average_reward_td ? average
                                                            : td;
}

Formula step_formula(BatchAlgorithm algorithm) {
    const AlgorithmText& text = algorithm_text(algorithm);
    const bool average = algorithm == BatchAlgorithm::average_reward_td,
               residual = algorithm == BatchAlgorithm::residual_gradient;
    // The TD error's current and next value, along phi and, for residual gradient, along -gamma phi'.
    const Blocks current = {{"Q", 0, 0}}, next = {{"Q", 0, 1}};
    const Blocks current_2 = residual ? Blocks{{"Q", 1, 0}} : Blocks(),
                 next_2 = residual ? Blocks{{"Q", 1, 1}} : Blocks();
    const Blocks reward = average ? Blocks{{"P_R", 2, 2}, {"W", 3, 2}} : Blocks{{"P", 2, 2}};
    const Blocks memory = average ? Blocks{{"P_mem", 3, 3}, {"W", 3, 7}} : reward;
    const Blocks context = {{average ? "M_mem" : "M", 0, 0}};
    const Blocks along_phi = both_of(current, next);
    return {
        text.name,
        written(
            fmt::format("w_{{l+1}} = w_l + 1/n C_l sum_j ( {} + {} - w_l^T phi_j ) {}", text.reward, text.next,
                        text.direction),
            {{"w_{l+1}", "The value function's weights after layer l + 1.", {}},
             {"w_l", "What the layers before have learned from this prompt; the residual stream keeps it.", memory},
             {"1/n", "The layer divides by the number of transitions.", {}},
             {"C_l", "The preconditioner: its transpose stands in Q's blocks.",
              both_of(along_phi, both_of(current_2, next_2))},
             {"sum_j", "Over all transitions of the context, the query masked.", context},
             {"R_j", "The reward of transition j.", reward},
             {"m_j", "The mean of the rewards so far: the reward head's mask.", {{"M_R", 0, 0}}},
             {text.next, "The value of the next state: bootstrapping.", both_of(next, next_2)},
             {"w_l^T phi_j", "The value of the current state.", both_of(current, current_2)},
             {"e_j", "The trace: features of the transitions before it, ever fainter.", both_of(along_phi, context)},
             {"phi_j",
              residual ? "Along the features of transition j: the rows phi of Q." : "The features of transition j.",
              along_phi},
             {"gamma phi'_j",
              "And against those of the next state: the rows gamma phi' of Q, what makes it a true gradient.",
              both_of(current_2, next_2)}}),
        std::string(text.theorem) + " of Wang et al. 2025."};
}

}  // namespace

std::vector<Formula> construction_formulas(const ConstructionConfig& config) {
    std::vector<Formula> formulas = {step_formula(config.algorithm)};
    const Blocks traces = {{"M", 0, 0}}, means = {{"M_R", 0, 0}};
    const char* const decay = config.textbook_trace ? "gamma lambda" : "lambda";
    if (config.algorithm == BatchAlgorithm::td_lambda)
        formulas.push_back(
            {"trace",
             written(fmt::format("e_j = {} e_{{j-1}} + phi_j", decay),
                     {{"e_j", "The trace of transition j.", traces},
                      {decay, "How fast it fades: the mask has its powers.", traces},
                      {"e_{j-1}", "The trace before.", traces},
                      {"phi_j", "The features of transition j: the mask's diagonal.", traces}}),
             config.textbook_trace ? "Sutton and Barto's trace." : "As Wang et al. 2025 have it, without gamma."});
    if (config.algorithm == BatchAlgorithm::average_reward_td)
        formulas.push_back(
            {"mean reward",
             written("m_j = 1/j sum_{i\u2264j} R_i", {{"m_j", "The mean of the rewards up to R_j.", means},
                                                      {"sum_{i\u2264j}", "Over the transitions so far.", means},
                                                      {"R_i", "The rewards.", {{"P_R", 2, 2}}}}),
             "Eq. (17): the reward head's mask centres the rewards."});
    return formulas;
}

// ---- Value error against layers, and the layer at which more layers stop helping

namespace {

constexpr double kCutOverZero = 1.25;  // as in other plots of value errors

// A horizontal line, one row per prompt. A diverged error that is not finite is not drawn; it would be beyond
// the axis.
Series reference(const char* name, const std::vector<LayerErrors>& prompts, double LayerErrors::*member,
                 const std::vector<double>& x, int color) {
    Series series{name, x, {}, color, true};
    for (const LayerErrors& prompt : prompts) series.rows.emplace_back(x.size(), prompt.*member);
    return series;
}

struct Settled {
    std::vector<double> layers;  // of the prompts that have settled
    Summary summary;
};

Settled settled_of(const ConstructionConfig& config, const std::vector<LayerErrors>& prompts) {
    Settled settled;
    for (const LayerErrors& prompt : prompts)
        if (const auto layer = settled_layer(prompt.transformer, prompt.fixed_point, config.tolerance))
            settled.layers.push_back(*layer);
    std::vector<double> sorted = settled.layers;
    std::sort(sorted.begin(), sorted.end());
    settled.summary = summarise(sorted, true);
    return settled;
}

Summary over_prompts(const std::vector<LayerErrors>& prompts, double LayerErrors::*member) {
    std::vector<std::vector<double>> rows;
    for (const LayerErrors& prompt : prompts) rows.push_back({prompt.*member});
    return summarise(rows, 0);
}

// The layer with the least median error over prompts.
double best_layer(const std::vector<LayerErrors>& prompts) {
    std::vector<std::vector<double>> rows;
    for (const LayerErrors& prompt : prompts) rows.push_back(prompt.transformer);
    double best = kMissing, least = 0.0;
    for (size_t l = 0; l < rows.front().size(); ++l) {
        const double median = summarise(rows, l).median;
        if (std::isfinite(median) && (!std::isfinite(best) || median < least)) {
            best = static_cast<double>(l);
            least = median;
        }
    }
    return best;
}

bool settles_for_most(const Settled& settled, const std::vector<LayerErrors>& prompts) {
    return 2 * settled.layers.size() > prompts.size();
}

}  // namespace

PlotSpec construction_error_curve(const ConstructionConfig& config, const std::vector<LayerErrors>& prompts) {
    Plot plot("value_error_by_layer", "Value error against layers");
    plot.leads();
    plot.x("layers").whole();
    plot.y("MSVE").from(0.0).cut(kCutOverZero * over_prompts(prompts, &LayerErrors::zero).mean);
    plot.row_word("prompt");
    plot.no_markers();
    for (int64_t k = config.seed; k < config.seed + config.seeds; ++k)
        plot.spec().seeds.push_back(static_cast<uint64_t>(k));
    std::vector<double> x;
    for (size_t l = 0; l < prompts.front().transformer.size(); ++l) x.push_back(static_cast<double>(l));
    if (x.empty()) return plot;
    Series transformer{"transformer", x, {}, 0}, algorithm{"algorithm", x, {}, 1, true};
    for (const LayerErrors& prompt : prompts) {
        transformer.rows.push_back(prompt.transformer);
        algorithm.rows.push_back(prompt.algorithm);
    }
    plot.add(std::move(transformer));
    plot.add(std::move(algorithm));
    plot.add(reference("algorithm's fixed point", prompts, &LayerErrors::fixed_point, x, 2));
    plot.add(reference("best linear", prompts, &LayerErrors::best_linear, x, 3));
    plot.add(reference("predict zero", prompts, &LayerErrors::zero, x, 4));
    const Settled settled = settled_of(config, prompts);
    if (settles_for_most(settled, prompts)) {
        plot.mark("more layers stop helping", settled.summary.median);
        plot.readout(fmt::format("within {:g} % of its limit from layer {:g} on (median prompt; {} of {})",
                                 100 * config.tolerance, settled.summary.median, settled.layers.size(),
                                 prompts.size()));
    } else {
        plot.readout(fmt::format("after {} layers {} of {} prompts are at their limit", x.size() - 1,
                                 settled.layers.size(), prompts.size()));
        const Summary contraction = over_prompts(prompts, &LayerErrors::contraction);
        if (contraction.count > 0 && contraction.median > 1.0)
            plot.spec().readout += fmt::format(": it diverges, by a factor of {:.3g} a layer", contraction.median);
    }
    plot.note(
        "Mean square value error over the states of each prompt's chain, weighted by its stationary distribution, "
        "after each layer; for average reward up to a constant. Dashed: the algorithm after as many steps, the weights "
        "at which its steps come to rest (for TD(0) LSTD's), the best linear prediction, zero. The axis ends at 1.25 "
        "times predict-zero; a prompt with a large error rules the mean: look at medians too. The vertical line is "
        "ours: from that layer on the median prompt's error stays as near its limit as the tolerance says.");
    return plot;
}

std::vector<Scalar> construction_scalars(const ConstructionConfig& config, const std::vector<LayerErrors>& prompts) {
    if (prompts.front().transformer.empty()) return {};
    const Settled settled = settled_of(config, prompts);
    std::vector<Scalar> scalars;
    if (settles_for_most(settled, prompts))
        scalars.push_back({"settled_layer", "more layers stop helping at", settled.summary.median, "layers",
                           "The first layer from which on the value error stays within the tolerance of its limit, the "
                           "error at the algorithm's fixed point, as a share of the distance from predict-zero's; "
                           "median over the prompts that got there, if they are the most (ours)."});
    const Fraction at_limit = fraction(static_cast<int>(settled.layers.size()), static_cast<int>(prompts.size()));
    scalars.push_back(
        {"settled_prompts", "share of prompts at their limit", at_limit.value,
         fmt::format("({:.2f} to {:.2f})", at_limit.low, at_limit.high),
         "The share of prompts whose value error is as near its limit, the error at the algorithm's fixed "
         "point, as the tolerance says (ours). In brackets its 95 % interval."});
    scalars.push_back(
        {"best_layer", "least error at", best_layer(prompts), "layers",
         "The layer after which the median prompt's value error is least: contexts are short, and the fixed "
         "point of few transitions can be worse than the way there."});
    const Summary contraction = over_prompts(prompts, &LayerErrors::contraction);
    if (contraction.count > 0)
        scalars.push_back({"contraction", "contraction a layer", contraction.median, "",
                           "The largest absolute eigenvalue of I - C A, where a step is w + C (b - A w), median "
                           "over prompts: below 1 the layers converge, in the end by this factor each."});
    return scalars;
}

}  // namespace emergence
