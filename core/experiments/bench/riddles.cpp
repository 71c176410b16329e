// The networks of the bench as riddles: judged, and made again when one is looked at.
#include <fmt/format.h>

#include "core/experiments/bench/bench.h"
#include "core/experiments/stacked.h"
#include "core/lab/views/shown_matrix.h"

namespace emergence {
namespace {

// In the order of MapVerdict.
const std::vector<GuessedAnswer>& answers() {
    static const std::vector<GuessedAnswer> all = {
        {"one reward step", "w = \u03b1 r: the rewards' correlation with the features, in one step."},
        {"no bootstrapping", "TD whose target is the reward alone: \u03b2 = 0."},
        {"TD", "Batch TD: bootstraps all the way and takes none of the target's gradient, (\u03b2, c) = (1, 0)."},
        {"residual gradient", "Bootstraps, and takes the target's whole gradient: (\u03b2, c) = (1, 1)."},
        {"between", "Another point of the family: half bootstrapping, half the target's gradient, the wrong sign."},
        {"none of these", "TD with a feature map or with clutter that changes its values, or random entries."}};
    return all;
}

std::vector<RiddleJudge> judges(const BenchScores& scores) {
    std::vector<RiddleJudge> all;
    for (size_t judge = 0; judge < bench_judges().size(); ++judge) {
        const NamedJudge& who = bench_judges()[judge];
        all.push_back({who.name, who.brief, who.help, scores.rank(judge, scores.threshold(judge).value),
                       std::string("confusion_") + who.name});
    }
    return all;
}

Riddle riddle_of(const JudgedNetwork& network, const BenchScores& scores) {
    Riddle riddle;
    riddle.truth = static_cast<size_t>(network.truth());
    riddle.made_as = fmt::format("{}, step size {:g}", label_of(network.built), network.alpha);
    if (network.built == Built::random) riddle.made_as = "random entries";
    if (network.disguise != Disguise::bare) riddle.disguise = label_of(network.disguise);
    for (size_t judge = 0; judge < bench_judges().size(); ++judge) {
        const bool only_td = bench_judges()[judge].only_td;
        const MapVerdict said = scores.verdict(judge, network);
        const bool says_td = said == MapVerdict::td, is_td = network.truth() == MapVerdict::td;
        riddle.verdicts.push_back({static_cast<size_t>(said), only_td ? says_td == is_td : said == network.truth(),
                                   only_td && !says_td ? "not TD" : answers()[static_cast<size_t>(said)].label,
                                   scores.rank(judge, network.opinions[judge].sure)});
    }
    return riddle;
}

// The last row of Z after each layer: what a judge of forward traces sees first.
NamedMatrix errors_on(const BenchNetwork& network, const Transitions& context) {
    const std::vector<Eigen::MatrixXd> Z = network.trace(td_prompt(context, context.phi.col(0)));
    Eigen::MatrixXd errors(static_cast<Eigen::Index>(Z.size()), Z[0].cols());
    for (size_t l = 0; l < Z.size(); ++l) errors.row(static_cast<Eigen::Index>(l)) = Z[l].bottomRows(1);
    ShownMatrix matrix(
        "errors", "What it does to one prompt",
        "The last row of Z, layer by layer: rewards at first, then its errors; the last column is minus its "
        "answer for the query.");
    const int n = static_cast<int>(context.phi.cols());
    matrix.rows(numbered_blocks(0, network.layers())).columns({{"rewards, then errors", n}, {"query", 1}});
    return matrix.seed(table_of(errors)).as_is().free_aspect().unit("of Z");
}

Array stacked_layers(const std::vector<Eigen::MatrixXd>& layers) {
    std::vector<float> values;
    for (const Eigen::MatrixXd& layer : layers)
        for (const float value : floats_of(layer)) values.push_back(value);
    const auto rows = static_cast<size_t>(layers[0].rows());
    return {{layers.size(), rows, rows}, values};
}

RiddleNetwork made_again(const BenchConfig& config, const Riddle& riddle) {
    const BenchPrompts prompts = config.prompts();
    Recipe made;
    const BenchNetwork network = bench_network(prompts, config.bank.tasks.d, config.num_layers, config.noise,
                                               riddle.seed, static_cast<uint32_t>(riddle.number), made);
    const int d = network.d();
    const std::vector<Block> blocks = {{"phi", d}, {"gamma phi'", d}, {"R", 1}};
    RiddleNetwork riddle_network;
    Snapshot& shown = riddle_network.shown;
    shown.experiment = "bench";
    shown.seeds.resize(1);
    shown.seeds[0].seed = riddle.seed;
    for (int l = 0; l < network.layers(); ++l)
        for (const auto& [name, layers] : {std::pair("P", &network.P), std::pair("Q", &network.Q)}) {
            ShownMatrix matrix(fmt::format("{}{}", name, l),
                               fmt::format("{}\xE2\x82{}", name, static_cast<char>('\x80' + l)),
                               fmt::format("{} of layer {}.", name, l + 1));
            shown.matrices.push_back(matrix.square(blocks).seed(table_of((*layers)[static_cast<size_t>(l)])));
        }
    shown.matrices.push_back(errors_on(network, prompts.contexts.front()));
    shown.weights = {{"P", stacked_layers(network.P)}, {"Q", stacked_layers(network.Q)}};
    riddle_network.preset = "microscope";
    riddle_network.settings = {{"sequential", true},
                               {"num_layers", int64_t{config.num_layers}},
                               {"d", int64_t{d}},
                               {"n", int64_t{config.context_length}},
                               {"eval_context_length", int64_t{config.context_length}},
                               {"gamma", config.bank.tasks.gamma},
                               {"num_states", int64_t{config.bank.tasks.num_states}},
                               {"representable", config.bank.tasks.representable},
                               {"layer", int64_t{0}},
                               {"num_mrps", int64_t{0}}};
    return riddle_network;
}

}  // namespace

std::shared_ptr<const Riddles> bench_riddles(const BenchConfig& config, const std::vector<uint64_t>& seeds,
                                             const std::vector<const std::vector<JudgedNetwork>*>& streams,
                                             const BenchScores& scores) {
    auto riddles = std::make_shared<Riddles>();
    riddles->origin = fmt::format("L = {}, d = {}, n = {}, gamma = {:g}, {} states, noise {:g}", config.num_layers,
                                  config.bank.tasks.d, config.context_length, config.bank.tasks.gamma,
                                  config.bank.tasks.num_states, config.noise);
    riddles->seed = static_cast<uint64_t>(config.seed);
    riddles->complete_at = 2 * kMapVerdicts;
    riddles->answers = answers();
    riddles->judges = judges(scores);
    for (size_t stream = 0; stream < streams.size(); ++stream)
        for (size_t number = 0; number < streams[stream]->size(); ++number) {
            if (!tests(number)) continue;
            riddles->networks.push_back(riddle_of((*streams[stream])[number], scores));
            riddles->networks.back().seed = seeds[stream];
            riddles->networks.back().number = static_cast<int64_t>(number);
        }
    riddles->network = [config, networks = riddles->networks](size_t i) { return made_again(config, networks[i]); };
    return riddles;
}

}  // namespace emergence
