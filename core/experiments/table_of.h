#pragma once
// Converts Eigen's matrices: to and from tables of snapshots, and to floats for networks.

#include <vector>

#include "core/base/eigen.h"
#include "core/base/types.h"

namespace emergence {

/// The same entries as a table.
inline Table table_of(const Eigen::MatrixXd& matrix) {
    Table table(static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols()));
    for (int i = 0; i < table.rows; ++i)
        for (int j = 0; j < table.columns; ++j) table(i, j) = matrix(i, j);
    return table;
}

/// The same entries as an Eigen matrix.
inline Eigen::MatrixXd matrix_of(const Table& table) {
    Eigen::MatrixXd matrix(table.rows, table.columns);
    for (int i = 0; i < table.rows; ++i)
        for (int j = 0; j < table.columns; ++j) matrix(i, j) = table(i, j);
    return matrix;
}

/// Row by row, the layout of weights in training.
inline std::vector<float> floats_of(const Eigen::MatrixXd& matrix) {
    std::vector<float> values;
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
        for (Eigen::Index j = 0; j < matrix.cols(); ++j) values.push_back(static_cast<float>(matrix(i, j)));
    return values;
}

}  // namespace emergence
