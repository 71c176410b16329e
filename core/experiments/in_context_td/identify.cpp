#include "core/experiments/identify.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/experiments/in_context_td/seed/td_banks.h"
#include "core/experiments/in_context_td/seed/td_weights.h"
#include "core/experiments/in_context_td/settings/td_network.h"
#include "core/lab/runs/thread_pool.h"
#include "core/measures/algorithm_map.h"

namespace emergence {
namespace {

constexpr int kFitted = 160, kJudged = 256;

IdentifiedNumber with_interval(const MapInterval& interval) {
    return {interval.value, interval.low, interval.high};
}

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

// P or Q of every layer, from flat weights.
std::vector<Eigen::MatrixXd> layers_of(const float* flat, const NetworkShape& shape) {
    const int rows = shape.rows();
    std::vector<Eigen::MatrixXd> layers;
    for (int l = 0; l < shape.layers; ++l) {
        const float* first = flat + (shape.stored == 1 ? 0 : l) * rows * rows;
        layers.push_back(Eigen::Map<const Eigen::Matrix<float, -1, -1, Eigen::RowMajor>>(first, rows, rows)
                             .cast<double>());
    }
    return layers;
}

std::vector<Eigen::VectorXd> weights_on(const LineUpPrompts& prompts, const std::vector<Eigen::MatrixXd>& P,
                                        const std::vector<Eigen::MatrixXd>& Q) {
    std::vector<Eigen::VectorXd> weights;
    for (int i = 0; i < prompts.size(); ++i) weights.push_back(network_weights(prompts.context(i), P, Q));
    return weights;
}

}  // namespace

std::vector<IdentifiedNetwork> identify(const Snapshot& snapshot, int threads) {
    if (snapshot.experiment != "td")
        throw InputError(fmt::format(
            "identify reads networks of experiment td, and this is one of {}. Name a run or weights of td",
            snapshot.experiment));
    const auto config = config_from<InContextTdConfig>(snapshot.settings);
    if (!has_theory(config))
        throw InputError(
            "identify reads linear attention, whose values are linear in the query. Use model = \"attention\" and "
            "activation = \"identity\"");
    const NetworkShape shape = network_shape(config);
    const auto bank = make_bank(config, kFitted + kJudged, {config.context_length});
    const LineUpPrompts fit(*bank, 0, 0, kFitted), judge(*bank, 0, kFitted, kJudged);
    const std::vector<LearnedWeights> seeds = trained_seeds(shape, snapshot);
    std::vector<IdentifiedNetwork> networks(seeds.size());
    ThreadPool pool(threads);
    pool.for_each(static_cast<int>(seeds.size()), [&](int i) {
        const LearnedWeights& seed = seeds[i];
        const auto P = layers_of(seed.weights.data(), shape);
        const auto Q = layers_of(seed.weights.data() + seed.weights.size() / 2, shape);
        networks[i] = identified(read_map(fit, judge, weights_on(fit, P, Q), weights_on(judge, P, Q),
                                          shape.layers, static_cast<uint64_t>(config.seed)));
        networks[i].seed = static_cast<int64_t>(snapshot.seeds[i].seed);
    });
    return networks;
}

}  // namespace emergence
