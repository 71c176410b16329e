#include "core/experiments/in_context_td/pictures/td_matrices.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/experiments/in_context_td/block_places.h"
#include "core/experiments/in_context_td/construction/own_construction.h"
#include "core/experiments/in_context_td/pictures/td_formula.h"
#include "core/experiments/in_context_td/seed/td_weights.h"
#include "core/experiments/in_context_td/settings/td_network.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/shown_matrix.h"
#include "core/models/constructions.h"

namespace emergence {
namespace {

// The layer of a P or a Q.
int layer_of(const NamedBlock& block) { return std::stoi(block.name.substr(1)); }

std::string alignment_note(const NetworkShape& shape) {
    switch (shape.activation) {
        case Activation::identity:
            return "signs aligned by P[-1,-1]";
        case Activation::tanh:
            return "signs aligned by P[-1,-1]; tanh has no symmetry of scale";
        case Activation::softmax:
        case Activation::softmax_columns:
            return "as trained: softmax has no symmetry of sign or scale";
        case Activation::relu:
            return "as trained: ReLU has no symmetry of sign";
        case Activation::elu:
            return "as trained: ELU has no symmetry of sign or scale";
    }
    return "";
}

void describe_attention(const NetworkShape& shape, const NamedBlock& block, LossKind loss, const OwnConstruction* own,
                        NamedMatrix& matrix) {
    const bool writes = block.name[0] == 'P', linear = shape.activation == Activation::identity;
    matrix.help = writes ? "What a layer writes: theory adds to the last row only."
                         : "What a layer compares: theory weighs a transition's \u03c6 against the query's "
                           "\u03b3\u03c6' - \u03c6.";
    if (shape.stored > 1) matrix.help += " Layer " + std::to_string(layer_of(block) + 1) + "'s own.";
    matrix.row_blocks = matrix.column_blocks = prompt_blocks(shape.d);
    matrix.may_scale = linear;
    matrix.alignment_note = alignment_note(shape);
    if (linear && own != nullptr) {
        matrix.target = (writes ? own->P : own->Q)[layer_of(block)];
        matrix.target_name = own->name;
        return;
    }
    // Theorem 1 is about linear attention, Theorem 3 about two heads.
    if (!linear || loss == LossKind::average_reward) return;
    const TheoryMatrices theory = in_context_td_theory(shape.d, shape.layers, loss);
    matrix.target = writes ? theory.P : theory.Q;
    matrix.target_name = theory.name;
    matrix.meanings = in_context_td_meanings(block.name, shape.layers, loss);
}

void describe_rnn(const NetworkShape& shape, const NamedBlock& block, NamedMatrix& matrix) {
    const std::string kind = block.name.substr(0, 3);
    matrix.may_scale = false;
    matrix.alignment_note = "as trained; hidden units have no order or sign: choose one seed";
    const Block hidden{"h", shape.width};
    matrix.row_blocks = {block.name == "W_o" ? Block{"value", 1} : hidden};
    matrix.column_blocks = {hidden};
    if (block.name == "W_o") {
        matrix.help = "What the value reads of the last layer.";
    } else if (kind == "b_a") {
        matrix.help = "The bias of a layer's units.";
        matrix.column_blocks = {{"bias", 1}};
    } else if (kind == "W_a" && block.name[3] == 'x') {
        matrix.help = "What a layer's units read of the token, or of the layer below.";
        if (block.name == "W_ax0") {
            matrix.column_blocks = prompt_blocks(shape.d);
            matrix.column_blocks.push_back({"query", 1});
        }
    } else {
        matrix.help = "What a layer's units keep of their own state one token before.";
    }
}

}  // namespace

TheoryMatrices in_context_td_theory(int d, int num_layers, LossKind loss) {
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
    return {table_of(layer.P), table_of(layer.Q), loss == LossKind::td ? name : name + ", which Corollary 3 has too"};
}

namespace {

// P and Q flip their signs together.
double sign_of_corner(const NetworkShape& shape, const std::vector<float>& weights, const NamedBlock& block) {
    const auto size = static_cast<size_t>(shape.rows() * shape.rows());
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
        shape.model == Model::attention ? describe_attention(shape, block, loss, seeds.front()->construction(), matrix)
                                        : describe_rnn(shape, block, matrix);
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
    if (has_theory(config) && config.construction.empty())
        snapshot.formulas = {in_context_td_formula(shape.layers, shape.stored, config.loss.kind)};
    snapshot.weights = weight_arrays(shape, weights_of(seeds));
}

}  // namespace emergence
