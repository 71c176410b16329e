#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <ostream>

#include "app/cli/command.h"
#include "app/cli/json.h"
#include "core/base/array.h"
#include "core/base/error.h"
#include "core/files/array_files.h"
#include "core/models/evaluate_prompts.h"

namespace emergence::cli {
namespace {

struct ValueRequest {
    std::string weights;
    std::string prompts;
    int layers = 1;
    std::string activation = "identity";
    std::optional<int> seed;  // which of the file's seeds
    bool json = false;
};

// One index of the first dimension.
Array part_of(const Array& array, size_t index) {
    Array part;
    part.shape.assign(array.shape.begin() + 1, array.shape.end());
    const size_t size = element_count(part.shape);
    part.values = std::visit(
        [&](const auto& values) {
            const auto start = values.begin() + static_cast<std::ptrdiff_t>(index * size);
            return decltype(part.values)(
                std::decay_t<decltype(values)>(start, start + static_cast<std::ptrdiff_t>(size)));
        },
        array.values);
    return part;
}

// Where the seed that was asked for stands: by its number where the file has numbers.
size_t place_of_seed(ArrayFile& weights, const ValueRequest& request, size_t seeds) {
    if (!request.seed) return 0;
    if (const Array* numbers = weights.contains("seed") ? weights.find("seed") : nullptr;
        numbers != nullptr && element_count(numbers->shape) == seeds) {
        const std::vector<double> known = as_doubles(*numbers);
        const auto found = std::find(known.begin(), known.end(), static_cast<double>(*request.seed));
        if (found == known.end())
            throw InputError(fmt::format("--seed: {} is not one of the seeds in {}: {}", *request.seed, request.weights,
                                         fmt::join(known, ", ")));
        return static_cast<size_t>(found - known.begin());
    }
    const auto place = static_cast<size_t>(*request.seed);
    if (place >= seeds)
        throw InputError(
            fmt::format("--seed: {} is not from 0 to {}, the seeds in {}", place, seeds - 1, request.weights));
    return place;
}

// The layers of one seed, from a file of one or of several.
Array layers_of(ArrayFile& weights, const std::string& name, const ValueRequest& request) {
    const Array& array = weights.at(name);
    if (array.shape.size() == 3) {
        if (request.seed)
            throw InputError(fmt::format("--seed: {}: {} has shape {}. Use --seed only with seeds x layers x D x D",
                                         request.weights, name, shape_text(array.shape)));
        return array;
    }
    if (array.shape.size() != 4)
        throw InputError(fmt::format("{}: {} has shape {} instead of layers x D x D or seeds x layers x D x D",
                                     request.weights, name, shape_text(array.shape)));
    const size_t seeds = array.shape[0];
    if (!request.seed && seeds != 1)
        throw InputError(fmt::format("{}: {} holds {} seeds. Choose one with --seed K", request.weights, name, seeds));
    return part_of(array, place_of_seed(weights, request, seeds));
}

// Refusals name the file whose array they are about.
std::vector<double> values_of(const Array& Z, const Array& P, const Array& Q, Activation activation,
                              const ValueRequest& request) {
    try {
        return attention_values(Z, P, Q, request.layers, activation);
    } catch (const InputError& error) {
        const std::string why = error.what();
        throw InputError(fmt::format("{}: {}", why.starts_with("Z") ? request.prompts : request.weights, why));
    }
}

int run_value(const ValueRequest& request, const Environment& environment) {
    const Activation activation = activation_named(request.activation, "--activation");
    ArrayFile weights(request.weights), prompts(request.prompts);
    // An NPY file has one array, and its name says nothing.
    const std::string stem = std::filesystem::path(request.prompts).stem().string();
    const bool unnamed = prompts.names() == std::vector<std::string>{stem};
    const Array& Z = prompts.at(unnamed ? stem : "Z");
    const Array P = layers_of(weights, "P", request);
    const Array Q = layers_of(weights, "Q", request);
    const std::vector<double> values = values_of(Z, P, Q, activation, request);
    size_t overflowed = 0;
    Json json = Json::array();
    for (const double value : values) {
        if (request.json)
            json.push_back(json_number(value));
        else
            environment.out << fmt::format("{}\n", value);
        overflowed += std::isfinite(value) ? 0 : 1;
    }
    if (request.json) print_json({{"values", json}}, environment.out);
    if (overflowed == 0) return kDone;
    environment.err << fmt::format(
        "emergence-cli: {} of {} values are not finite: the weights are too large for {} layers\n", overflowed,
        values.size(), request.layers);
    return kFailure;
}

}  // namespace

Command value_command() {
    return command_of<ValueRequest>(
        "value", "Values that given weights assign to given prompts",
        [](Options& options, ValueRequest& request) {
            constexpr int kMost = 1'000'000;
            options
                .text("--weights", "W.npz", "NPZ or safetensors with P and Q: [seeds x] layers x D x D",
                      request.weights)
                .required();
            options.text("--prompts", "Z.npz", "NPZ, safetensors or NPY with Z: B x (2d+1) x (n+1)", request.prompts)
                .required();
            options.number("--layers", "L", "Layers; one stored layer is used again", 1, kMost, request.layers)
                .required();
            options.text("--activation", "NAME",
                         "identity, softmax, softmax_columns, relu, elu or tanh (default: identity)",
                         request.activation);
            options.number("--seed", "N",
                           "Which of the file's seeds: its number, or its place from 0 in a file without numbers", 0,
                           kMost, request.seed);
            options.json(request.json);
        },
        run_value);
}

}  // namespace emergence::cli
