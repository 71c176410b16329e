#include "core/experiments/identify.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/experiments/in_context_td/seed/td_banks.h"
#include "core/experiments/in_context_td/seed/td_weights.h"
#include "core/experiments/in_context_td/settings/td_network.h"
#include "core/experiments/in_context_td/surgery/surgery.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/measures/algorithm_map.h"

namespace emergence {
namespace {

constexpr int kFitted = 160, kJudged = 256;

IdentifiedNumber with_interval(const MapInterval& interval) { return {interval.value, interval.low, interval.high}; }

IdentifiedNetwork identified(const MapReading& reading) {
    IdentifiedNetwork network;
    network.verdict = name_of(reading.verdict);
    network.sentence = sentence_of(reading);
    network.beta = with_interval(reading.beta);
    network.c = with_interval(reading.c);
    network.alphas = reading.alphas;
    network.unexplained = reading.unexplained;
    network.median_unexplained = reading.median_unexplained;
    network.unexplained_by_matrices = reading.matrices_unexplained;
    for (const Landmark tie : reading.ties) {
        network.ties.push_back(name_of(tie));
        network.ties_in_words.push_back(label_of(tie));
    }
    network.converged = reading.converged;
    network.steps = reading.steps;
    network.gradient = reading.gradient;
    return network;
}

std::vector<Eigen::VectorXd> weights_on(const LineUpPrompts& prompts, const std::vector<Eigen::MatrixXd>& P,
                                        const std::vector<Eigen::MatrixXd>& Q) {
    std::vector<Eigen::VectorXd> weights;
    for (int i = 0; i < prompts.size(); ++i) weights.push_back(network_weights(prompts.context(i), P, Q));
    return weights;
}

}  // namespace

std::vector<IdentifiedNetwork> identify(const Snapshot& snapshot, int threads, const OwnTd& own) {
    if (snapshot.experiment != "td")
        throw InputError(
            fmt::format("identify reads networks of experiment td, and this is one of {}. Name a run or weights of td",
                        snapshot.experiment));
    auto config = config_from<InContextTdConfig>(snapshot.settings);
    config.tasks.own = own.world;
    if (!has_theory(config) || has_masks(config))
        throw InputError(
            "identify reads linear attention with the paper's mask. Use model = \"attention\", activation = \"identity\" "
            "and mask = \"td\"; networks with other masks log their own map");
    const NetworkShape shape = network_shape(config);
    const auto bank = make_bank(config, kFitted + kJudged, {config.context_length});
    const LineUpPrompts fit(*bank, 0, 0, kFitted), judge(*bank, 0, kFitted, kJudged);
    std::vector<LearnedWeights> seeds = trained_seeds(shape, snapshot);
    const size_t learned = seeds.size();
    if (const auto surgery = make_surgery_bench(config)) {
        const std::vector<Operation> operations = parse_operations(config.surgery, shape.stored);
        for (size_t i = 0; i < learned; ++i) {
            seeds.push_back(seeds[i]);
            seeds.back().weights = operate(shape, seeds[i].weights, operations, config.loss.kind, surgery->own.get());
        }
    }
    std::vector<IdentifiedNetwork> networks(seeds.size());
    ThreadPool pool(threads);
    pool.for_each(static_cast<int>(seeds.size()), [&](int i) {
        const LearnedWeights& seed = seeds[i];
        auto [P, Q] = layers_in(seed.weights, shape);
        P.resize(shape.layers, P[0]), Q.resize(shape.layers, Q[0]);  // one layer may serve all
        networks[i] = identified(read_map(fit, judge, weights_on(fit, P, Q), weights_on(judge, P, Q), shape.layers,
                                          static_cast<uint64_t>(config.seed)));
        const size_t place = static_cast<size_t>(i) % learned;
        networks[i].seed = static_cast<int64_t>(snapshot.seeds[place].seed);
        networks[i].operated = static_cast<size_t>(i) >= learned;
    });
    return networks;
}

}  // namespace emergence
