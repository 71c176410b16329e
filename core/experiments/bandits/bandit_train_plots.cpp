// Curves of experiment "bandit-train", and its weights as the arrays of a file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/experiments/bandits/bandit_train.h"
#include "core/experiments/stacked.h"
#include "core/files/text.h"
#include "core/lab/views/measured.h"

namespace emergence {

ArrayMap bandit_weight_arrays(const CausalTransformerShape& shape, const std::vector<TrainedBandit>& seeds) {
    ArrayMap arrays;
    for (const NamedBlock& block : causal_transformer_blocks(shape))
        arrays[block.name] = stacked(seeds, {static_cast<size_t>(block.rows), static_cast<size_t>(block.columns)},
                                     [&block](const TrainedBandit& seed) {
                                         return std::span(seed.weights).subspan(block.offset, block.size());
                                     });
    arrays["temperature"] = one_a_seed<double>(seeds, [](const TrainedBandit& seed) { return seed.temperature; });
    return arrays;
}

std::vector<TrainedBandit> trained_bandits(const CausalTransformerShape& shape, const ArrayMap& arrays,
                                           const std::string& source) {
    const auto find = [&](const std::string& name) -> const Array& {
        const auto found = arrays.find(name);
        if (found == arrays.end())
            throw InputError(fmt::format("{}: array '{}' is missing, a weight of this network", source, name));
        return found->second;
    };
    const std::vector<double> temperatures = as_doubles(find("temperature"));
    if (temperatures.size() > kMostStoredSeeds)
        throw InputError(fmt::format("{}: holds {} seeds, more than the limit of {}", source, temperatures.size(),
                                     kMostStoredSeeds));
    std::vector<TrainedBandit> seeds;
    for (const double temperature : temperatures) {
        if (!(temperature >= 0.0 && std::isfinite(temperature)))
            throw InputError(fmt::format("{}: temperature: {} is not a number from 0", source, temperature));
        seeds.push_back({{}, temperature});
    }
    for (const NamedBlock& block : causal_transformer_blocks(shape)) {
        const Array& array = find(block.name);
        const std::vector<size_t> wanted = {seeds.size(), static_cast<size_t>(block.rows),
                                            static_cast<size_t>(block.columns)};
        const auto* values = std::get_if<std::vector<float>>(&array.values);
        if (!values || array.shape != wanted)
            throw InputError(fmt::format("{}: array '{}' has shape {} instead of float32 of shape {}", source,
                                         block.name, fmt::join(array.shape, " x "), fmt::join(wanted, " x ")));
        if (std::any_of(values->begin(), values->end(), [](float x) { return !std::isfinite(x); }))
            throw InputError(fmt::format("{}: array '{}' has an entry that is not finite", source, block.name));
        for (size_t s = 0; s < seeds.size(); ++s) {
            const auto first = values->begin() + static_cast<std::ptrdiff_t>(s * block.size());
            seeds[s].weights.insert(seeds[s].weights.end(), first, first + static_cast<std::ptrdiff_t>(block.size()));
        }
    }
    return seeds;
}

Metrics<NetworkRegrets> bandit_train_metrics() {
    using M = NetworkRegrets;
    const auto validation = [](size_t i) { return [i](const M& m) { return m.validation[i]; }; };
    return {
        {"cross_entropy", "cross-entropy",
         "Mean over the updates since the last point of -log of the probability of the best arm, a round, in nats.",
         &M::cross_entropy},
        {"validation_regret", "network",
         "Mean final dynamic regret on fresh environments of the training family, at the best of three temperatures.",
         [](const M& m) { return m.validation[m.best]; }},
        {"test_regret", "network", "The same on the test environments, at the temperature chosen above.", &M::test},
        {"temperature", "temperature", "The one with the least validation regret: 1, 0.5 or 0 (most probable arm).",
         [](const M& m) { return kTemperatures[m.best]; }},
        {"validation_regret_1", "temperature 1", "Validation regret at temperature 1.", validation(0)},
        {"validation_regret_half", "temperature 0.5", "Validation regret at temperature 0.5.", validation(1)},
        {"validation_regret_greedy", "most probable arm", "Validation regret when the most probable arm is played.",
         validation(2)}};
}

std::vector<MetricPlot> bandit_train_plots(const BanditTrainConfig& config, const BanditReferences& references) {
    const auto add_classical = [&references](HistoryPlot& plot, double ClassicalReference::*regret) {
        plot.y("mean final regret").from(0.0);
        for (const ClassicalReference& reference : references.classical())
            plot.level(info_of(reference.algorithm).label, reference.*regret);
    };
    HistoryPlot loss("cross-entropy", "Cross-entropy");
    loss.line("cross_entropy");
    loss.y("a round").unit("nats");
    loss.level("knowing nothing: log A", std::log(static_cast<double>(config.shape.arms)));
    loss.note("What is trained on, eq. (6) of Chen et al. 2025 with the best arm as label.");
    HistoryPlot validation("validation", "Validation regret");
    validation.line("validation_regret").label("at the best temperature");
    validation.line("validation_regret_1").color(1);
    validation.line("validation_regret_half").color(2);
    validation.line("validation_regret_greedy").color(3);
    add_classical(validation, &ClassicalReference::validation);
    validation.note(
        "Fresh environments of the training family, the same at every point. Dashed: classical algorithms that do not "
        "know the environment, with the constants of Chen et al. 2025.");
    HistoryPlot test("test", "Test regret");
    test.line("test_regret");
    add_classical(test, &ClassicalReference::test);
    test.note("Environments of the test settings, at the temperature that the validation stream chose.");
    return {loss, validation, test};
}

}  // namespace emergence
