// Networks that play bandits: as files, as players, and what one sees inside.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <system_error>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/statistics.h"
#include "core/base/text.h"
#include "core/experiments/bandits/bandits.h"
#include "core/experiments/stacked.h"
#include "core/files/array_files.h"
#include "core/files/folders.h"
#include "core/files/text.h"
#include "core/lab/views/run_views.h"
#include "core/pictures/plot.h"
#include "core/settings/embedded_settings.h"

namespace emergence {
namespace {

// The place of the seed with the least validation regret, at its best temperature.
size_t best_by_validation(const BanditTrainConfig& config, const std::vector<TrainedBandit>& seeds) {
    if (seeds.size() == 1) return 0;
    const BanditReferences references(config);
    const std::vector<double> regrets = mapped(seeds, [&](const TrainedBandit& seed) {
        const NetworkRegrets played = network_regrets(references, config.shape, seed.weights);
        return played.validation[played.best];
    });
    const auto best = std::min_element(regrets.begin(), regrets.end(),
                                       [](double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; });
    return static_cast<size_t>(best - regrets.begin());
}

constexpr int kBin = 10;  // rounds that agreement is averaged over
constexpr size_t kMostHeads = 8;

// The algorithms whose choices are compared with the network's, on the network's own history.
constexpr std::array<BanditAlgorithm, 5> kCompared = {BanditAlgorithm::linucb, BanditAlgorithm::thompson,
                                                      BanditAlgorithm::sliding_window, BanditAlgorithm::discounted,
                                                      BanditAlgorithm::uniform};

// Means over bins of kBin rounds; an incomplete last bin is dropped.
std::vector<double> binned(const std::vector<double>& values) {
    std::vector<double> means;
    for (size_t first = 0; first + kBin <= values.size(); first += kBin) {
        double sum = 0;
        for (size_t i = first; i < first + kBin; ++i) sum += values[i];
        means.push_back(sum / kBin);
    }
    return means;
}

// One seed's network in the environment shown.
struct LookInside {
    NetworkPlay play;
    Table attention;
    std::vector<std::vector<double>> by_distance;  // one row per head, layer by layer
    std::vector<std::vector<double>> agreements;   // one row per algorithm of kCompared
};

LookInside look_at(const BanditView& c, const BanditTrajectory& world, const TrainedBandit& trained) {
    const CausalTransformerShape& shape = c.shape;
    TransformerPolicy policy(shape, trained.weights, trained.temperature);
    Stream random = policy_stream(c.seed, c.index, kFirstOtherPolicyStream);
    LookInside look{play_network(policy, world, random), {}, {}, {}};
    const auto network = make_causal_transformer<float>(shape);
    network->set_weights(trained.weights.data());
    std::vector<float> logits(world.rounds() * shape.arms);
    network->logits(look.play.history(), logits.data());
    look.attention =
        attention_map(*network, smaller(c.layer, shape.layers) - 1, smaller(c.head, shape.heads) - 1, world.rounds());
    for (int l = 0; l < shape.layers; ++l)
        for (int m = 0; m < shape.heads && look.by_distance.size() < kMostHeads; ++m)
            look.by_distance.push_back(attention_by_distance(attention_map(*network, l, m, world.rounds())));
    for (const BanditAlgorithm algorithm : kCompared) {
        Stream own = policy_stream(c.seed, c.index, info_of(algorithm).stream);
        look.agreements.push_back(agreement_with(algorithm, world, look.play, own));
    }
    return look;
}

ShownMatrix by_round(const char* name, std::string title, const char* row_word, const char* help, const Table& size) {
    ShownMatrix matrix(name, std::move(title), help);
    matrix.words(row_word, "round").rows({{"", size.rows}}).columns({{"", size.columns}});
    return matrix.as_is();
}

std::vector<NamedMatrix> matrices_of(const BanditView& c, const BanditTrajectory& world,
                                     const std::vector<LookInside>& looks) {
    const Table means = table_of(world.means);
    const int layer = smaller(c.layer, c.shape.layers), head = smaller(c.head, c.shape.heads);
    ShownMatrix probabilities =
                    by_round("probabilities", "What the network would do", "arm",
                             "Its probability for each arm, at temperature 1. Marked: the best arm.", means),
                attention = by_round(
                    "attention",
                    fmt::format("Attention, layer {}/{}, head {}/{}", layer, c.shape.layers, head, c.shape.heads),
                    "round", "Row i: how much round i attends to each round j up to itself.", looks.front().attention),
                rewards =
                    by_round("rewards", "Expected rewards", "arm",
                             "The expected reward of each arm in each round. Marked: the network's choice.", means);
    for (const LookInside& look : looks) probabilities.seed(look.play.probabilities), attention.seed(look.attention);
    rewards.everywhere(means, looks.size());
    probabilities.nonnegative().unit("probability").free_aspect();
    probabilities.marks({arm_marks("best arm", law_color(), world.best_arm, world.rounds())});
    attention.nonnegative().unit("attention");
    rewards.unit("reward").free_aspect();
    rewards.marks({arm_marks("network's choice", kBanditNetworkColor, looks.front().play.arms, world.rounds())});
    return {probabilities, attention, rewards};
}

PlotSpec attention_distance_plot(const BanditView& c, const std::vector<LookInside>& looks) {
    Plot plot("how-far-back", "How far back it looks");
    plot.x("distance").unit("rounds");
    plot.y("mean attention").from(0.0);
    plot.no_markers().note("Mean attention of a round to the one this many rounds earlier. At most eight heads.");
    const std::vector<double> x = numbered_points(looks[0].by_distance[0].size());
    for (size_t h = 0; h < looks[0].by_distance.size(); ++h) {
        const int layer = static_cast<int>(h) / c.shape.heads + 1, head = static_cast<int>(h) % c.shape.heads + 1;
        plot.line(fmt::format("layer {}, head {}", layer, head), x,
                  mapped(looks, [h](const LookInside& look) { return look.by_distance[h]; }))
            .color(static_cast<int>(h));
    }
    return plot;
}

PlotSpec agreement_plot(const std::vector<LookInside>& looks) {
    Plot plot("agreement", "Which algorithm chooses the same arm?");
    plot.x("round");
    plot.y("share of rounds").from(0.0).to(1.0);
    plot.no_markers().sparse_markers();
    std::vector<double> x = numbered_points(binned(looks[0].agreements[0]).size(), 0.5);
    for (double& round : x) round *= kBin;
    for (size_t a = 0; a < kCompared.size(); ++a) {
        plot.line(info_of(kCompared[a]).label, x,
                  mapped(looks, [a](const LookInside& look) { return binned(look.agreements[a]); }))
            .color(color_of(kCompared[a]));
    }
    return plot.note(
        "Each algorithm sees what the network played and earned. How often does it then choose the network's most "
        "probable arm, over ten rounds?");
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
    std::vector<std::string> differences;
    if (d != config.shape.d) differences.push_back(fmt::format("d = {} instead of {}", config.shape.d, d));
    if (arms != config.shape.arms) differences.push_back(fmt::format("A = {} instead of {}", config.shape.arms, arms));
    if (rounds > config.shape.rounds)
        differences.push_back(fmt::format("T of at most {}, not {}", config.shape.rounds, rounds));
    if (differences.empty()) return "";
    return fmt::format("The transformer '{}' cannot play here: its weights are for {}.", name,
                       fmt::join(differences, ", "));
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
    check_causal_shape(network.config.shape);
    std::vector<std::string> names = {"temperature"};
    for (const NamedBlock& block : causal_transformer_blocks(network.config.shape)) names.push_back(block.name);
    auto seeds = trained_bandits(network.config.shape, ArrayFile(path, kMostWeightBytes).read(names), path.string());
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

BanditInsidePictures look_inside(const BanditView& view, const BanditTrajectory& world,
                                 const std::vector<TrainedBandit>& seeds) {
    const auto looks = mapped(seeds, [&](const TrainedBandit& seed) { return look_at(view, world, seed); });
    return {matrices_of(view, world, looks), {attention_distance_plot(view, looks), agreement_plot(looks)}};
}

SettingsFile bandit_inside_settings(const std::filesystem::path& weights) {
    const BanditNetwork network = read_bandit_network(weights);
    std::string name;  // of the shipped network in this file
    std::error_code ignored;
    for (const std::string& shipped : shipped_bandit_networks())
        if (std::filesystem::equivalent(weights, bandit_weights_path(shipped), ignored)) name = shipped;
    SettingsFile file;
    file.source = weights.string();
    file.experiment = "bandit-inside";
    file.title = "Inside " + weights.stem().string();
    const auto set = [&file](const char* field, FieldValue value) {
        file.entries.push_back({field, std::move(value)});
    };
    set("network", name.empty() ? std::string("file") : name);
    if (name.empty()) set("network_file", std::filesystem::absolute(weights).lexically_normal().string());
    const BanditOptions& test = network.config.test;
    set("kind", bandit_kind_names()[static_cast<size_t>(test.kind)]);
    if (test.kind == BanditKind::cosine) set("frequency", test.frequency);
    if (test.kind == BanditKind::abrupt) set("segments", static_cast<int64_t>(test.segments));
    if (test.kind == BanditKind::drift) set("angle", test.angle);
    set("rounds", static_cast<int64_t>(test.rounds));
    set("noise", test.noise);
    return file;
}

}  // namespace emergence
