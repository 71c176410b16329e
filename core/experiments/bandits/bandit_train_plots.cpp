// Curves of experiment "bandit-train", and its weights as the arrays of a file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/experiments/bandits/bandit_train_study.h"

namespace emergence {
namespace {

std::vector<ReferenceLine> reference_lines(const BanditReferences& references,
                                           double ClassicalReference::*regret) {
    std::vector<ReferenceLine> lines;
    for (const ClassicalReference& reference : references.classical())
        lines.push_back({info_of(reference.algorithm).label, reference.*regret, false});
    return lines;
}

}  // namespace

ArrayMap bandit_weight_arrays(const CausalTransformerShape& shape, const std::vector<TrainedBandit>& seeds) {
    ArrayMap arrays;
    for (const NamedBlock& block : causal_transformer_blocks(shape)) {
        std::vector<float> values;
        for (const TrainedBandit& seed : seeds) {
            const auto first = seed.weights.begin() + static_cast<std::ptrdiff_t>(block.offset);
            values.insert(values.end(), first, first + static_cast<std::ptrdiff_t>(block.size()));
        }
        arrays[block.name] = {
            {seeds.size(), static_cast<size_t>(block.rows), static_cast<size_t>(block.columns)},
            std::move(values)};
    }
    std::vector<double> temperatures;
    for (const TrainedBandit& seed : seeds) temperatures.push_back(seed.temperature);
    arrays["temperature"] = {{seeds.size()}, std::move(temperatures)};
    return arrays;
}

std::vector<TrainedBandit> trained_bandits(const CausalTransformerShape& shape, const ArrayMap& arrays,
                                           const std::string& source) {
    const auto find = [&](const std::string& name) -> const Array& {
        const auto found = arrays.find(name);
        if (found == arrays.end())
            throw InputError(
                fmt::format("{}: array '{}' is missing, a weight of this network", source, name));
        return found->second;
    };
    const std::vector<double> temperatures = as_doubles(find("temperature"));
    std::vector<TrainedBandit> seeds;
    for (const double temperature : temperatures) {
        if (!(temperature >= 0.0 && std::isfinite(temperature)))
            throw InputError(
                fmt::format("{}: temperature: found {}, allowed is 0 or more", source, temperature));
        seeds.push_back({{}, temperature});
    }
    for (const NamedBlock& block : causal_transformer_blocks(shape)) {
        const Array& array = find(block.name);
        const std::vector<size_t> wanted = {seeds.size(), static_cast<size_t>(block.rows),
                                            static_cast<size_t>(block.columns)};
        const auto* values = std::get_if<std::vector<float>>(&array.values);
        if (!values || array.shape != wanted)
            throw InputError(fmt::format("{}: array '{}': found shape {}, needed are float32 of shape {}",
                                         source, block.name, fmt::join(array.shape, " x "),
                                         fmt::join(wanted, " x ")));
        if (std::any_of(values->begin(), values->end(), [](float x) { return !std::isfinite(x); }))
            throw InputError(
                fmt::format("{}: array '{}' has an entry that is not finite", source, block.name));
        for (size_t s = 0; s < seeds.size(); ++s) {
            const auto first = values->begin() + static_cast<std::ptrdiff_t>(s * block.size());
            seeds[s].weights.insert(seeds[s].weights.end(), first,
                                    first + static_cast<std::ptrdiff_t>(block.size()));
        }
    }
    return seeds;
}

MetricTable bandit_train_metrics() {
    return {{"cross_entropy", "cross-entropy",
             "Mean over the updates since the last point of -log of the probability of the best arm, a "
             "round, in nats."},
            {"validation_regret", "network",
             "Mean final dynamic regret on fresh environments of the training family, at the best of three "
             "temperatures."},
            {"test_regret", "network", "The same on the test environments, at the temperature chosen above."},
            {"temperature", "temperature",
             "The one with the least validation regret: 1, 0.5 or 0 (most probable arm)."},
            {"validation_regret_1", "temperature 1", "Validation regret at temperature 1."},
            {"validation_regret_half", "temperature 0.5", "Validation regret at temperature 0.5."},
            {"validation_regret_greedy", "most probable arm",
             "Validation regret when the most probable arm is played."}};
}

std::vector<MetricPlot> bandit_train_plots(const BanditTrainConfig& config,
                                           const BanditReferences& references) {
    const AxisSpec regret{.label = "mean final regret", .unit = "", .minimum = 0.0};
    MetricPlot loss{"cross-entropy",
                    "Cross-entropy",
                    {{"cross_entropy", "", 0, false}},
                    {.label = "a round", .unit = "nats"},
                    {},
                    "What is trained on, eq. (6) of Chen et al. 2025 with the best arm as label."};
    loss.references = {{"knowing nothing: log A", std::log(static_cast<double>(config.shape.arms)), false}};
    return {std::move(loss),
            {"validation",
             "Validation regret",
             {{"validation_regret", "at the best temperature", 0, false},
              {"validation_regret_1", "", 1, false},
              {"validation_regret_half", "", 2, false},
              {"validation_regret_greedy", "", 3, false}},
             regret,
             reference_lines(references, &ClassicalReference::validation),
             "Fresh environments of the training family, the same at every point. Dashed: classical "
             "algorithms that do "
             "not know the environment, with the paper's constants."},
            {"test",
             "Test regret",
             {{"test_regret", "", 0, false}},
             regret,
             reference_lines(references, &ClassicalReference::test),
             "Environments of the test settings, at the temperature that the validation stream chose."}};
}

}  // namespace emergence
