#include "core/experiments/in_context_td/seed/start_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <system_error>

#include "core/base/array.h"
#include "core/base/error.h"
#include "core/experiments/in_context_td/settings/td_network.h"
#include "core/files/array_files.h"

namespace emergence {
namespace {

void require_same(const std::string& field, int64_t found, int64_t needed) {
    if (found != needed)
        throw InputError(fmt::format("{}: it is {}, but the run in replay has {}", field, found, needed));
}

void check_replay(const InContextTdConfig& config) {
    if (config.model != "attention")
        throw InputError("model: a run in replay has the model attention, not " + config.model);
    const auto folders = published_run_folders(config.replay);
    if (folders.empty())
        throw InputError(fmt::format("replay: '{}' is not a folder with {} and {}, or a folder of such folders",
                                     config.replay, kPublishedData, kPublishedParams));
    require_same("seeds", config.seeds, static_cast<int64_t>(folders.size()));
    for (const auto& folder : folders) {
        const PublishedParams params = read_published_params(folder);
        require_same("d", config.tasks.d, params.d);
        require_same("num_layers", config.num_layers, params.l);
        if (config.sequential != (params.mode == "sequential"))
            throw InputError(fmt::format("sequential: it is {}, but the run in replay has {}", config.sequential,
                                         !config.sequential));
    }
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
        throw InputError(fmt::format(
            "{}: array '{}' is {}, but these settings ask for {}{}, or for several of them, one per network, with "
            "their number in front{}",
            source, stored.name, shape_text(array.shape), shape_text(stored.shape),
            stored.shape.size() == 3 ? " (layers x D x D, D = 2 d + 1)" : "",
            one_per_layer ? fmt::format(". For {} layers with weights of their own use --set num_layers={} "
                                        "sequential=true",
                                        shape.front(), shape.front())
                          : ""));
    if (logged) return shape.front() - 1;
    if (shape.front() > 1 && index >= shape.front())
        throw InputError(fmt::format(
            "{}: array '{}' holds {} networks, but there are more seeds. Use --seeds {}, or a file with one "
            "network",
            source, stored.name, shape.front(), shape.front()));
    return shape.front() == 1 ? 0 : index;
}

float value_at(const Array& array, size_t index) {
    return std::visit([index](const auto& values) { return static_cast<float>(values[index]); }, array.values);
}

// NaN if the file has none that can be used.
float alpha_of(ArrayFile& file, size_t index, bool logged) {
    constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
    const Array* alphas = file.find("alpha");
    const size_t count = alphas == nullptr ? 0 : element_count(alphas->shape);
    if (count == 0) return kNone;
    const float alpha = value_at(*alphas, logged ? count - 1 : std::min(index, count - 1));
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
                throw InputError(fmt::format("{}: array '{}' has an entry that is not finite", source, stored.name));
            seed.weights[stored.offset + i] = value;
        }
    }
    return seed;
}

// Accepts regular files only: reading a device would never end.
ArrayFile weights_in(const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
        throw InputError(fmt::format("weights: {}: is no file", path));
    return ArrayFile(path, kMostWeightBytes, "weights: ");
}

}  // namespace

Replay::Replay(const InContextTdConfig& config) : source_(config.replay) {
    check_replay(config);
    for (const auto& folder : published_run_folders(config.replay)) runs_.push_back(read_published_run(folder));
    for (int k = 0; k < config.seeds; ++k)
        for (const float value : weights(k, 0))
            if (!std::isfinite(value))
                throw InputError(
                    fmt::format("replay: {}: run {} begins with an entry that is not finite", config.replay, k + 1));
}

std::vector<float> Replay::weights(int seed_index, size_t index) const {
    const PublishedRun& of_seed = run(seed_index);
    const size_t size = of_seed.matrix_size();
    std::vector<float> flat;
    for (const auto* values : {&of_seed.P, &of_seed.Q}) {
        const auto start = values->begin() + static_cast<std::ptrdiff_t>(index * size);
        flat.insert(flat.end(), start, start + static_cast<std::ptrdiff_t>(size));
    }
    return flat;
}

std::vector<double> Replay::logged_scores(int seed_index, int64_t step) const {
    const PublishedRun& of_seed = run(seed_index);
    const auto index =
        static_cast<size_t>(std::lower_bound(of_seed.steps.begin(), of_seed.steps.end(), step) - of_seed.steps.begin());
    std::vector<double> scores;
    for (const auto* logged : {&of_seed.value_difference, &of_seed.implicit_weight, &of_seed.sensitivity})
        scores.push_back(logged->empty() ? std::numeric_limits<double>::quiet_NaN() : (*logged)[index]);
    return scores;
}

int64_t Replay::last_step() const {
    int64_t last = 0;
    for (const PublishedRun& of_seed : runs_) last = std::max(last, of_seed.steps.back());
    return last;
}

std::string Replay::note() const {
    return fmt::format("replayed; before MRP {}, the first that is logged there, as it is then",
                       runs_.front().steps.front());
}

std::shared_ptr<const Replay> make_replay(const InContextTdConfig& config) {
    return config.replay.empty() ? nullptr : std::make_shared<const Replay>(config);
}

std::optional<LearnedWeights> start_weights(const InContextTdConfig& config, int seed_index) {
    if (config.weights.empty()) return std::nullopt;
    ArrayFile file = weights_in(config.weights);
    return network_in(file, network_shape(config), static_cast<size_t>(seed_index));
}

void check_start(const InContextTdConfig& config) {
    if (!config.replay.empty() && !config.weights.empty())
        throw InputError("weights: a run in replay brings its own weights. Leave this setting empty");
    if (!config.replay.empty()) check_replay(config);
    if (config.weights.empty()) return;
    ArrayFile file = weights_in(config.weights);
    for (int k = 0; k < config.seeds; ++k) network_in(file, network_shape(config), static_cast<size_t>(k));
}

}  // namespace emergence
