// Pictures of experiment "construction": the matrices with the meaning of their blocks, the update, and the value
// error.
#include <fmt/format.h>

#include <limits>

#include "core/base/statistics.h"
#include "core/experiments/in_context_td/construction.h"
#include "core/experiments/in_context_td/settings/td_settings.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/shown_matrix.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

using Eigen::MatrixXd;

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
            "row i, column j up to i: {}^(i-j), how much of transition j remains in the trace of transition i",
            config.textbook_trace ? "(\u03b3\u03bb)" : "\u03bb");
    return "1 on the diagonal: each transition counts only for itself";
}

}  // namespace

void add_construction_matrices(const ConstructionConfig& config, const std::vector<LayerMatrices>& prompts,
                               Snapshot& snapshot) {
    const auto add = [&](const char* name, const char* help, const std::vector<Block>& rows,
                         const std::vector<Block>& columns, std::vector<BlockMeaning> meanings, const auto& values) {
        ShownMatrix matrix(name, std::string(name) + " as constructed", help);
        matrix.rows(rows).columns(columns).meanings(std::move(meanings)).as_is("constructed as in the proof");
        std::vector<Table> tables;
        for (const LayerMatrices& prompt : prompts) tables.push_back(table_of(values(prompt)));
        for (const Table& table : tables) matrix.seed(table, table);
        snapshot.matrices.push_back(matrix);
        return tables;
    };
    const bool average = config.algorithm == BatchAlgorithm::average_reward_td;
    std::vector<Block> blocks = prompt_blocks(config.d, !average);
    if (average) blocks.push_back({"mem", 1});
    const auto add_weights = [&](const char* name, const char* help, const std::vector<Block>& columns,
                                 std::vector<BlockMeaning> meanings, const auto& values) {
        const std::vector<Table> tables = add(name, help, blocks, columns, std::move(meanings), values);
        const auto rows = static_cast<size_t>(tables[0].rows), across = static_cast<size_t>(tables[0].columns);
        snapshot.weights[name] = stacked(
            tables, {1, rows, across}, [](const Table& table) -> const auto& { return table.values; });
    };
    const HeadMasks masks = head_masks(config);
    const auto add_mask = [&](const char* name, const char* help, std::string entries, const MatrixXd& mask) {
        const std::vector<Block> columns = {{"context", config.n}, {"query", 1}};
        add(name, help, columns, columns,
            {{0, 0, std::move(entries)}, {1, 1, "0: the query is no part of the context"}},
            [&](const LayerMatrices&) { return mask; });
    };
    if (!average) {
        add_weights("P", "What the layer writes: only the last row, which holds the TD errors.", blocks,
                    {{kRewardBlock, kRewardBlock, "1: reads the TD errors and writes them back; all other rows stay"}},
                    [](const LayerMatrices& m) { return m.single.P; });
        add_weights("Q", "What the layer compares. Its blocks hold C_l.", blocks, query_meanings(config),
                    [](const LayerMatrices& m) { return m.single.Q; });
        add_mask("M", "The mask: which transition (row) counts for which (column).", mask_meaning(config),
                 masks.memory);
        return;
    }
    add_weights("P_R", "What the reward head passes on: the rewards.", blocks,
                {{kRewardBlock, kRewardBlock, "1: reads the rewards"}},
                [](const LayerMatrices& m) { return m.heads.P_reward; });
    add_weights("P_mem", "What the memory head passes on: the memory, which holds value differences.", blocks,
                {{kMemoryBlock, kMemoryBlock, "1: reads the memory"}},
                [](const LayerMatrices& m) { return m.heads.P_memory; });
    add_weights("Q", "What both heads compare. Their blocks hold C_l.", blocks, query_meanings(config),
                [](const LayerMatrices& m) { return m.heads.Q; });
    add_weights("W", "Joins the heads: columns of the reward head, then of the memory head.", both_of(blocks, blocks),
                {{kMemoryBlock, kRewardBlock, "1: the reward head's rewards are added to the memory"},
                 {kMemoryBlock, 4 + kMemoryBlock, "1: so is what the memory head passes on"}},
                [](const LayerMatrices& m) { return m.heads.W; });
    add_mask("M_R", "The reward head's mask. It subtracts the mean reward so far from each reward.",
             "1 on the diagonal, minus 1/(j+1) on and above it in column j: R_j - m_j", masks.reward);
    add_mask("M_mem", "The memory head's mask.", mask_meaning(config), masks.memory);
}

// ---- the update of a constructed layer; each term names the blocks that compute it

namespace {

using Blocks = std::vector<BlockReference>;

// An algorithm's name, the theorem with its construction, and the parts of its update as they are written: the reward,
// the value of the next state, and the direction of transition j's step.
struct AlgorithmText {
    const char *name, *theorem, *reward, *next, *direction;
};
// In the order of BatchAlgorithm.
constexpr AlgorithmText kAlgorithmTexts[] = {
    {"batch TD", "Theorem 1, Eqs. (7) and (8)", "R_j", "gamma w_l^T phi'_j", "phi_j"},
    {"residual gradient", "Corollary 2, Eqs. (12) and (13)", "R_j", "gamma w_l^T phi'_j", "( phi_j - gamma phi'_j )"},
    {"TD(lambda)", "Corollary 3, Eq. (14)", "R_j", "gamma w_l^T phi'_j", "e_j"},
    {"average-reward TD", "Theorem 3, Eqs. (15) to (18)", "R_j - m_j", "w_l^T phi'_j", "phi_j"}};

Formula step_formula(BatchAlgorithm algorithm) {
    const AlgorithmText& text = kAlgorithmTexts[static_cast<size_t>(algorithm)];
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
             {"C_l", "The preconditioner. Q's blocks hold its transpose.",
              both_of(along_phi, both_of(current_2, next_2))},
             {"sum_j", "Sums over all transitions of the context; the query is masked.", context},
             {"R_j", "The reward of transition j.", reward},
             {"m_j", "The mean reward so far, which the reward head's mask computes.", {{"M_R", 0, 0}}},
             {text.next, "The value of the next state: bootstrapping.", both_of(next, next_2)},
             {"w_l^T phi_j", "The value of the current state.", both_of(current, current_2)},
             {"e_j", "The trace: the features of earlier transitions, fading with age.", both_of(along_phi, context)},
             {"phi_j",
              residual ? "Along the features of transition j: the rows phi of Q." : "The features of transition j.",
              along_phi},
             {"gamma phi'_j",
              "Against the features of the next state: the rows gamma phi' of Q, which make this a true gradient.",
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
                      {decay, "How fast the trace fades. The mask holds its powers.", traces},
                      {"e_{j-1}", "The trace of the previous transition.", traces},
                      {"phi_j", "The features of transition j: the mask's diagonal.", traces}}),
             config.textbook_trace ? "Sutton and Barto's trace." : "The trace of Wang et al. 2025, without gamma."});
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

// The layers at which prompts have settled.
Summary settled_layers(const ConstructionConfig& config, const std::vector<LayerErrors>& prompts) {
    std::vector<double> layers;
    for (const LayerErrors& prompt : prompts)
        if (const auto layer = settled_layer(prompt.transformer, prompt.fixed_point, config.tolerance))
            layers.push_back(*layer);
    return summarise(layers, true);
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
    double best = kMissing, least = std::numeric_limits<double>::infinity();
    for (size_t l = 0; l < rows.front().size(); ++l)
        if (const double median = summarise(rows, l).median; median < least) {
            best = static_cast<double>(l);
            least = median;
        }
    return best;
}

bool settles_for_most(const Summary& settled, const std::vector<LayerErrors>& prompts) {
    return 2 * static_cast<size_t>(settled.count) > prompts.size();
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
    const std::vector<double> x = numbered_points(prompts.front().transformer.size());
    if (x.empty()) return plot;
    const auto add = [&](const char* name, int color, const auto& row) {
        std::vector<std::vector<double>> rows;
        for (const LayerErrors& prompt : prompts) rows.push_back(row(prompt));
        plot.line(name, x, std::move(rows)).color(color).dashed(color > 0);
    };
    // Adds a horizontal line. An error that is not finite would lie beyond the axis, so it is not drawn.
    const auto add_level = [&](const char* name, int color, double LayerErrors::*of) {
        add(name, color, [&](const LayerErrors& prompt) { return std::vector<double>(x.size(), prompt.*of); });
    };
    add("transformer", 0, [](const LayerErrors& prompt) { return prompt.transformer; });
    add("algorithm", 1, [](const LayerErrors& prompt) { return prompt.algorithm; });
    add_level("algorithm's fixed point", 2, &LayerErrors::fixed_point);
    add_level("best linear", 3, &LayerErrors::best_linear);
    add_level("predict zero", 4, &LayerErrors::zero);
    const Summary settled = settled_layers(config, prompts);
    if (settles_for_most(settled, prompts)) {
        plot.mark("more layers stop helping", settled.median);
        plot.readout(
            fmt::format("{} of {} prompts come within {:g} % of their least value error, the median one at "
                        "layer {:g}",
                        settled.count, prompts.size(), 100 * config.tolerance, settled.median));
    } else {
        plot.readout(fmt::format("after {} layers, the value errors of {} of {} prompts have settled", x.size() - 1,
                                 settled.count, prompts.size()));
        const Summary contraction = over_prompts(prompts, &LayerErrors::contraction);
        if (contraction.count > 0 && contraction.median > 1.0)
            plot.spec().readout += fmt::format(": it diverges, by a factor of {:.3g} a layer", contraction.median);
    }
    plot.note(
        "Mean squared value error after each layer; for average reward up to a constant. Dashed: the algorithm after "
        "as many steps, and its fixed point (for TD(0) that of LSTD). Vertical line (ours): from this layer on, the "
        "median prompt's error stays within the tolerance of its limit.");
    return plot;
}

std::vector<Scalar> construction_scalars(const ConstructionConfig& config, const std::vector<LayerErrors>& prompts) {
    if (prompts.front().transformer.empty()) return {};
    const Summary settled = settled_layers(config, prompts);
    std::vector<Scalar> scalars;
    if (settles_for_most(settled, prompts))
        scalars.push_back({"settled_layer", "more layers stop helping at", settled.median, "layers",
                           "The first layer from which the value error stays within the tolerance of its limit, the "
                           "error at the algorithm's fixed point (our rule). Median over these prompts."});
    const Fraction at_limit = fraction(settled.count, static_cast<int>(prompts.size()));
    scalars.push_back(
        {"settled_prompts", "share of prompts at their limit", at_limit.value,
         fmt::format("({:.2f} to {:.2f})", at_limit.low, at_limit.high),
         "The share of prompts whose value error is within the tolerance of its limit, with a 95 % interval."});
    scalars.push_back(
        {"best_layer", "least error at", best_layer(prompts), "layers",
         "The layer with the median prompt's least value error. The fixed point can be worse than an earlier step."});
    const Summary contraction = over_prompts(prompts, &LayerErrors::contraction);
    if (contraction.count > 0)
        scalars.push_back(
            {"contraction", "contraction a layer", contraction.median, "",
             "Largest absolute eigenvalue of I - C A, for steps w + C (b - A w). Below 1 layers converge."});
    return scalars;
}

}  // namespace emergence
