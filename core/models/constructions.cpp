#include "core/models/constructions.h"

#include <cmath>

namespace emergence {
namespace {

using Eigen::MatrixXd;

// rows x rows, with [-C' C'; 0 0] in the upper left.
MatrixXd td_query_matrix(const MatrixXd& C, Eigen::Index rows) {
    const auto d = C.rows();
    MatrixXd Q = MatrixXd::Zero(rows, rows);
    Q.block(0, 0, d, d) = -C.transpose();
    Q.block(0, d, d, d) = C.transpose();
    return Q;
}

// rows x rows: 1 at (i, i), 0 elsewhere.
MatrixXd selector(Eigen::Index rows, Eigen::Index i) {
    MatrixXd P = MatrixXd::Zero(rows, rows);
    P(i, i) = 1.0;
    return P;
}

}  // namespace

ConstructedLayer td_construction(const MatrixXd& C) {
    const auto rows = 2 * C.rows() + 1;
    return {selector(rows, rows - 1), td_query_matrix(C, rows)};
}

ConstructedLayer single_layer_td_construction(const MatrixXd& C) {
    ConstructedLayer layer = td_construction(C);
    const auto d = C.rows();
    layer.Q.block(0, d, d, d).setZero();
    return layer;
}

ConstructedLayer residual_gradient_construction(const MatrixXd& C) {
    ConstructedLayer layer = td_construction(C);
    const auto d = C.rows();
    layer.Q.block(d, 0, d, 2 * d) = -layer.Q.block(0, 0, d, 2 * d);
    return layer;
}

TwoHeadLayer average_reward_construction(const MatrixXd& C) {
    const auto d = C.rows(), rows = 2 * d + 2;
    TwoHeadLayer layer{selector(rows, 2 * d), selector(rows, 2 * d + 1), td_query_matrix(C, rows),
                       MatrixXd::Zero(rows, 2 * rows)};
    layer.W(rows - 1, 2 * d) = 1.0;             // the reward head's row of rewards
    layer.W(rows - 1, rows + 2 * d + 1) = 1.0;  // the memory head's row of memory
    return layer;
}

MatrixXd context_mask(int n) {
    MatrixXd M = MatrixXd::Identity(n + 1, n + 1);
    M(n, n) = 0.0;
    return M;
}

MatrixXd td_lambda_mask(int n, double decay) {
    MatrixXd M = context_mask(n);
    for (int i = 1; i < n; ++i)
        for (int j = 0; j < i; ++j) M(i, j) = std::pow(decay, i - j);
    return M;
}

MatrixXd centring_mask(int n) {
    MatrixXd M = MatrixXd::Identity(n + 1, n + 1);
    for (int j = 0; j <= n; ++j) M.col(j).head(j + 1).array() -= 1.0 / (j + 1);
    return M * context_mask(n);
}

MatrixXd linear_attention(const MatrixXd& Z, const MatrixXd& P, const MatrixXd& Q, const MatrixXd& M) {
    const MatrixXd attention = Z.transpose() * (Q * Z);
    return P * ((Z * M) * attention);
}

MatrixXd two_head_attention(const MatrixXd& Z, const TwoHeadLayer& layer, const MatrixXd& M_reward,
                            const MatrixXd& M_memory) {
    MatrixXd heads(2 * Z.rows(), Z.cols());
    heads << linear_attention(Z, layer.P_reward, layer.Q, M_reward),
        linear_attention(Z, layer.P_memory, layer.Q, M_memory);
    return layer.W * heads;
}

}  // namespace emergence
