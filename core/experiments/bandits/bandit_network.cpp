#include "core/experiments/bandits/bandit_train.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/experiments/stacked.h"
#include "core/files/array_files.h"
#include "core/files/folders.h"
#include "core/files/text.h"
#include "core/settings/embedded_settings.h"

namespace emergence {
namespace {

// The place of the seed with the least validation regret, at its best temperature.
size_t best_by_validation(const BanditTrainConfig& config, const std::vector<TrainedBandit>& seeds) {
    if (seeds.size() == 1) return 0;
    const BanditReferences references(config);
    std::vector<double> regrets;
    for (const TrainedBandit& seed : seeds) {
        const NetworkRegrets played = network_regrets(references, config.shape, seed.weights);
        regrets.push_back(played.validation[played.best]);
    }
    const auto best = std::min_element(regrets.begin(), regrets.end(),
                                       [](double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; });
    return static_cast<size_t>(best - regrets.begin());
}

}  // namespace

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
            throw InputError("{}: array '{}', a weight of this network, is missing", source, name);
        return found->second;
    };
    const std::vector<double> temperatures = as_doubles(find("temperature"));
    if (temperatures.size() > kMostStoredSeeds)
        throw InputError("{}: holds {} networks, more than the limit of {}", source, temperatures.size(),
                         kMostStoredSeeds);
    std::vector<TrainedBandit> seeds;
    for (const double temperature : temperatures) {
        if (!(temperature >= 0.0 && std::isfinite(temperature)))
            throw InputError("{}: temperature: {} is not a number of 0 or more", source, temperature);
        seeds.push_back({{}, temperature});
    }
    for (const NamedBlock& block : causal_transformer_blocks(shape)) {
        const Array& array = find(block.name);
        const std::vector<size_t> wanted = {seeds.size(), static_cast<size_t>(block.rows),
                                            static_cast<size_t>(block.columns)};
        const auto* values = std::get_if<std::vector<float>>(&array.values);
        if (!values || array.shape != wanted)
            throw InputError("{}: array '{}' has shape {} instead of float32 of shape {}", source, block.name,
                             fmt::join(array.shape, " x "), fmt::join(wanted, " x "));
        if (any_of(*values, [](float x) { return !std::isfinite(x); }))
            throw InputError("{}: array '{}' has an entry that is not finite", source, block.name);
        for (size_t s = 0; s < seeds.size(); ++s) {
            const auto first = values->begin() + static_cast<std::ptrdiff_t>(s * block.size());
            seeds[s].weights.insert(seeds[s].weights.end(), first, first + static_cast<std::ptrdiff_t>(block.size()));
        }
    }
    return seeds;
}

std::string BanditNetwork::misfit(int d, int arms, int rounds) const {
    std::string differences;
    const auto differs = [&](const std::string& text) { differences += (differences.empty() ? "" : ", ") + text; };
    if (d != shape.d) differs(fmt::format("d = {} instead of {}", shape.d, d));
    if (arms != shape.arms) differs(fmt::format("A = {} instead of {}", shape.arms, arms));
    if (rounds > shape.rounds) differs(fmt::format("T of at most {}, not {}", shape.rounds, rounds));
    if (differences.empty()) return "";
    return fmt::format("The transformer '{}' cannot play here: its weights are for {}.", name, differences);
}

std::optional<TrainedAmounts> BanditNetwork::amounts(BanditKind kind) const {
    if (training_family(config).shares[static_cast<size_t>(kind)] == 0.0) return std::nullopt;
    const BanditFamily& family = config.family;
    const double windows = family.windows;
    const std::map<BanditKind, TrainedAmounts> amounts = {
        {BanditKind::cosine, has_four_frequencies(family.cosines)
                                 ? TrainedAmounts{kPaperFrequencies.front(), kPaperFrequencies.back()}
                                 : TrainedAmounts{0.0, family.max_frequency}},
        {BanditKind::elevated, {windows, windows}},
        {BanditKind::abrupt, {1.0, static_cast<double>(family.max_segments)}},
        {BanditKind::drift, {0.0, family.max_angle}}};
    return amounts.at(kind);
}

std::unique_ptr<BanditPolicy> BanditNetwork::make_policy() const {
    return std::make_unique<TransformerPolicy>(shape, trained.weights, trained.temperature);
}

const std::vector<std::string>& shipped_bandit_networks() {
    static const std::vector<std::string> names = {"cosine", "low", "mixture", "memorise"};
    return names;
}

BanditNetwork read_bandit_network(const std::filesystem::path& path) {
    const SettingsFile file = read_config_of(path);
    if (file.experiment != "bandit-train")
        throw InputError("{}: holds weights of experiment '{}' instead of 'bandit-train'", path.string(),
                         file.experiment);
    Settings settings(std::make_shared<const FieldTable>(fields_of<BanditTrainConfig>()));
    apply(file, settings);
    BanditNetwork network;
    network.name = path.stem().string();
    network.config = config_from<BanditTrainConfig>(settings);
    network.shape = network.config.shape;
    check_causal_shape(network.shape);
    std::vector<std::string> names = {"temperature"};
    for (const NamedBlock& block : causal_transformer_blocks(network.shape)) names.push_back(block.name);
    auto seeds = trained_bandits(network.shape, ArrayFile(path, kMostWeightBytes).read(names), path.string());
    if (seeds.empty()) throw InputError("{}: holds no network", path.string());
    const size_t best = best_by_validation(network.config, seeds);
    network.seed = network.config.seed + static_cast<int64_t>(best);
    network.trained = std::move(seeds[best]);
    return network;
}

std::filesystem::path bandit_weights_path(const std::string& name) {
    return assets_folder() / "weights" / ("bandit-" + name + ".npz");
}

BanditNetwork shipped_bandit_network(const std::string& name) {
    if (!contains(shipped_bandit_networks(), name))
        throw InputError("transformer: '{}' is not one of {}", name, fmt::join(shipped_bandit_networks(), ", "));
    BanditNetwork network = read_bandit_network(bandit_weights_path(name));
    network.name = name;
    return network;
}

void add_transformer(const std::string& transformer, const BanditOptions& world, BanditPlayers& players) {
    if (transformer == "none") return;
    const bool long_elevated = world.kind == BanditKind::elevated && world.rounds > BanditTrainConfig{}.family.rounds;
    const std::string name = transformer != "auto"              ? transformer
                             : long_elevated                    ? "low"
                             : world.kind == BanditKind::cosine ? "cosine"
                                                                : "mixture";
    try {
        add_network(std::make_shared<const BanditNetwork>(shipped_bandit_network(name)), world, players);
    } catch (const std::exception& error) {
        players.absent.push_back(fmt::format("The transformer '{}' cannot play: {}.", name, error.what()));
    }
}

void add_network(std::shared_ptr<const BanditNetwork> network, const BanditOptions& world, BanditPlayers& players) {
    const std::string misfit = network->misfit(world.d, world.arms, world.rounds);
    if (!misfit.empty()) {
        players.absent.push_back(misfit);
        return;
    }
    const BanditKind kind = world.kind;
    players.trained = network->amounts(kind);
    const bool beyond = players.trained && !players.trained->contains(amount_of(world).value);
    BanditPlayer player;
    player.id = player.name = "transformer";
    player.label = !players.trained ? "transformer (never saw this family)"
                   : beyond         ? "transformer (beyond its training)"
                                    : kSawFamily;
    const bool ships = contains(shipped_bandit_networks(), network->name);
    player.badge = fmt::format(
        "Weights '{}', {}seed {}; trained on the best arms that an oracle named. Temperature {}, chosen on a "
        "validation stream.{}",
        network->name, ships ? fmt::format("made by `run bandit-train --preset bandit-{}`, ", network->name) : "",
        network->seed, network->trained.temperature,
        beyond ? fmt::format(" Trained on {} from {} to {}; here it is {}.", amount_of(world).label,
                             players.trained->from, players.trained->to, amount_of(world).value)
               : "");
    player.color = kBanditNetworkColor;
    player.stream = kFirstOtherPolicyStream;
    player.make = [network] { return network->make_policy(); };
    players.players.push_back(std::move(player));
}

bool holds_bandit_network(const std::filesystem::path& path) {
    try {
        const ArrayFile file(path, kMostWeightBytes);
        return file.contains("W_token") && file.contains("temperature") && file.contains(kSettingsKey);
    } catch (const InputError&) {
        return false;
    }
}

}  // namespace emergence
