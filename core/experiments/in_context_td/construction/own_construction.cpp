#include "core/experiments/in_context_td/construction/own_construction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/base/error.h"
#include "core/experiments/in_context_td/seed/start_weights.h"
#include "core/experiments/in_context_td/settings/td_network.h"
#include "core/measures/network_evaluator.h"

namespace emergence {
namespace {

double product_of(const Table& a, const Table& b) {
    double sum = 0.0;
    for (size_t i = 0; i < a.values.size(); ++i) sum += a.values[i] * b.values[i];
    return sum;
}

double cosine_of(const Table& a, const Table& b) {
    return product_of(a, b) / std::sqrt(product_of(a, a) * product_of(b, b));
}

// One matrix of the flat weights, largest entry 1.
Table scaled_matrix(const std::vector<float>& weights, size_t index, int rows, double sign, const std::string& path) {
    Table table(rows, rows);
    const size_t size = table.values.size();
    double largest = 0.0;
    for (size_t i = 0; i < size; ++i) {
        table.values[i] = sign * static_cast<double>(weights[index * size + i]);
        largest = std::max(largest, std::abs(table.values[i]));
    }
    if (!(largest > 0.0))
        throw InputError(fmt::format("construction: {}: a matrix is zero. Every P and Q needs an entry", path));
    for (double& value : table.values) value /= largest;
    return table;
}

}  // namespace

std::shared_ptr<const OwnConstruction> own_construction(const InContextTdConfig& config) {
    const std::string& path = config.construction;
    if (path.empty()) return nullptr;
    const NetworkShape shape = network_shape(config);
    if (!is_linear(shape))
        throw InputError(
            "construction: is compared with linear attention alone. Set model = attention and activation = "
            "identity, or no construction.");
    auto construction = std::make_shared<OwnConstruction>();
    construction->name = "own construction " + std::filesystem::path(path).filename().string();
    construction->weights = network_in_file("construction", path, shape).weights;
    const auto stored = static_cast<size_t>(shape.stored);
    const auto size = static_cast<size_t>(shape.rows() * shape.rows());
    for (size_t l = 0; l < stored; ++l) {
        const double sign = construction->weights[(l + 1) * size - 1] < 0.0F ? -1.0 : 1.0;
        construction->P.push_back(scaled_matrix(construction->weights, l, shape.rows(), sign, path));
        construction->Q.push_back(scaled_matrix(construction->weights, stored + l, shape.rows(), sign, path));
    }
    return construction;
}

bool agrees(const OwnConstruction& construction, size_t layer, const Table& P, const Table& Q) {
    const double of_P = cosine_of(P, construction.P[layer]), of_Q = cosine_of(Q, construction.Q[layer]);
    return of_P * of_Q > 0.0 && std::min(std::abs(of_P), std::abs(of_Q)) > kOwnCosine;
}

}  // namespace emergence
