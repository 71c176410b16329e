#include "core/experiments/in_context_td/seed/td_weights.h"

#include <span>

#include "core/base/error.h"
#include "core/experiments/in_context_td/seed/td_seed.h"
#include "core/experiments/stacked.h"

namespace emergence {

Table matrix_in(const std::vector<float>& weights, const NamedBlock& block) {
    Table table(block.rows, block.columns);
    for (size_t i = 0; i < block.size(); ++i) table.values[i] = static_cast<double>(weights[block.offset + i]);
    return table;
}

LayerWeights layers_in(const std::vector<float>& weights, const NetworkShape& shape) {
    using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Eigen::Index rows = shape.rows();
    const float* next = weights.data();
    LayerWeights layers;
    for (std::vector<Eigen::MatrixXd>* matrices : {&layers.P, &layers.Q})
        for (int l = 0; l < shape.stored; ++l, next += rows * rows)
            matrices->push_back(Eigen::Map<const RowMajor>(next, rows, rows).cast<double>());
    return layers;
}

std::vector<StoredArray> stored_arrays(const NetworkShape& shape) {
    std::vector<StoredArray> arrays;
    if (shape.model == Model::attention) {
        const auto rows = static_cast<size_t>(shape.rows()), stored = static_cast<size_t>(shape.stored);
        const size_t size = stored * rows * rows;
        for (const char* name : {"P", "Q"})
            arrays.push_back({name, {stored, rows, rows}, arrays.empty() ? 0 : size, size});
        if (shape.learns_lambda) arrays.push_back({"lambda", {1}, 2 * size, 1});
        return arrays;
    }
    for (const NamedBlock& block : network_blocks(shape))
        arrays.push_back({block.name,
                          {static_cast<size_t>(block.rows), static_cast<size_t>(block.columns)},
                          block.offset,
                          block.size()});
    return arrays;
}

std::vector<LearnedWeights> weights_of(const std::vector<const InContextTdSeed*>& seeds) {
    std::vector<LearnedWeights> weights;
    for (const InContextTdSeed* seed : seeds) {
        const MultiTaskTd& training = seed->training();
        weights.push_back({training.weights(), training.alpha(), training.diverged()});
    }
    return weights;
}

ArrayMap weight_arrays(const NetworkShape& shape, const std::vector<LearnedWeights>& seeds) {
    ArrayMap map;
    for (const StoredArray& stored : stored_arrays(shape))
        map[stored.name] = stacked(seeds, stored.shape, [&stored](const LearnedWeights& seed) {
            return std::span(seed.weights).subspan(stored.offset, stored.size);
        });
    map["alpha"] = one_a_seed<float>(seeds, [](const LearnedWeights& seed) { return seed.alpha; });
    return map;
}

std::vector<LearnedWeights> trained_seeds(const NetworkShape& shape, const Snapshot& snapshot) {
    const size_t count = snapshot.seeds.size();
    const auto alphas = as_doubles(snapshot.weights.at("alpha"));
    std::vector<LearnedWeights> seeds(count);
    for (size_t k = 0; k < count; ++k) {
        seeds[k].weights.resize(shape.num_weights());
        seeds[k].alpha = static_cast<float>(alphas[k]);
        seeds[k].failed = snapshot.seeds[k].failed;
    }
    for (const StoredArray& stored : stored_arrays(shape)) {
        const auto values = as_doubles(snapshot.weights.at(stored.name));
        check(values.size() == count * stored.size, "an inspection keeps the trained sizes");
        for (size_t k = 0; k < count; ++k)
            for (size_t i = 0; i < stored.size; ++i)
                seeds[k].weights[stored.offset + i] = static_cast<float>(values[k * stored.size + i]);
    }
    return seeds;
}

}  // namespace emergence
