#include "core/models/constructions.h"

#include <cmath>

#include "core/base/instruction_set.h"
#include "core/models/improvement_block.h"

namespace emergence {

namespace {

// rows x rows, with [-C' C'; 0 0] in the upper left.
Mat td_query_matrix(const Mat& C, Index rows) {
    const auto d = C.rows();
    Mat Q = Mat::Zero(rows, rows);
    Q.block(0, 0, d, d) = -C.transpose();
    Q.block(0, d, d, d) = C.transpose();
    return Q;
}

// rows x rows: 1 at (i, i), 0 elsewhere.
Mat selector(Index rows, Index i) {
    Mat P = Mat::Zero(rows, rows);
    P(i, i) = 1.0;
    return P;
}

}  // namespace

ConstructedLayer td_construction(const Mat& C) {
    const auto rows = 2 * C.rows() + 1;
    return {selector(rows, rows - 1), td_query_matrix(C, rows)};
}

ConstructedLayer single_layer_td_construction(const Mat& C) {
    ConstructedLayer layer = td_construction(C);
    const auto d = C.rows();
    layer.Q.block(0, d, d, d).setZero();
    return layer;
}

ConstructedLayer residual_gradient_construction(const Mat& C) {
    ConstructedLayer layer = td_construction(C);
    const auto d = C.rows();
    layer.Q.block(d, 0, d, 2 * d) = -layer.Q.block(0, 0, d, 2 * d);
    return layer;
}

TwoHeadLayer average_reward_construction(const Mat& C) {
    const auto d = C.rows(), rows = 2 * d + 2;
    TwoHeadLayer layer{selector(rows, 2 * d), selector(rows, 2 * d + 1), td_query_matrix(C, rows),
                       Mat::Zero(rows, 2 * rows)};
    layer.W(rows - 1, 2 * d) = 1.0;             // the reward head's row of rewards
    layer.W(rows - 1, rows + 2 * d + 1) = 1.0;  // the memory head's row of memory
    return layer;
}

Mat context_mask(int n) {
    Mat M = Mat::Identity(n + 1, n + 1);
    M(n, n) = 0.0;
    return M;
}

Mat td_lambda_mask(int n, double decay) {
    Mat M = context_mask(n);
    for (int i = 1; i < n; ++i)
        for (int j = 0; j < i; ++j) M(i, j) = std::pow(decay, i - j);
    return M;
}

Mat centring_mask(int n) {
    Mat M = Mat::Identity(n + 1, n + 1);
    for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= j; ++i) M(i, j) -= 1.0 / (j + 1);
    return M * context_mask(n);
}

Mat linear_attention(const Mat& Z, const Mat& P, const Mat& Q, const Mat& M) {
    const Mat attention = Z.transpose() * (Q * Z);
    return P * ((Z * M) * attention);
}

Mat two_head_attention(const Mat& Z, const TwoHeadLayer& layer, const Mat& M_reward, const Mat& M_memory) {
    Mat heads(2 * Z.rows(), Z.cols());
    heads.topRows(Z.rows()) = linear_attention(Z, layer.P_reward, layer.Q, M_reward);
    heads.bottomRows(Z.rows()) = linear_attention(Z, layer.P_memory, layer.Q, M_memory);
    return layer.W * heads;
}

EffectiveBlocks constructed_blocks(const ImprovementShape& shape, double alpha, double beta) {
    const int d = shape.sizes.d, m = shape.sizes.m, reward = 2 * d;
    const Mat I = Mat::Identity(d, d);
    EffectiveBlocks blocks{Mat::Zero(shape.context(), shape.query()), Mat::Zero(shape.outputs(), shape.context())};
    // With y = P12 (1, lambda, w), x_i' y is the TD error.
    blocks.P12.block(0, 1 + m, d, d) = -I;
    blocks.P12.block(d, 1 + m, d, d) = I;
    blocks.P12(reward, 0) = 1.0;
    if (shape.sizes.algorithm == Improvement::sarsa) {
        blocks.V21.leftCols(d) = alpha * I;
    } else {
        blocks.V21.topRows(m).rightCols(m) = alpha * Mat::Identity(m, m);
        blocks.V21.bottomRows(d).leftCols(d) = beta * I;
    }
    return blocks;
}

EffectiveBlocks rescaled(const EffectiveBlocks& blocks, double c) { return {c * blocks.P12, blocks.V21 / c}; }

template <class T>
EffectiveBlocks blocks_of(const ImprovementShape& shape, const T* weights) {
    const ImprovementLayout layout(shape);
    EffectiveBlocks blocks{Mat(layout.context, layout.query), Mat(layout.outputs, layout.context)};
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
    FullMatrices full{Mat::Zero(D, D), Mat::Zero(D, D)};
    full.P.topRows(shape.context()).rightCols(shape.query()) = blocks.P12;
    full.V.bottomRows(shape.outputs()).leftCols(shape.context()) = blocks.V21;
    return full;
}

// Each compiled instruction set has its own, see improvement_block_kernels.cpp.
EMERGENCE_DECLARE_ON_LANES(template <class T> ImprovementBlock<T>* make_improvement_block(const ImprovementShape&);)

template <class T>
std::unique_ptr<ImprovementBlock<T>> make_improvement_block(const ImprovementShape& shape, InstructionSet set) {
    return made_on_lanes(EMERGENCE_ON_LANES(set, make_improvement_block<T>(shape)));
}

template std::unique_ptr<ImprovementBlock<float>> make_improvement_block(const ImprovementShape&, InstructionSet);
template std::unique_ptr<ImprovementBlock<double>> make_improvement_block(const ImprovementShape&, InstructionSet);

}  // namespace emergence
