#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <span>
#include <system_error>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/experiments/in_context_td/seed/td_seed.h"
#include "core/experiments/stacked.h"
#include "core/files/array_files.h"

namespace emergence {
namespace {

// An array of a network in a file: its name and shape, and its place in the flat weights.
struct StoredArray {
    std::string name;
    std::vector<size_t> shape;
    size_t offset, size;
};

// The arrays of such a network: P and Q, or the blocks of the RNN or of two heads.
std::vector<StoredArray> stored_arrays(const NetworkShape& shape) {
    std::vector<StoredArray> arrays;
    const auto rows = static_cast<size_t>(shape.rows()), stored = static_cast<size_t>(shape.stored);
    const size_t size = stored * rows * rows;
    if (shape.model == Model::attention) {
        arrays = {{"P", {stored, rows, rows}, 0, size}, {"Q", {stored, rows, rows}, size, size}};
        if (shape.learns_lambda) arrays.push_back({"lambda", {1}, 2 * size, 1});
        return arrays;
    }
    for (const NamedBlock& block : network_blocks(shape)) {
        const std::vector<size_t> sizes = {static_cast<size_t>(block.rows), static_cast<size_t>(block.columns)};
        arrays.push_back({block.name, sizes, block.offset, block.size()});
    }
    return arrays;
}

// The place, from 0, of seed `index`'s network in the array, whose leading size is the number of networks.
size_t place_of_network(const Array& array, const StoredArray& stored, size_t index, bool logged,
                        const std::string& source) {
    std::vector<size_t> shape = array.shape;
    // A single layer may lack the leading size 1.
    if (stored.shape.size() == 3 && stored.shape.front() == 1 && shape.size() == 2) shape.insert(shape.begin(), 1);
    if (shape == stored.shape) return 0;
    const bool several = shape.size() == stored.shape.size() + 1 && shape.front() > 0 &&
                         std::equal(stored.shape.begin(), stored.shape.end(), shape.begin() + 1);
    const bool one_per_layer = shape.size() == 3 && stored.shape.size() == 3 && stored.shape.front() == 1 &&
                               std::equal(stored.shape.begin() + 1, stored.shape.end(), shape.begin() + 1);
    if (!several)
        throw InputError(
            "{}: array '{}' is {}, but these settings need {}{}, or several of these, one per network, with their "
            "number as the first dimension{}",
            source, stored.name, shape_text(array.shape), shape_text(stored.shape),
            stored.shape.size() == 3 ? " (layers x D x D, D = 2 d + 1)" : "",
            one_per_layer ? fmt::format(". For {} layers with weights of their own use --set num_layers={} "
                                        "sequential=true",
                                        shape.front(), shape.front())
                          : "");
    if (logged) return shape.front() - 1;
    if (shape.front() > 1 && index >= shape.front())
        throw InputError(
            "{}: array '{}' holds {} networks, but more seeds were asked for. Use --seeds {}, or a file with one "
            "network",
            source, stored.name, shape.front(), shape.front());
    return shape.front() == 1 ? 0 : index;
}

float value_at(const Array& array, size_t index) {
    return std::visit([index](const auto& values) { return static_cast<float>(values[index]); }, array.values);
}

// The step size in the file; NaN if it has none that can be used.
float alpha_of(ArrayFile& file, size_t index, bool logged) {
    constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
    const Array* alphas = file.find("alpha");
    const size_t count = alphas == nullptr ? 0 : element_count(alphas->shape);
    if (count == 0) return kNone;
    const float alpha = value_at(*alphas, logged ? count - 1 : smaller(index, count - 1));
    return std::isfinite(alpha) ? alpha : kNone;
}

LearnedWeights network_in(ArrayFile& file, const NetworkShape& shape, size_t index) {
    const bool logged = file.contains("xs");
    LearnedWeights seed;
    seed.weights.resize(shape.num_weights());
    seed.alpha = alpha_of(file, index, logged);
    for (const StoredArray& stored : stored_arrays(shape)) {
        const Array& array = file.at(stored.name);
        const std::string& source = file.source();
        const size_t at = place_of_network(array, stored, index, logged, source) * stored.size;
        for (size_t i = 0; i < stored.size; ++i) {
            const float value = value_at(array, at + i);
            if (!std::isfinite(value))
                throw InputError("{}: array '{}' has an entry that is not finite", source, stored.name);
            seed.weights[stored.offset + i] = value;
        }
    }
    return seed;
}

// Accepts regular files only: reading a device would never end.
ArrayFile weights_in(const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
        throw InputError("weights: {}: is not a file", shown_text(path));
    return ArrayFile(path, kMostWeightBytes, "weights: ");
}

}  // namespace

Table matrix_in(const std::vector<float>& weights, const NamedBlock& block) {
    Table table(block.rows, block.columns);
    for (size_t i = 0; i < block.size(); ++i) table.values[i] = static_cast<double>(weights[block.offset + i]);
    return table;
}

LearnedSeeds weights_of(const std::vector<const InContextTdSeed*>& seeds) {
    LearnedSeeds weights;
    for (const InContextTdSeed* seed : seeds) {
        const MultiTaskTd& training = seed->training();
        weights.push_back({training.weights(), training.alpha(), training.diverged()});
    }
    return weights;
}

ArrayMap weight_arrays(const NetworkShape& shape, const LearnedSeeds& seeds) {
    ArrayMap map;
    for (const StoredArray& stored : stored_arrays(shape))
        map[stored.name] = stacked(seeds, stored.shape, [&stored](const LearnedWeights& seed) {
            return std::span(seed.weights).subspan(stored.offset, stored.size);
        });
    map["alpha"] = one_a_seed<float>(seeds, [](const LearnedWeights& seed) { return seed.alpha; });
    return map;
}

LearnedSeeds trained_seeds(const NetworkShape& shape, const Snapshot& snapshot) {
    const size_t count = snapshot.seeds.size();
    const auto alphas = as_doubles(snapshot.weights.at("alpha"));
    LearnedSeeds seeds(count);
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

std::optional<LearnedWeights> start_weights(const InContextTdConfig& config, int seed_index) {
    if (config.weights.empty()) return std::nullopt;
    ArrayFile file = weights_in(config.weights);
    return network_in(file, network_shape(config), static_cast<size_t>(seed_index));
}

void check_start(const InContextTdConfig& config) {
    if (config.weights.empty()) return;
    ArrayFile file = weights_in(config.weights);
    for (int k = 0; k < config.seeds; ++k) network_in(file, network_shape(config), static_cast<size_t>(k));
}

std::string batch_td_name(const InContextTdConfig& config, const LearnedSeeds& seeds) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const LearnedWeights& seed : seeds)
        if (const auto alpha = static_cast<double>(seed.alpha); !seed.failed) {
            low = smaller(low, alpha);
            high = larger(high, alpha);
        }
    if (config.weights.empty() || low > high) return "batch TD";
    const std::string least = readout(low), most = readout(high);
    return "batch TD, \u03b1 = " + (least == most ? least : least + " to " + most);
}

std::string batch_td_alpha(const InContextTdConfig& config) {
    if (config.weights.empty()) return "its trained \u03b1";
    return std::string(
               "the \u03b1 of the weights' file or, if it has none, the \u03b1 whose values are nearest to the "
               "network's") +
           (stands_still(config) ? "" : ", trained on since");
}

}  // namespace emergence
