// The pictures of experiment "bandit-train": its curves, and what one sees inside the network.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/experiments/bandits/bandit_train_study.h"

namespace emergence {
namespace {

constexpr int kBin = 10;  // rounds that agreement is averaged over
constexpr size_t kMostHeads = 8;

// Who is compared on the network's own history, with a colour.
constexpr std::array<BanditAlgorithm, 5> kCompared = {BanditAlgorithm::linucb, BanditAlgorithm::thompson,
                                                      BanditAlgorithm::sliding_window,
                                                      BanditAlgorithm::discounted, BanditAlgorithm::uniform};

std::vector<ReferenceLine> reference_lines(const BanditReferences& references,
                                           double ClassicalReference::*regret) {
    std::vector<ReferenceLine> lines;
    for (const ClassicalReference& reference : references.classical())
        lines.push_back({info_of(reference.algorithm).label, reference.*regret, false});
    return lines;
}

// Means over bins of rounds.
std::vector<double> binned(const std::vector<double>& values) {
    std::vector<double> means;
    for (size_t first = 0; first + kBin <= values.size(); first += kBin) {
        double sum = 0;
        for (size_t i = first; i < first + kBin; ++i) sum += values[i];
        means.push_back(sum / kBin);
    }
    return means;
}

// One seed's network in the environment that is shown.
struct LookInside {
    NetworkPlay play;
    Table attention;
    std::vector<std::vector<double>> by_distance;  // a head, all layers
    std::vector<Agreement> agreements;
};

LookInside look_at(const BanditTrainConfig& c, const BanditTrajectory& world, const TrainedBandit& trained,
                   uint64_t seed, uint32_t index) {
    const CausalTransformerShape shape = network_shape(c);
    TransformerPolicy policy(shape, trained.weights, trained.temperature);
    Stream random = policy_stream(seed, index, kFirstOtherPolicyStream);
    LookInside look{play_network(policy, world, random), {}, {}, {}};
    const auto network = make_causal_transformer<float>(shape);
    network->set_weights(trained.weights.data());
    std::vector<float> logits(static_cast<size_t>(world.rounds() * shape.arms));
    network->logits(look.play.history(), logits.data());
    look.attention = attention_map(*network, std::min(c.shown_layer, shape.layers) - 1,
                                   std::min(c.shown_head, shape.heads) - 1, world.rounds());
    for (int l = 0; l < shape.layers; ++l)
        for (int m = 0; m < shape.heads && look.by_distance.size() < kMostHeads; ++m)
            look.by_distance.push_back(attention_by_distance(attention_map(*network, l, m, world.rounds())));
    for (const BanditAlgorithm algorithm : kCompared) {
        Stream own = policy_stream(seed, index, info_of(algorithm).stream);
        look.agreements.push_back(agreement_with(algorithm, world, look.play, own));
    }
    return look;
}

NamedMatrix plain_matrix(const std::string& name, const std::string& title, const std::string& help,
                         std::vector<Table> seeds) {
    NamedMatrix matrix;
    matrix.name = name;
    matrix.title = title;
    matrix.help = help;
    matrix.row_blocks = {{"", seeds.front().rows}};
    matrix.column_blocks = {{"", seeds.front().columns}};
    matrix.seeds = std::move(seeds);
    matrix.may_scale = false;
    matrix.free_aspect = true;
    return matrix;
}

CellMarks marks_of(const std::string& name, int color, const std::vector<int>& arms) {
    CellMarks marks{name, color, {}};
    for (size_t t = 0; t < arms.size(); ++t) marks.cells.push_back({arms[t], static_cast<int>(t)});
    return marks;
}

std::vector<NamedMatrix> matrices_of(const BanditTrainConfig& c, const BanditTrajectory& world,
                                     const std::vector<LookInside>& looks) {
    Table means(world.arms(), world.rounds());
    for (int k = 0; k < world.arms(); ++k)
        for (int t = 0; t < world.rounds(); ++t) means(k, t) = world.means(k, t);
    std::vector<Table> probabilities, attention;
    for (const LookInside& look : looks) {
        probabilities.push_back(look.play.probabilities);
        attention.push_back(look.attention);
    }
    std::vector<NamedMatrix> matrices;
    matrices.push_back(
        plain_matrix("rewards", "Expected rewards, arms x rounds",
                     "The expected reward of each arm in each round of the environment shown, with "
                     "what the first seed's network chose.",
                     std::vector<Table>(looks.size(), means)));
    matrices.back().unit = "reward";
    matrices.back().marks = {marks_of("network's choice", 1, looks.front().play.arms)};
    matrices.push_back(
        plain_matrix("probabilities", "What the network would do, arms x rounds",
                     "softmax of the logits at temperature 1, in every round, with the arm that is "
                     "best: what it was trained to name.",
                     std::move(probabilities)));
    matrices.back().nonnegative = true;
    matrices.back().unit = "probability";
    matrices.back().marks = {marks_of("best arm", 2, world.best_arm)};
    const int layer = std::min(c.shown_layer, c.layers), head = std::min(c.shown_head, c.heads);
    matrices.push_back(plain_matrix(
        "attention", fmt::format("Attention, layer {} of {}, head {} of {}", layer, c.layers, head, c.heads),
        "Row i: how much round i takes from each round j up to itself. A token j holds what happened in "
        "round j - "
        "1.",
        std::move(attention)));
    matrices.back().nonnegative = true;
    matrices.back().unit = "attention";
    matrices.back().free_aspect = false;
    return matrices;
}

PlotSpec inside_plot(const std::string& id, const std::string& title, const AxisSpec& x, const AxisSpec& y,
                     const std::string& note) {
    PlotSpec plot;
    plot.id = id;
    plot.title = title;
    plot.x = x;
    plot.y = y;
    plot.note = note;
    plot.markers = false;
    return plot;
}

PlotSpec distance_plot(const BanditTrainConfig& c, const std::vector<LookInside>& looks) {
    PlotSpec plot =
        inside_plot("how-far-back", "How far back it looks", {.label = "distance", .unit = "rounds"},
                    {.label = "mean attention", .unit = "", .minimum = 0.0},
                    "Mean attention that a round pays to the one so many rounds before it, over "
                    "the rounds that have such a past, "
                    "in the environment shown. At most eight heads.");
    std::vector<double> x;
    for (size_t k = 0; k < looks[0].by_distance[0].size(); ++k) x.push_back(static_cast<double>(k));
    for (size_t h = 0; h < looks[0].by_distance.size(); ++h) {
        const int layer = static_cast<int>(h) / c.heads + 1, head = static_cast<int>(h) % c.heads + 1;
        Series series;
        series.name = fmt::format("layer {}, head {}", layer, head);
        series.x = x;
        series.color = static_cast<int>(h);
        for (const LookInside& look : looks) series.rows.push_back(look.by_distance[h]);
        plot.series.push_back(std::move(series));
    }
    return plot;
}

PlotSpec nearness_plot(const std::string& id, const std::string& title, const AxisSpec& y,
                       const std::string& note, std::vector<double> Agreement::*quantity,
                       const std::vector<LookInside>& looks) {
    PlotSpec plot = inside_plot(id, title, {.label = "round", .unit = ""}, y, note);
    const size_t bins = binned(looks[0].agreements[0].*quantity).size();
    for (size_t a = 0; a < kCompared.size(); ++a) {
        Series series;
        series.name = info_of(kCompared[a]).label;
        series.color = static_cast<int>(a);
        series.dashed = true;
        for (size_t b = 0; b < bins; ++b) series.x.push_back((static_cast<double>(b) + 0.5) * kBin);
        for (const LookInside& look : looks) series.rows.push_back(binned(look.agreements[a].*quantity));
        plot.series.push_back(std::move(series));
    }
    return plot;
}

}  // namespace

void look_inside(const BanditTrainConfig& c, const BanditBank& bank, const std::vector<TrainedBandit>& seeds,
                 Snapshot& snapshot) {
    const auto index = static_cast<size_t>(c.shown_environment) % bank.worlds().size();
    const BanditTrajectory& world = bank.worlds()[index];
    std::vector<LookInside> looks;
    looks.reserve(seeds.size());
    for (const TrainedBandit& seed : seeds)
        looks.push_back(look_at(c, world, seed, static_cast<uint64_t>(c.seed), static_cast<uint32_t>(index)));
    snapshot.matrices = matrices_of(c, world, looks);
    snapshot.plots = {
        distance_plot(c, looks),
        nearness_plot(
            "agreement", "Whose choices are the same",
            {.label = "share of rounds", .unit = "", .minimum = 0, .maximum = 1},
            "Algorithms are told what the network played and got in the environment shown: how often they "
            "then choose the network's most probable arm, over ten rounds.",
            &Agreement::same, looks),
        nearness_plot(
            "likelihood", "How likely their choices are to the network",
            {.label = "mean log-likelihood", .unit = "nats"},
            "The logarithm of the probability, at temperature 1, that the network gives to what each "
            "algorithm would choose on the same history, over ten rounds. The nearest is highest.",
            &Agreement::log_likelihood, looks)};
}

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
    loss.references = {{"knowing nothing: log A", std::log(static_cast<double>(config.arms)), false}};
    return {std::move(loss),
            {"validation",
             "Regret on the validation stream",
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
             "Regret on the test environments",
             {{"test_regret", "", 0, false}},
             regret,
             reference_lines(references, &ClassicalReference::test),
             "Environments of the test settings, at the temperature that the validation stream chose."}};
}

}  // namespace emergence
