#include "core/experiments/identify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "core/base/error.h"
#include "core/experiments/in_context_td/seed/td_banks.h"
#include "core/experiments/in_context_td/seed/td_line_up.h"
#include "core/experiments/in_context_td/seed/td_map.h"
#include "core/experiments/in_context_td/seed/td_masked_map.h"
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

// The median of the shares that a point leaves of each judging prompt's values.
double median_unexplained(const HeldOutBank& bank, MapAxis axis, const LinearAttentionView& network,
                          const Eigen::VectorXd& point) {
    std::vector<double> shares;  // a prompt without values has none
    for (int i = kFitted; i < kFitted + kJudged; ++i) {
        const LineUpPrompts one(bank, 0, i, 1);
        const MapPrompts lanes(one, axis);
        const MapTarget target(lanes, lanes.network_weights(network));
        if (target.mean_square() > 0) shares.push_back(target.loss(point) / target.mean_square());
    }
    std::sort(shares.begin(), shares.end());
    return shares.empty() ? std::numeric_limits<double>::quiet_NaN() : shares[shares.size() / 2];
}

// Of a mask of traces or of two heads, by the fit that follows training, run until it rests.
IdentifiedNetwork identified_masked(const InContextTdConfig& config, const HeldOutBank& bank,
                                    const std::shared_ptr<const MapBench>& bench, const std::vector<float>& weights) {
    constexpr double kAny = std::numeric_limits<double>::infinity();
    const auto number = [](double value, double half) {
        return std::isfinite(value) ? IdentifiedNumber{value, value - half, value + half}
                                    : IdentifiedNumber{0, -kAny, kAny};
    };
    MapFollower map(bench, config.num_layers);
    const LinearAttentionView view = view_of(config, weights);
    const MapPlace place = map.settle(view);
    const MapAxis axis = map_axis(config);
    IdentifiedNetwork network;
    network.second = axis == MapAxis::trace ? "lambda" : "rho";
    network.sentence = words_of_masked_place(axis, place);
    network.unexplained = place.unexplained;
    network.median_unexplained = network.unexplained_by_matrices = std::numeric_limits<double>::quiet_NaN();
    if (std::isfinite(place.unexplained))
        network.median_unexplained = median_unexplained(bank, axis, view, map.point());
    if (place.unexplained <= kMapExplained)
        network.verdict = !is_own_masked_place(axis, config.num_layers, place, own_second_coordinate(config, weights))
                              ? "between"
                          : axis == MapAxis::trace ? "td_lambda"
                                                   : "average_reward";
    network.beta = number(place.beta, place.beta_half);
    network.c = number(place.c, place.c_half);
    network.alphas.assign(map.point().begin() + 2, map.point().end());
    std::sort(network.alphas.begin(), network.alphas.end());
    network.converged = place.slope <= kMapAtRest;
    network.steps = static_cast<int>(place.steps);
    network.gradient = place.slope;
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
    if (!has_theory(config))
        throw InputError(
            "identify reads linear networks. Use model = \"attention\" with activation = \"identity\", or two_heads");
    const NetworkShape shape = network_shape(config);
    const auto bank = make_bank(config, kFitted + kJudged, {config.context_length});
    const auto fitted = std::make_shared<const LineUpPrompts>(*bank, 0, 0, kFitted),
               judged = std::make_shared<const LineUpPrompts>(*bank, 0, kFitted, kJudged);
    const LineUpPrompts &fit = *fitted, &judge = *judged;
    const auto masked =
        has_masks(config) ? std::make_shared<const MapBench>(fitted, judged, map_axis(config)) : nullptr;
    std::vector<LearnedWeights> seeds = trained_seeds(shape, snapshot);
    const size_t learned = seeds.size();
    if (const auto surgery = make_surgery_bench(config)) {
        const std::vector<Operation> operations = parse_operations(config.surgery, shape.stored);
        for (size_t i = 0; i < learned; ++i) {
            seeds.push_back(seeds[i]);
            seeds.back().weights = operate(shape, seeds[i].weights, operations, config.loss.kind);
        }
    }
    std::vector<IdentifiedNetwork> networks(seeds.size());
    ThreadPool pool(threads);
    pool.for_each(static_cast<int>(seeds.size()), [&](int i) {
        const LearnedWeights& seed = seeds[i];
        if (masked) {
            networks[i] = identified_masked(config, *bank, masked, seed.weights);
        } else {
            auto [P, Q] = layers_in(seed.weights, shape);
            P.resize(shape.layers, P[0]), Q.resize(shape.layers, Q[0]);  // one layer may serve all
            networks[i] = identified(read_map(fit, judge, weights_on(fit, P, Q), weights_on(judge, P, Q), shape.layers,
                                              static_cast<uint64_t>(config.seed)));
        }
        const size_t place = static_cast<size_t>(i) % learned;
        networks[i].seed = static_cast<int64_t>(snapshot.seeds[place].seed);
        networks[i].operated = static_cast<size_t>(i) >= learned;
    });
    return networks;
}

}  // namespace emergence
