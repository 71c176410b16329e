#include "core/models/improvement_constructions.h"

#include "core/models/improvement_block.h"

namespace emergence {

EffectiveBlocks constructed_blocks(const ImprovementShape& shape, double alpha, double beta) {
    const int d = shape.sizes.d, m = shape.sizes.m, reward = 2 * d;
    const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(d, d);
    EffectiveBlocks blocks{Eigen::MatrixXd::Zero(shape.context(), shape.query()),
                           Eigen::MatrixXd::Zero(shape.outputs(), shape.context())};
    // With y = P12 (1, lambda, w), x_i' y is the TD error.
    blocks.P12.block(0, 1 + m, d, d) = -I;
    blocks.P12.block(d, 1 + m, d, d) = I;
    blocks.P12(reward, 0) = 1.0;
    if (shape.sizes.algorithm == Improvement::sarsa) {
        blocks.V21.leftCols(d) = alpha * I;
    } else {
        blocks.V21.topRightCorner(m, m) = alpha * Eigen::MatrixXd::Identity(m, m);
        blocks.V21.bottomLeftCorner(d, d) = beta * I;
    }
    return blocks;
}

EffectiveBlocks rescaled(const EffectiveBlocks& blocks, double c) { return {c * blocks.P12, blocks.V21 / c}; }

template <class T>
EffectiveBlocks blocks_of(const ImprovementShape& shape, const T* weights) {
    const ImprovementLayout layout(shape);
    EffectiveBlocks blocks{Eigen::MatrixXd(layout.context, layout.query),
                           Eigen::MatrixXd(layout.outputs, layout.context)};
    for (int i = 0; i < layout.context; ++i) {
        for (int j = 0; j < layout.query; ++j) blocks.P12(i, j) = static_cast<double>(weights[layout.P12(i, j)]);
        for (int k = 0; k < layout.outputs; ++k) blocks.V21(k, i) = static_cast<double>(weights[layout.V21(k, i)]);
    }
    return blocks;
}

template EffectiveBlocks blocks_of(const ImprovementShape&, const float*);
template EffectiveBlocks blocks_of(const ImprovementShape&, const double*);

template <class T>
std::vector<T> weights_of(const ImprovementShape& shape, const EffectiveBlocks& blocks) {
    const ImprovementLayout layout(shape);
    std::vector<T> weights(layout.size(), T(0));
    for (int i = 0; i < layout.context; ++i) {
        for (int j = 0; j < layout.query; ++j) weights[layout.P12(i, j)] = static_cast<T>(blocks.P12(i, j));
        for (int k = 0; k < layout.outputs; ++k) weights[layout.V21(k, i)] = static_cast<T>(blocks.V21(k, i));
    }
    return weights;
}

template std::vector<float> weights_of(const ImprovementShape&, const EffectiveBlocks&);
template std::vector<double> weights_of(const ImprovementShape&, const EffectiveBlocks&);

FullMatrices full_matrices(const ImprovementShape& shape, const EffectiveBlocks& blocks) {
    const int D = shape.rows();
    FullMatrices full{Eigen::MatrixXd::Zero(D, D), Eigen::MatrixXd::Zero(D, D)};
    full.P.topRightCorner(shape.context(), shape.query()) = blocks.P12;
    full.V.bottomLeftCorner(shape.outputs(), shape.context()) = blocks.V21;
    return full;
}

}  // namespace emergence
