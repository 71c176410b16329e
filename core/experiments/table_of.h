#pragma once
// Eigen's matrices as the tables that snapshots hold.

#include "core/base/eigen.h"
#include "core/base/types.h"

namespace emergence {

inline Table table_of(const Eigen::MatrixXd& matrix) {
    Table table(static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols()));
    for (int i = 0; i < table.rows; ++i)
        for (int j = 0; j < table.columns; ++j) table(i, j) = matrix(i, j);
    return table;
}

}  // namespace emergence
