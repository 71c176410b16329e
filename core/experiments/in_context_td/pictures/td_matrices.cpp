#include "core/experiments/in_context_td/pictures/td_pictures.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/experiments/in_context_td/seed/td_seed.h"
#include "core/experiments/in_context_td/settings/td_settings.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/run_views.h"
#include "core/models/constructions.h"

namespace emergence {
namespace {

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
    const TwoHeadLayer theory = average_reward_construction(Eigen::MatrixXd::Identity(shape.d, shape.d));
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

}  // namespace

TheoryMatrices in_context_td_theory(int d, int num_layers, LossKind loss, bool traces) {
    check(loss != LossKind::average_reward, "theory has no such weights for average reward");
    const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(d, d);
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

namespace {

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
