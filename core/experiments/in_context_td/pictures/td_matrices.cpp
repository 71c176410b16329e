#include "core/experiments/in_context_td/pictures/td_pictures.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/run_views.h"
#include "core/models/constructions.h"

namespace emergence {
namespace {

constexpr const char* kNeverRead = "never read: no effect on the values";
constexpr const char* kTargetsGradient = "residual gradient: part of the target's gradient, which TD leaves out";
constexpr const char* kOwnErrors = "weigh transitions by their own TD errors";

std::vector<BlockReference> in_every_layer(const std::string& letter, int row_block, int column_block, int stored) {
    std::vector<BlockReference> blocks;
    for (int layer = 0; layer < stored; ++layer)
        blocks.push_back({letter + std::to_string(layer), row_block, column_block});
    return blocks;
}

// The blocks of Q that carry the update: rows phi along phi, rows gamma phi' against them.
struct UpdatePlaces {
    std::vector<BlockReference> corner, current, next, current_2, next_2;

    UpdatePlaces(int num_layers, int stored, LossKind loss)
        : corner(in_every_layer("P", kRewardBlock, kRewardBlock, stored)),
          current(in_every_layer("Q", kNowBlock, kNowBlock, stored)) {
        if (num_layers > 1) next = in_every_layer("Q", kNowBlock, kNextBlock, stored);
        if (loss != LossKind::residual_gradient) return;
        current_2 = in_every_layer("Q", kNextBlock, kNowBlock, stored);
        if (num_layers > 1) next_2 = in_every_layer("Q", kNextBlock, kNextBlock, stored);
    }
};

// The direction of each transition's step as it is written, the term that names it, and that term's meaning.
struct Direction {
    const char *written, *term, *meaning;
};
Direction direction_of(LossKind loss, bool traces, bool one_step) {
    if (traces)
        return {
            "e_j", "e_j",
            "The trace of transition j, lambda e_{j-1} + phi_j, which the mask of Eq. (14) makes: the rows phi of Q."};
    if (loss == LossKind::residual_gradient)
        return {"( phi_j - gamma phi'_j )", "phi_j", "Along the features of transition j: the rows phi of Q."};
    if (one_step) return {"phi_j", "phi_j", "The features of transition j: the direction of its step."};
    if (loss == LossKind::td_lambda || loss == LossKind::monte_carlo)
        return {"e_j", "e_j",
                "The trace of transition j, which the mask of Eq. (14) makes. This network lacks that mask, so e_j is "
                "phi_j and the same weights run TD(0)."};
    return {"phi_j", "phi_j", "The features of transition j, the direction of its step: the rows phi of Q."};
}

// The meaning of every term of these updates. The direction comes first, because each update has its own.
std::vector<FormulaTerm> update_terms(const UpdatePlaces& at, FormulaTerm direction) {
    return {std::move(direction),
            {"w_1", "The weights after the only layer, from w_0 = 0.", {}},
            {"w_{l+1}", "The value function's weights after layer l + 1.", {}},
            {"w_l", "What the layers before have learned from this prompt; the residual stream keeps it.", {}},
            {"alpha/n", "The step size over n: P's bottom-right entry times the size of Q's diagonals.", at.corner},
            {"sum_j", "Sums over all transitions of the context.", {}},
            {"R_j", "The reward of transition j, in the prompt's last row.", at.corner},
            {"gamma w_l^T phi'_j", "The value of the next state: bootstrapping.", both_of(at.next, at.next_2)},
            {"w_l^T phi_j", "The value of the current state.", both_of(at.current, at.current_2)},
            {"gamma phi'_j",
             "Against the features of the next state: the rows gamma phi' of Q, which make this a true gradient.",
             both_of(at.current_2, at.next_2)}};
}

// The name of a loss's algorithm, and where theory gives its weights; in the order of LossKind.
struct LossAlgorithm {
    const char *name, *source;
};
constexpr const char* kWithoutMask =
    "Corollary 3 of Wang et al. 2025 with C = alpha I: the weights of Theorem 1 under the mask of Eq. (14), which this "
    "network does not have.";
constexpr LossAlgorithm kLossAlgorithms[] = {
    {"batch TD", "Theorem 1 of Wang et al. 2025 with C = alpha I: each layer is one step of batch TD on the prompt."},
    {"residual gradient",
     "Corollary 2 of Wang et al. 2025 with C = alpha I: each layer is one step of batch residual gradient on the "
     "prompt."},
    {"TD(lambda)", kWithoutMask},
    {"Monte Carlo: TD(1)", kWithoutMask},
    {"average-reward TD",
     "Theorem 3 of Wang et al. 2025 needs two heads and a row of memory. This network has neither, so theory has no "
     "weights to compare with."}};
const LossAlgorithm& algorithm_of(LossKind loss) { return kLossAlgorithms[static_cast<size_t>(loss)]; }

// The update without blocks, because this network cannot carry it out.
Formula average_reward_formula() {
    std::vector<FormulaTerm> terms =
        update_terms(UpdatePlaces(0, 0, LossKind::average_reward),
                     {"phi_j", "The features of transition j, the direction of its step.", {}});
    for (FormulaTerm& term : terms)
        if (term.text == "R_j") term.meaning = "The reward of transition j.";
    terms.push_back({"m_j", "The mean of the rewards so far.", {}});
    terms.push_back({"w_l^T phi'_j", "The value of the next state: bootstrapping.", {}});
    const LossAlgorithm& algorithm = algorithm_of(LossKind::average_reward);
    return {algorithm.name,
            written("w_{l+1} = w_l + alpha/n sum_j ( R_j - m_j + w_l^T phi'_j - w_l^T phi_j ) phi_j", terms),
            algorithm.source};
}

// ---- two heads, Theorem 3

// matrix: "P1", "Q1", "P2", "Q2" or "W".
std::vector<BlockMeaning> two_head_meanings(const std::string& matrix, bool learns_W) {
    if (matrix[0] == 'P') {
        const bool rewards = matrix == "P1";
        const int read = rewards ? kRewardBlock : kMemoryBlock;
        const std::string what = rewards ? "rewards" : "memory";
        std::vector<BlockMeaning> meanings = {
            {read, read, "+1: reads the " + what, false, rewards ? "reading rewards" : "reading the memory"}};
        // The W of Eq. (16) takes one row of each head.
        for (int row = kNowBlock; row <= kMemoryBlock && !learns_W; ++row)
            for (int column = kNowBlock; column <= kMemoryBlock && row != read; ++column)
                meanings.push_back({row, column, "", false, kNeverRead});
        return meanings;
    }
    if (matrix == "W")
        return {{kMemoryBlock, kRewardBlock, "1: the reward head's rewards are added to the memory", false, "rewards"},
                {kMemoryBlock, 4 + kMemoryBlock, "1: so is what the memory head passes on", false, "the memory"}};
    return {{kNowBlock, kNowBlock, "-I times a step size: the current value, -phi", false, "the current value"},
            {kNowBlock, kNextBlock, "+I times a step size: bootstrapping, +phi'", false, "bootstrapping"},
            {kNextBlock, kNowBlock, "", false, kTargetsGradient},
            {kNextBlock, kNextBlock, "", false, kTargetsGradient}};
}

// one_Q: one "Q12" serves both heads.
Formula two_head_formula(bool one_Q) {
    const std::vector<BlockReference> rewards = {{"P1", kRewardBlock, kRewardBlock}},
                                      memory = {{"P2", kMemoryBlock, kMemoryBlock}};
    std::vector<BlockReference> now, next;
    for (const char* Q : one_Q ? std::vector{"Q12"} : std::vector{"Q1", "Q2"}) {
        now.push_back({Q, kNowBlock, kNowBlock});
        next.push_back({Q, kNowBlock, kNextBlock});
    }
    Formula formula = average_reward_formula();
    const auto point = [&formula](const std::string& text, const std::vector<BlockReference>& blocks) {
        for (FormulaTerm& term : formula.terms)
            if (term.text == text) term.blocks = blocks;
    };
    point("R_j", rewards);
    point("m_j", rewards);
    point("w_l^T phi'_j", both_of(next, memory));
    point("w_l^T phi_j", both_of(now, memory));
    point("phi_j", both_of(now, next));
    formula.note =
        "Theorem 3 of Wang et al. 2025 with C = alpha I: the first head's mask subtracts the mean reward; the second "
        "head reads the memory, which holds each transition's difference of values.";
    return formula;
}

// The layer of P or Q.
int layer_of(const NamedBlock& block) {
    return block.name == "lambda" ? kMaxLayers : std::stoi(block.name.substr(1));  // sorts it after all layers
}

// In the order of Activation.
constexpr const char* kAlignmentNotes[] = {
    "signs flipped so that P's corner is positive",
    "as trained: softmax has no symmetry of sign or scale",
    "as trained: softmax has no symmetry of sign or scale",
    "as trained: ReLU has no symmetry of sign",
    "as trained: ELU has no symmetry of sign or scale",
    "signs flipped so that P's corner is positive; tanh has no symmetry of scale"};

void describe_attention(const NetworkShape& shape, const NamedBlock& block, LossKind loss, NamedMatrix& matrix) {
    if (block.name == "lambda") {
        matrix.help = "\u03bb of the mask, Eq. (14), which this network learns.";
        matrix.row_blocks = matrix.column_blocks = {{"\u03bb", 1}};
        matrix.may_scale = false;
        matrix.alignment_note = "as trained";
        return;
    }
    const bool writes = block.name[0] == 'P', linear = shape.activation == Activation::identity;
    const bool discounted = loss != LossKind::average_reward;
    matrix.help = writes ? "What a layer writes: theory adds to the last row only."
                         : "What a layer compares: theory weighs a transition's \u03c6 against the query's " +
                               std::string(next_label(discounted)) + " - \u03c6.";
    if (shape.stored > 1) matrix.help += " Layer " + std::to_string(layer_of(block) + 1) + "'s own.";
    matrix.row_blocks = matrix.column_blocks = prompt_blocks(shape.d, discounted);
    matrix.may_scale = linear;
    matrix.alignment_note = kAlignmentNotes[static_cast<size_t>(shape.activation)];
    // Theorem 1 is about linear attention, Theorem 3 about two heads.
    if (!linear || !discounted) return;
    const TheoryMatrices theory = in_context_td_theory(shape.d, shape.layers, loss, shape.is_masked());
    matrix.target = writes ? theory.P : theory.Q;
    matrix.target_name = theory.name;
    matrix.meanings = in_context_td_meanings(block.name, shape.layers, loss, shape.stored);
}

// Theorem 3 gives the targets if the loss is that of average-reward TD.
void describe_heads(const NetworkShape& shape, const NamedBlock& block, LossKind loss, NamedMatrix& matrix) {
    const auto blocks = both_of(prompt_blocks(shape.d, loss != LossKind::average_reward), {{"mem", 1}});
    const bool joins = block.name == "W";
    matrix.row_blocks = blocks;
    matrix.column_blocks = joins ? both_of(blocks, blocks) : blocks;
    matrix.may_scale = !joins;
    matrix.alignment_note = joins            ? "as trained"
                            : shape.shares_Q ? "signs flipped so that P1 reads rewards with +"
                                             : "signs flipped so that each head's P reads with +";
    const TwoHeadLayer theory = average_reward_construction(Mat::Identity(shape.d, shape.d));
    const auto [help, target] =
        joins ? std::pair("Joins the heads: columns of the reward head, then of the memory head.", theory.W)
        : block.name == "P1"
            ? std::pair("What the reward head passes on: in theory the rewards, in row R.", theory.P_reward)
        : block.name == "P2"
            ? std::pair("What the memory head passes on: in theory differences of values, in row mem.", theory.P_memory)
            : std::pair("What a head compares: theory weighs a transition's \u03c6 against \u03c6' - \u03c6.",
                        theory.Q);
    matrix.help = help;
    if (loss != LossKind::average_reward) return;
    matrix.target = table_of(target);
    matrix.target_name = "Theorem 3, Eqs. (15) and (16)";
    matrix.meanings = two_head_meanings(block.name, shape.learns_W);
}

void describe_rnn(const NetworkShape& shape, const NamedBlock& block, LossKind, NamedMatrix& matrix) {
    matrix.may_scale = false;
    matrix.alignment_note = "as trained; hidden units have no order or sign, so choose one network";
    const Block hidden{"h", shape.width};
    matrix.row_blocks = {block.name == "W_o" ? Block{"value", 1} : hidden};
    matrix.column_blocks = {hidden};
    const bool bias = block.name.starts_with("b_a");
    matrix.help = block.name == "W_o"              ? "How the value reads the last layer."
                  : bias                           ? "The bias of a layer's units."
                  : block.name.starts_with("W_ax") ? "How a layer's units read the token or the layer below."
                                                   : "How a layer's units use their own previous state.";
    if (bias) matrix.column_blocks = {{"bias", 1}};
    if (block.name == "W_ax0") matrix.column_blocks = both_of(prompt_blocks(shape.d), {{"query", 1}});
}

// P and Q flip their signs together.
double sign_of_corner(const NetworkShape& shape, const std::vector<float>& weights, const NamedBlock& block) {
    const auto size = static_cast<size_t>(shape.rows() * shape.rows());
    if (block.name == "lambda" || block.name == "W") return 1.0;
    if (shape.model == Model::two_heads) {
        // With one Q all three flip together.
        const size_t head = shape.shares_Q || block.name.back() == '1' ? 0 : 1, corner = size - 1;
        const size_t at = head == 0 ? corner - static_cast<size_t>(shape.rows()) - 1 : corner;
        return weights[2 * head * size + at] < 0 ? -1.0 : 1.0;
    }
    return weights[static_cast<size_t>(layer_of(block) + 1) * size - 1] < 0 ? -1.0 : 1.0;
}

std::vector<NamedMatrix> network_matrices(const NetworkShape& shape, const std::vector<const InContextTdSeed*>& seeds,
                                          LossKind loss) {
    std::vector<NamedBlock> blocks = seeds.front()->training().blocks();
    // Put each layer's P next to its Q.
    if (shape.model == Model::attention)
        std::stable_sort(blocks.begin(), blocks.end(),
                         [](const NamedBlock& a, const NamedBlock& b) { return layer_of(a) < layer_of(b); });
    std::vector<NamedMatrix> matrices;
    for (const NamedBlock& block : blocks) {
        NamedMatrix matrix;
        matrix.name = block.name;
        (shape.model == Model::attention   ? describe_attention
         : shape.model == Model::two_heads ? describe_heads
                                           : describe_rnn)(shape, block, loss, matrix);
        std::vector<Table> initial;
        for (const InContextTdSeed* seed : seeds) {
            matrix.seeds.push_back(seed->matrix(block));
            initial.push_back(matrix_in(seed->initial_weights(), block));
            if (!may_flip_signs(shape)) continue;
            matrix.signs.push_back(sign_of_corner(shape, seed->training().weights(), block));
            const double sign = sign_of_corner(shape, seed->initial_weights(), block);
            for (double& value : initial.back().values) value *= sign;
        }
        matrix.initial_products = products_of(initial);
        matrices.push_back(std::move(matrix));
    }
    return matrices;
}

}  // namespace

std::vector<BlockMeaning> in_context_td_meanings(const std::string& matrix, int num_layers, LossKind loss, int stored) {
    const bool one_layer = num_layers == 1;
    std::vector<BlockMeaning> meanings;
    const auto add = [&meanings](std::initializer_list<int> rows, std::initializer_list<int> columns, const char* text,
                                 const char* brief) {
        for (const int row : rows)
            for (const int column : columns) meanings.push_back({row, column, text, false, brief});
    };
    if (matrix[0] == 'P') {
        const bool last = one_layer || (stored > 1 && std::stoi(matrix.substr(1)) == stored - 1);
        add({kRewardBlock}, {kRewardBlock},
            "+1: reads the last row, which holds the TD errors, and writes there. All other entries are 0.",
            "writing the TD errors");
        add({kNowBlock, kNextBlock}, {kNowBlock, kNextBlock, kRewardBlock}, "",
            last ? kNeverRead : "change the features between layers");
        add({kRewardBlock}, {kNowBlock, kNextBlock}, "", "write features where the TD errors stand");
        return meanings;
    }
    add({kNowBlock}, {kNowBlock}, "-I times a step size: the current value, -phi", "the current value");
    if (!one_layer) add({kNowBlock}, {kNextBlock}, "+I times a step size: bootstrapping, +gamma phi'", "bootstrapping");
    const bool residual = loss == LossKind::residual_gradient;
    // Without it z_j^T Q z_q then holds (phi_j - c gamma phi'_j)^T phi_q: Corollary 2's direction for c = 1.
    add({kNextBlock}, {kNowBlock},
        residual ? "+I times a step size: the target's gradient, the current value against gamma phi'"
                 : "0. With a diagonal +c here the steps go along phi - c gamma phi' instead of phi, towards residual "
                   "gradient",
        residual ? "the target's gradient" : kTargetsGradient);
    if (!one_layer)
        add({kNextBlock}, {kNextBlock},
            residual ? "-I times a step size: the target's gradient, the bootstrapped value against gamma phi'"
                     : "0. A diagonal of the other sign belongs to that of the block on its left",
            residual ? "the target's gradient" : kTargetsGradient);
    // The first layer's query has zeros below its features, and with one layer nothing else is read.
    if (one_layer) add({kNowBlock, kNextBlock}, {kNextBlock}, "", kNeverRead);
    add({kRewardBlock}, {kNowBlock}, "", kOwnErrors);
    add({kRewardBlock}, {kNextBlock}, "", one_layer ? kNeverRead : kOwnErrors);
    add({kNowBlock, kNextBlock, kRewardBlock}, {kRewardBlock}, "",
        one_layer ? kNeverRead : "weigh in the value so far");
    return meanings;
}

Formula in_context_td_formula(int num_layers, int stored, LossKind loss, bool traces) {
    if (loss == LossKind::average_reward) return average_reward_formula();
    const UpdatePlaces at(num_layers, stored, loss);
    const bool one_step = num_layers == 1, residual = loss == LossKind::residual_gradient;
    const Direction direction = direction_of(loss, traces, one_step);
    const auto terms = update_terms(at, {direction.term, direction.meaning, both_of(at.current, at.next)});
    const std::string update = one_step ? "w_1 = alpha/n sum_j R_j "
                                        : "w_{l+1} = w_l + alpha/n sum_j ( R_j + gamma w_l^T phi'_j - w_l^T phi_j ) ";
    const std::vector<FormulaTerm> line = written(update + direction.written, terms);
    if (!one_step)
        return {
            algorithm_of(traces ? LossKind::td_lambda : loss).name, line,
            traces ? "Corollary 3 of Wang et al. 2025 with C = alpha I: the weights of Theorem 1 under the mask of Eq. "
                     "(14)."
                   : algorithm_of(loss).source};
    const auto [name, source] = residual ? std::pair("residual gradient", "Corollary 2")
                                : traces ? std::pair("TD(lambda)", "Corollary 3")
                                         : std::pair("batch TD", "Corollary 1");
    return {
        fmt::format("{}, one step from 0", name), line,
        fmt::format("{} of Wang et al. 2025 with C = alpha I{}. The first step starts from zero, so it has no value to "
                    "bootstrap on.",
                    source, residual || traces ? ", for one layer" : "")};
}

TheoryMatrices in_context_td_theory(int d, int num_layers, LossKind loss, bool traces) {
    check(loss != LossKind::average_reward, "theory has no such weights for average reward");
    const Mat identity = Mat::Identity(d, d);
    if (loss == LossKind::residual_gradient) {
        ConstructedLayer layer = residual_gradient_construction(identity);
        // As in Corollary 1: the only step begins at w = 0, so that the columns of gamma phi' meet no value.
        if (num_layers == 1) layer.Q.middleCols(d, d).setZero();
        return {table_of(layer.P), table_of(layer.Q), "Corollary 2, Eq. (12)"};
    }
    const ConstructedLayer layer = num_layers == 1 ? single_layer_td_construction(identity) : td_construction(identity);
    const std::string name = num_layers == 1 ? "Corollary 1, Eq. (9)" : "Theorem 1, Eq. (7)";
    if (traces) return {table_of(layer.P), table_of(layer.Q), "Corollary 3: " + name};
    return {table_of(layer.P), table_of(layer.Q), loss == LossKind::td ? name : name + ", which Corollary 3 has too"};
}

void show_network(const InContextTdConfig& config, const std::vector<const InContextTdSeed*>& seeds,
                  Snapshot& snapshot) {
    const NetworkShape shape = network_shape(config);
    snapshot.matrices = network_matrices(shape, seeds, config.loss.kind);
    if (has_theory(config))
        snapshot.formulas = {
            shape.model == Model::two_heads
                ? two_head_formula(shape.shares_Q)
                : in_context_td_formula(shape.layers, shape.stored, config.loss.kind, shape.mask == Mask::td_lambda)};
    snapshot.weights = weight_arrays(shape, weights_of(seeds));
    if (shape.layers == 1 && own_verdict(config))
        snapshot.headline =
            "one step of TD from w = 0 is one step along the rewards, so one layer cannot show whether it bootstraps";
}

}  // namespace emergence
