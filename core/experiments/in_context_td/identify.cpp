#include "core/experiments/identify.h"

#include <fmt/format.h>

#include <limits>

#include "core/base/error.h"
#include "core/experiments/in_context_td/seed/td_verdict.h"
#include "core/experiments/in_context_td/seed/td_weights.h"
#include "core/experiments/in_context_td/settings/td_network.h"
#include "core/experiments/in_context_td/surgery/surgery.h"
#include "core/lab/jobs/thread_pool.h"

namespace emergence {
namespace {

IdentifiedNumber with_interval(const FittedNumber& number, double factor = 1) {
    constexpr double kAny = std::numeric_limits<double>::infinity();
    if (!number.is_known()) return {number.value, -kAny, kAny};
    return {factor * number.value, factor * (number.value - number.half), factor * (number.value + number.half)};
}

}  // namespace

IdentifiedNetwork identified_as(const NetworkVerdict& found, const std::vector<Landmark>& landmarks, PlaceAxis axis,
                                double gamma) {
    IdentifiedNetwork network;
    network.verdict = name_of(found.name);
    network.label = label_of(found, landmarks);
    network.sentence = sentence_of(found, landmarks, axis, gamma);
    if (found.of >= 0) network.of = landmarks[static_cast<size_t>(found.of)].name;
    network.beta = with_interval(found.beta);
    network.c = with_interval(found.c);
    network.discount = with_interval(found.beta, gamma);
    network.second = axis == PlaceAxis::gradient ? "c" : axis == PlaceAxis::trace ? "lambda" : "rho";
    network.alphas = found.alphas;
    network.unexplained = found.unexplained;
    network.median_unexplained = found.median_unexplained;
    network.unexplained_by_matrices = found.unexplained_by_matrices;
    for (size_t m = 0; m < found.leaves.size(); ++m)
        network.leaves.push_back(
            {landmarks[m].name, landmarks[m].label, found.leaves[m].value, found.leaves[m].low, found.leaves[m].high});
    for (const int tie : found.ties) {
        network.ties.push_back(landmarks[static_cast<size_t>(tie)].name);
        network.ties_in_words.push_back(landmarks[static_cast<size_t>(tie)].label);
    }
    network.converged = found.converged;
    network.steps = found.steps;
    network.gradient = found.slope;
    return network;
}

std::vector<IdentifiedNetwork> identify(const Snapshot& snapshot, int threads, const OwnTd& own) {
    if (snapshot.experiment != "td")
        throw InputError(fmt::format(
            "identify reads networks of experiment td, and this is one of {}. Name a run or weights of td. In "
            "Python emergence.identify takes any function of prompts",
            snapshot.experiment));
    auto config = config_from<InContextTdConfig>(snapshot.settings);
    config.tasks.own = own.world;
    if (!has_theory(config))
        throw InputError(
            "identify reads linear networks: model = \"attention\" with activation = \"identity\", or two_heads. In Python "
            "emergence.identify takes any function of prompts: lambda prompts: emergence.forward(P, Q, prompts, "
            "activation=...)");
    const NetworkShape shape = network_shape(config);
    const auto prompts = verdict_prompts(config);
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
        const std::vector<Landmark> landmarks = landmarks_of(config, seeds[i].weights);
        networks[i] = identified_as(verdict(view_of(config, seeds[i].weights), *prompts, landmarks), landmarks,
                                    place_axis(config), prompt_gamma(config));
        const size_t place = static_cast<size_t>(i) % learned;
        networks[i].seed = static_cast<int64_t>(snapshot.seeds[place].seed);
        networks[i].operated = static_cast<size_t>(i) >= learned;
    });
    return networks;
}

}  // namespace emergence
