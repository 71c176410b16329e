#include "tests/support/evaluate_prompts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/linear_algebra.h"
#include "core/models/attention_naive.h"

namespace emergence {

namespace {

using Matrix = Eigen::MatrixXd;

// The array's values. Throws InputError if one is not finite.
std::vector<double> finite_values(const Array& array, const char* name) {
    std::vector<double> values = as_doubles(array);
    for (size_t at = 0; at < values.size(); ++at) {
        if (std::isfinite(values[at])) continue;
        std::vector<size_t> index(array.shape.size());
        size_t rest = at;
        for (size_t k = array.shape.size(); k-- > 0; rest /= array.shape[k]) index[k] = rest % array.shape[k];
        throw InputError(
            fmt::format("{}: entry [{}] is {}, not a finite number", name, fmt::join(index, ", "), values[at]));
    }
    return values;
}

void check_shapes(const Array& prompts, const Array& P, const Array& Q, int layers) {
    if (prompts.shape.size() != 3 || prompts.shape[1] < 3 || prompts.shape[1] % 2 == 0 || prompts.shape[2] < 2)
        throw InputError(fmt::format("Z: its shape is {} instead of B x (2d+1) x (n+1), with d and n at least 1",
                                     shape_text(prompts.shape)));
    const size_t rows = prompts.shape[1];
    for (const auto& [name, array] : {std::pair("P", &P), std::pair("Q", &Q)})
        if (array->shape.size() != 3 || array->shape[0] < 1 || array->shape[1] != rows || array->shape[2] != rows)
            throw InputError(fmt::format("{}: its shape is {}, but Z of shape {} needs layers x {} x {}", name,
                                         shape_text(array->shape), shape_text(prompts.shape), rows, rows));
    if (P.shape != Q.shape)
        throw InputError(
            fmt::format("P and Q: their shapes {} and {} differ", shape_text(P.shape), shape_text(Q.shape)));
    const size_t stored = P.shape[0];
    if (layers < 1 || (stored > 1 && static_cast<size_t>(layers) != stored))
        throw InputError(stored == 1 ? fmt::format("layers: {} is not a number from 1", layers)
                                     : fmt::format("layers: {} were asked for, but {} are stored", layers, stored));
}

std::vector<Matrix> matrices(const std::vector<double>& values, Eigen::Index rows) {
    std::vector<Matrix> result;
    const auto size = static_cast<size_t>(rows * rows);
    for (size_t at = 0; at < values.size(); at += size)
        result.emplace_back(Eigen::Map<const RowMajorMatrix>(values.data() + at, rows, rows));
    return result;
}

// Forms Z M Z' first: linear attention needs no n x n matrix.
double linear_value(Matrix Z, const std::vector<Matrix>& P, const std::vector<Matrix>& Q, int layers) {
    const auto n = Z.cols() - 1;
    for (int l = 0; l < layers; ++l) {
        const size_t stored = P.size() == 1 ? 0 : static_cast<size_t>(l);
        const Matrix G = Z.leftCols(n) * Z.leftCols(n).transpose();
        const Matrix step = P[stored] * G * Q[stored] / static_cast<double>(n);
        Z += (step * Z).eval();
    }
    return -Z(Z.rows() - 1, n);
}

}  // namespace

std::vector<double> attention_values(const Array& prompts, const Array& P, const Array& Q, int layers,
                                     Activation activation) {
    check_shapes(prompts, P, Q, layers);
    const auto rows = static_cast<Eigen::Index>(prompts.shape[1]);
    const auto columns = static_cast<Eigen::Index>(prompts.shape[2]);
    const std::vector<double> Z_values = finite_values(prompts, "Z");
    const std::vector<Matrix> P_layers = matrices(finite_values(P, "P"), rows);
    const std::vector<Matrix> Q_layers = matrices(finite_values(Q, "Q"), rows);
    NaiveAttention<double> network(P_layers, Q_layers, layers, activation);

    std::vector<double> result;
    result.reserve(prompts.shape[0]);
    for (size_t b = 0; b < prompts.shape[0]; ++b) {
        const Matrix Z =
            Eigen::Map<const RowMajorMatrix>(Z_values.data() + b * static_cast<size_t>(rows * columns), rows, columns);
        if (activation == Activation::identity) {
            result.push_back(linear_value(Z, P_layers, Q_layers, layers));
        } else {
            network.forward(Z);
            result.push_back(network.value());
        }
    }
    return result;
}

}  // namespace emergence
