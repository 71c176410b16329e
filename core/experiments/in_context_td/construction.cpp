// Experiment "construction": compares constructed transformers with the algorithms that they are proven to implement,
// layer by layer in double (Figure 13 of Wang et al. 2025), and shows at which layer their value error stops falling.
// Nothing is trained. One step is one layer, one seed is one prompt.
#include <fmt/format.h>

#include <limits>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/experiments/common_fields.h"
#include "core/experiments/figure_file.h"
#include "core/experiments/in_context_td/td.h"
#include "core/experiments/logged_seed.h"
#include "core/experiments/stacked.h"
#include "core/experiments/study_of.h"
#include "core/lab/views/run_views.h"
#include "core/measures/construction_errors.h"

namespace emergence {
namespace {

// Every setting of experiment "construction", with the defaults of Figure 13.
struct ConstructionConfig : ConstructionOptions {
    double tolerance = 0.05;
    int64_t seed = 0;
    int seeds = 30;

    void fields(Fields& f) {
        f.group("model");
        f.choice(algorithm, words_of<BatchAlgorithm>({"td", "residual_gradient", "td_lambda", "average_reward_td"}),
                 "algorithm", "algorithm",
                 "TD(0) is Theorem 1 of Wang et al. 2025, residual gradient Corollary 2, "
                 "TD(\u03bb) Corollary 3, average-reward TD Theorem 3.")
            .called({{"td", "TD"}, {"td_lambda", "TD(\u03bb)"}, {"average_reward_td", "average-reward TD"}});
        f(lambda, "lambda", "\u03bb", "Decay of TD(\u03bb)'s trace.")
            .range(0, 1)
            .acts_while("algorithm", {"td_lambda"});
        f(textbook_trace, "textbook_trace", "textbook's trace",
          "On: Sutton and Barto's trace, e = \u03b3\u03bb e + \u03c6. Off: Corollary 3's, e = \u03bb e + \u03c6.")
            .acts_while("algorithm", {"td_lambda"});
        f.choice(
            preconditioner, words_of<Preconditioner>({"random", "step size", "decaying", "whitened"}), "preconditioner",
            "C_l",
            "random: entries from N(0, 1/4). step size: \u03b1 I. decaying: \u03b1/(l+1) I. whitened: \u03b1 times the "
            "inverse of (1/n) \u2211 \u03c6\u03c6'.");
        f(step, "alpha", "step size \u03b1", "Scales C_l, unless C_l is random.")
            .log_range(0.001, 10)
            .idle_while("preconditioner", {"random"});
        f.choice(flaw, words_of<Flaw>({"none", "gamma", "mask", "transposed", "plain_td"}), "flaw", "flaw",
                 "A deliberate error, which the check must find. gamma: \u03b3 off by 1e-6. mask: the query counts as "
                 "context. transposed: C_l untransposed. plain_td: the parts beyond TD(0) are missing.")
            .called({{"plain_td", "plain TD"}});
        features_field(f, d, "Features of a state.");
        context_length_field(f, n, 200);
        states_field(f, num_states, "States of each random Boyan chain.", 64);
        gamma_field(f, gamma, "Discount factor. Average-reward TD has none.");
        representable_field(f, representable,
                            "On: each chain's true value is exactly linear in its features (Algorithm 3). Off: rewards "
                            "are uniform, so even the best linear prediction errs.");
        f.group("evaluation");
        f(tolerance, "tolerance", "tolerance",
          "Further layers stop helping (our rule) once the value error stays this near its limit, as a share of its start.")
            .log_range(0.001, 0.5);
        stop_after_field(f, layers, "num_layers", "layers", "Layers of the transformer, and steps of the algorithm.",
                         200);
        first_seed_field(f, seed, "Each seed draws its own chain, prompt and matrices.");
        num_seeds_field(f, seeds, "How many prompts. Wang et al. 2025 average 30.");
    }
};

// ---- pictures: the matrices with the meaning of their blocks, the update, and the value error

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

// Adds P and Q of a layer of every prompt, and the mask; for average reward both heads' P and masks, Q and W. Adds the
// same without masks as arrays of prompts x 1 x rows x columns.
void add_construction_matrices(const ConstructionConfig& config, const std::vector<LayerMatrices>& prompts,
                               Snapshot& snapshot) {
    const auto add = [&](const char* name, const char* help, const std::vector<Block>& rows,
                         const std::vector<Block>& columns, std::vector<BlockMeaning> meanings, const auto& values) {
        ShownMatrix matrix(name, std::string(name) + " as constructed", help);
        matrix.rows(rows).columns(columns).meanings(std::move(meanings)).as_is("constructed as in the proof");
        const std::vector<Table> tables =
            mapped(prompts, [&](const LayerMatrices& prompt) { return table_of(values(prompt)); });
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
    const auto add_mask = [&](const char* name, const char* help, std::string entries, const Mat& mask) {
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

// The algorithm's step, and its trace or running mean if it has one, tied to the blocks.
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
    const std::vector<std::vector<double>> rows = mapped(prompts, &LayerErrors::transformer);
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

// Value error against layers, with the algorithm, its fixed point, best linear and predict-zero.
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
        plot.line(name, x, mapped(prompts, row)).color(color).dashed(color > 0);
    };
    // Adds a horizontal line. An error that is not finite would lie beyond the axis, so it is not drawn.
    const auto add_level = [&](const char* name, int color, double LayerErrors::*of) {
        add(name, color, [&](const LayerErrors& prompt) { return std::vector<double>(x.size(), prompt.*of); });
    };
    add("transformer", 0, &LayerErrors::transformer);
    add("algorithm", 1, &LayerErrors::algorithm);
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

// The layer at which more layers stop helping, the share of settled prompts, the best layer, and the contraction per
// layer.
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

// ---- the experiment

constexpr StudyNames kConstructionStudy = {"construction", "layers", "num_layers"};

// What a prompt measures after each layer: how far the transformer is from the algorithm, the values of both, and their
// MSVE.
struct ConstructionMeasured {
    double absolute = 0, relative = 0, transformer = 0, algorithm = 0, msve = 0, msve_algorithm = 0;

    void say(Row& row) const {
        HistoryPlot& absolutes = row.plot("absolute_difference", "Transformer and algorithm: difference");
        HistoryPlot& relatives = row.plot("relative_difference", "The same, relative");
        HistoryPlot& values = row.plot("values", "Predicted values");
        absolutes.y("difference").logarithmic();
        relatives.y("relative difference").logarithmic();
        values.y("value of the query");
        for (HistoryPlot* plot : {&absolutes, &relatives})
            plot->note("|y + <\u03c6, w>|, and relative to |\u03c6| |w|, in double precision: only rounding remains.");
        values.note("Where the construction is right, both lines coincide.");
        row("absolute_difference", "absolute", "|y_l + <\u03c6, w_l>|: the transformer's distance from the algorithm.",
            absolute)
            .line(absolutes);
        row("relative_difference", "relative", "The same distance, divided by |\u03c6| |w_l|.", relative)
            .line(relatives, 2);
        row("transformer", "transformer", "The value that the transformer predicts after this layer, -y_l.",
            transformer)
            .line(values);
        row("algorithm", "algorithm", "The algorithm's value after the same number of steps, <\u03c6, w_l>.", algorithm)
            .line(values, 1)
            .dashed();
        row("msve", "transformer",
            "The transformer's mean squared value error after this layer; for average reward up to a constant.", msve);
        row("msve_algorithm", "algorithm", "The algorithm's error after the same number of steps.", msve_algorithm);
    }
};

// One prompt. It computes all layers at its first row and reports them one by one.
class ConstructionSeed final : public RetracedSeed<ConstructionMeasured> {
  public:
    ConstructionSeed(const ConstructionConfig& config, int seed_index)
        : RetracedSeed(config.seed, seed_index, config.layers, "told", 0),
          options_(config),
          trial_(draw_trial(options_, seed(), 0)) {}

    /// Matrices of the layer applied last, or of the first layer if none was applied.
    LayerMatrices matrices() const {
        return layer_matrices(options_, trial_, static_cast<int>(larger<int64_t>(0, step() - 1)));
    }
    /// Errors of the layers reported so far.
    LayerErrors errors() const {
        LayerErrors errors = errors_;
        for (auto* layers : {&errors.transformer, &errors.algorithm})
            layers->resize(smaller(layers->size(), static_cast<size_t>(last_logged() + 1)));
        return errors;
    }

  protected:
    void take_step() override { ++step_; }
    void restart() override { compute(); }  // a snapshot may be taken before the next layer
    ConstructionMeasured measure() override {
        if (errors_.transformer.empty()) compute();
        const auto l = static_cast<size_t>(step());
        return {differences_.absolute[l],  differences_.relative[l], differences_.transformer[l],
                differences_.algorithm[l], errors_.transformer[l],   errors_.algorithm[l]};
    }

  private:
    void compute() {
        differences_ = construction_difference(options_, trial_);
        errors_ = construction_errors(options_, trial_);
    }

    ConstructionOptions options_;
    ConstructionTrial trial_;
    LayerDifferences differences_;
    LayerErrors errors_;
};

class ConstructionStudy final : public StudyOf<ConstructionConfig, ConstructionSeed> {
  public:
    explicit ConstructionStudy(const Settings& settings) : StudyOf(kConstructionStudy, settings) {
        declare(ConstructionMeasured());
    }
    static void check(const ConstructionConfig& c) {
        if (c.algorithm == BatchAlgorithm::td && c.flaw == Flaw::plain_td)
            throw InputError("flaw: plain_td changes nothing while algorithm = td. Choose another flaw or algorithm.");
    }

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override {
        const std::vector<LayerErrors> errors = mapped(seeds, &ConstructionSeed::errors);
        add_construction_matrices(config_, mapped(seeds, &ConstructionSeed::matrices), snapshot);
        snapshot.formulas = construction_formulas(config_);
        snapshot.plots = {construction_error_curve(config_, errors)};
        snapshot.scalars = construction_scalars(config_, errors);
        snapshot.headline = snapshot.plots[0].readout;
    }
};

}  // namespace

ExperimentInfo construction() {
    return experiment_of<ConstructionStudy>(
        kConstructionStudy, "Constructed transformers, layer by layer",
        "Four transformers whose weights provably run TD(0), residual gradient, TD(\u03bb) and average-reward TD, "
        "compared layer by layer with plain loops of these algorithms, and their value errors (Wang et al. 2025, "
        "Theorems 1 and 3, Corollaries 2 and 3, Figure 13). Nothing is trained.",
        {shipped_figure("wang-13")});
}

}  // namespace emergence
