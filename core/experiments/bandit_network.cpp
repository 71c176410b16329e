#include "core/experiments/bandit_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/io/assets.h"
#include "core/io/embedded_settings.h"
#include "core/io/npz.h"

namespace emergence {

std::string BanditNetwork::misfit(int d, int arms, int rounds) const {
    std::string differences;
    const auto differs = [&](const std::string& text) {
        differences += (differences.empty() ? "" : ", ") + text;
    };
    if (d != shape.d) differs(fmt::format("d = {} instead of {}", shape.d, d));
    if (arms != shape.arms) differs(fmt::format("A = {} instead of {}", shape.arms, arms));
    if (rounds > shape.rounds) differs(fmt::format("T of at most {}, not {}", shape.rounds, rounds));
    if (differences.empty()) return "";
    return fmt::format("The transformer '{}' cannot play here: its weights are for {}.", name, differences);
}

bool BanditNetwork::saw(BanditKind kind) const {
    return training_family(config).shares[static_cast<size_t>(kind)] > 0.0;
}

std::optional<BanditNetwork::Amounts> BanditNetwork::amounts(BanditKind kind) const {
    if (!saw(kind)) return std::nullopt;
    switch (kind) {
        case BanditKind::cosine:
            if (config.frequencies == "four")
                return Amounts{kPaperFrequencies.front(), kPaperFrequencies.back()};
            return Amounts{0.0, config.max_frequency};
        case BanditKind::abrupt:
            return Amounts{1.0, static_cast<double>(config.max_segments)};
        case BanditKind::drift:
            return Amounts{0.0, config.max_angle};
        case BanditKind::elevated:
            break;
    }
    return std::nullopt;
}

std::unique_ptr<BanditPolicy> BanditNetwork::make_policy() const {
    return std::make_unique<TransformerPolicy>(shape, trained.weights, trained.temperature);
}

const std::vector<std::string>& shipped_bandit_networks() {
    static const std::vector<std::string> names = {"cosine", "low", "mixture"};
    return names;
}

BanditNetwork read_bandit_network(const std::filesystem::path& path) {
    const ArrayMap arrays = read_npz(path);
    const SettingsFile file = read_config_of(path);
    if (file.experiment != "bandit-train")
        throw InputError(
            fmt::format("{}: found weights of experiment '{}', needed are those of 'bandit-train'",
                        path.string(), file.experiment));
    Settings settings(std::make_shared<const FieldTable>(fields_of<BanditTrainConfig>()));
    apply(file, settings);
    BanditNetwork network;
    network.name = path.stem().string();
    network.config = config_from<BanditTrainConfig>(settings);
    network.shape = network_shape(network.config);
    check_causal_shape(network.shape);
    auto seeds = trained_bandits(network.shape, arrays, path.string());
    if (seeds.empty()) throw InputError(fmt::format("{}: holds no seed", path.string()));
    network.trained = std::move(seeds.front());
    return network;
}

BanditNetwork shipped_bandit_network(const std::string& name) {
    const auto& names = shipped_bandit_networks();
    if (std::find(names.begin(), names.end(), name) == names.end())
        throw InputError(
            fmt::format("transformer: found '{}', allowed are {}", name, fmt::join(names, ", ")));
    BanditNetwork network = read_bandit_network(assets_folder() / "weights" / ("bandit-" + name + ".npz"));
    network.name = name;
    return network;
}

}  // namespace emergence
