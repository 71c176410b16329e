#include "core/models/constructions.h"

namespace emergence {

ConstructedLayer td_construction(const Eigen::MatrixXd& C) {
    ConstructedLayer layer = single_layer_td_construction(C);
    const auto d = C.rows();
    layer.Q.block(0, d, d, d) = C.transpose();
    return layer;
}

ConstructedLayer single_layer_td_construction(const Eigen::MatrixXd& C) {
    const auto d = C.rows(), rows = 2 * d + 1;
    ConstructedLayer layer{Eigen::MatrixXd::Zero(rows, rows), Eigen::MatrixXd::Zero(rows, rows)};
    layer.P(rows - 1, rows - 1) = 1.0;
    layer.Q.block(0, 0, d, d) = -C.transpose();
    return layer;
}

}  // namespace emergence
