// What `verify` measures of the transformer that plays bandits: its fast paths and the shipped networks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "core/algorithms/master.h"
#include "core/base/statistics.h"
#include "core/experiments/bandits/bandit_network.h"
#include "core/experiments/bandits/bandit_train.h"
#include "core/experiments/figure_parts.h"
#include "core/models/causal_transformer_naive.h"
#include "core/models/master_constructions.h"
#include "core/pictures/figure_spec.h"

namespace emergence {
namespace {

constexpr uint64_t kHeldOutSeed = 72;  // used by no figure and no training
constexpr size_t kHeldOutEnvironments = 2000;

// A random history and random weights of the given shape.
template <class T>
struct RandomHistory {
    std::vector<T> weights, actions, rewards;
    std::vector<int> arms, labels;

    explicit RandomHistory(const CausalTransformerShape& shape) {
        Stream stream(8, Purpose::testing);
        for (const float w : initial_causal_weights(shape, 8)) weights.push_back(static_cast<T>(w));
        for (int k = 0; k < shape.arms * shape.d; ++k) actions.push_back(static_cast<T>(stream.uniform(-1, 1)));
        for (int t = 0; t < shape.rounds; ++t) {
            rewards.push_back(static_cast<T>(2 * stream.normal()));
            arms.push_back(static_cast<int>(stream.uniform() * shape.arms));
            labels.push_back(static_cast<int>(stream.uniform() * shape.arms));
        }
    }
    BanditHistory<T> view() const {
        return {static_cast<int>(rewards.size()), actions.data(), arms.data(), rewards.data(), labels.data()};
    }
};

// Largest difference of both paths' gradients, relative to the largest entry.
Measurement fast_path() {
    double worst = 0;
    for (const CausalAttention kind : {CausalAttention::softmax, CausalAttention::relu}) {
        const CausalTransformerShape shape{.attention = kind};
        const RandomHistory<double> history(shape);
        NaiveCausalTransformer<double> naive(shape, history.weights);
        naive.add_cross_entropy(history.view());
        const auto fast = make_causal_transformer<double>(shape);
        fast->set_weights(history.weights.data());
        fast->add_cross_entropy(history.view(), 1.0);
        std::vector<double> gradient(shape.num_weights());
        fast->take_gradient(gradient.data());
        double largest = 0, difference = 0;
        for (size_t i = 0; i < gradient.size(); ++i) {
            largest = larger(largest, std::abs(naive.gradient()[i]));
            difference = larger(difference, std::abs(gradient[i] - naive.gradient()[i]));
        }
        worst = larger(worst, difference / largest);
    }
    return {worst, "T = 200, softmax and ReLU, in double"};
}

Measurement cached_rollout() {
    double worst = 0;
    for (const CausalAttention kind : {CausalAttention::softmax, CausalAttention::relu}) {
        const CausalTransformerShape shape{.attention = kind};
        const RandomHistory<float> history(shape);
        const auto rounds = static_cast<size_t>(shape.rounds), arms = static_cast<size_t>(shape.arms);
        std::vector<float> whole(rounds * arms), cached(rounds * arms);
        const auto network = make_causal_transformer<float>(shape);
        network->set_weights(history.weights.data());
        network->logits(history.view(), whole.data());
        const auto rollout = make_causal_rollout(shape);
        rollout->set_weights(history.weights.data());
        rollout->begin(history.actions.data());
        for (size_t t = 0; t < rounds; ++t)
            rollout->step(t == 0 ? 0 : history.arms[t - 1], t == 0 ? 0.0F : history.rewards[t - 1],
                          cached.data() + t * arms);
        for (size_t i = 0; i < whole.size(); ++i)
            worst = larger(worst, static_cast<double>(std::abs(whole[i] - cached[i])));
    }
    return {worst, "T = 200, softmax and ReLU, in float32"};
}

// The classical algorithm with the least mean among those that do not know the environment.
struct Best {
    std::vector<double> regrets;
    Summary summary;
    std::string label;
};

// The plays of the held-out environments, each made when a claim first needs it.
class HeldOutPlays {
  public:
    std::vector<double> network(double frequency, const std::string& name) {
        const std::lock_guard lock(mutex_);
        auto& regrets = networks_[{frequency, name}];
        if (regrets.empty())
            regrets =
                cosine_bank(frequency).regrets(*shipped_bandit_network(name).make_policy(), kFirstOtherPolicyStream);
        return regrets;
    }
    Best best_classical(double frequency) {
        const std::lock_guard lock(mutex_);
        Best& best = best_[frequency];
        if (best.label.empty()) best = played(cosine_bank(frequency));
        return best;
    }

  private:
    static BanditBank cosine_bank(double frequency) {
        return {std::vector<BanditOptions>(kHeldOutEnvironments, BanditOptions{.frequency = frequency}), kHeldOutSeed};
    }
    static Best played(const BanditBank& bank) {
        using enum BanditAlgorithm;
        Best best;
        for (const BanditAlgorithm algorithm :
             {linucb, thompson, sliding_window, discounted, master_linucb, master_thompson}) {
            std::vector<double> regrets = bank.regrets(*make_policy(algorithm, {}), info_of(algorithm).stream);
            const Summary summary = summarise(regrets, false);
            if (best.label.empty() || summary.mean < best.summary.mean)
                best = {std::move(regrets), summary, info_of(algorithm).label};
        }
        return best;
    }

    std::mutex mutex_;
    std::map<std::pair<double, std::string>, std::vector<double>> networks_;
    std::map<double, Best> best_;
};

using SharedPlays = std::shared_ptr<HeldOutPlays>;

// How far the network's regret is below the best classical algorithm's on the same environments, in standard errors.
Measurement ahead(HeldOutPlays& plays, double frequency, const std::string& name) {
    std::vector<double> network = plays.network(frequency, name);
    const Best best = plays.best_classical(frequency);
    std::vector<double> differences;
    for (size_t i = 0; i < network.size(); ++i) differences.push_back(best.regrets[i] - network[i]);
    const Summary difference = summarise(differences, false), own = summarise(network, true);
    return {difference.mean / difference.standard_error,
            fmt::format("{:.1f} +- {:.1f} (median {:.1f}) beside {:.1f} of {}, {} environments", own.mean,
                        own.deviation, own.median, best.summary.mean, best.label, kHeldOutEnvironments)};
}

Measurement beyond_training(HeldOutPlays& plays) {
    const std::vector<double> inside = plays.network(0.018, "cosine"), outside = plays.network(0.06, "cosine");
    std::vector<std::vector<double>> regrets;  // of each environment's number, which names one at either frequency
    for (size_t i = 0; i < inside.size(); ++i) regrets.push_back({inside[i], outside[i]});
    return bootstrapped(
        regrets.size(),
        [&](const Places& places) { return summary_at(regrets, places, 1).mean / summary_at(regrets, places, 0).mean; },
        fmt::format("{:.1f} at b = 0.06, {:.1f} at 0.018", summarise(regrets, 1).mean, summarise(regrets, 0).mean));
}

// ---- the construction's parts: Propositions 3 and 4

// The largest distance of the distribution of the heads' random numbers from the uniform one.
Measurement distance_from_uniform(double k) {
    Stream stream(kHeldOutSeed, Purpose::testing);
    std::vector<double> rewards(1024);
    for (double& reward : rewards) reward = stream.normal();
    std::vector<double> uniforms = uniforms_by_attention(rewards, k);
    std::sort(uniforms.begin(), uniforms.end());
    double largest = 0.0;
    const auto n = static_cast<double>(uniforms.size());
    for (size_t i = 0; i < uniforms.size(); ++i)
        largest = std::max({largest, std::abs(uniforms[i] - static_cast<double>(i) / n),
                            std::abs(uniforms[i] - static_cast<double>(i + 1) / n)});
    return {largest, "1,024 normal numbers"};
}

// A play of MASTER+LinUCB with scheduled instances, in an environment of b = 0.018.
MasterTimeline master_play(uint32_t index) {
    BanditOptions options;
    options.rounds = 1000;
    BanditTrajectory world;
    draw_bandit(options, kHeldOutSeed, index, world);
    BanditConstants constants;
    constants.probability = 0.1;
    const auto policy = make_policy(BanditAlgorithm::master_linucb, constants);
    Stream random = policy_stream(kHeldOutSeed, index, 0);
    BanditPlay play;
    play_bandit(world, *policy, random, play);
    return dynamic_cast<const Master&>(*policy).timeline();
}

constexpr uint32_t kMasterPlays = 20;

// The rounds in which the heads pass on something else than MASTER's acting instance, whole and alone.
Measurement wrong_instances(double c) {
    int wrong = 0, contested = 0;
    for (uint32_t index = 0; index < kMasterPlays; ++index) {
        const MasterTimeline timeline = master_play(index);
        for (size_t round = 0; round < timeline.active.size(); ++round) {
            std::vector<double> live(11, 0.0), acting(11, 0.0);
            for (const MasterTimeline::Instance& one : timeline.instances)
                if (one.begin <= static_cast<int>(round) && static_cast<int>(round) < one.end)
                    live[static_cast<size_t>(one.order)] = 1.0;
            acting[static_cast<size_t>(timeline.active[round])] = 1.0;
            contested += std::count(live.begin(), live.end(), 1.0) > 1 ? 1 : 0;
            wrong += acting_by_heads(live, c) != acting ? 1 : 0;
        }
    }
    return {static_cast<double>(wrong),
            fmt::format("{} plays of 1,000 rounds; several instances live in {} rounds", kMasterPlays, contested)};
}

// The largest difference between a memory that is emptied at MASTER's restarts, and one that the ReLUs empty.
Measurement memory_error(double bound) {
    double largest = 0.0, greatest = 0.0;
    size_t restarts = 0;
    for (uint32_t index = 0; index < kMasterPlays; ++index) {
        const MasterTimeline timeline = master_play(index);
        Stream stream(kHeldOutSeed, Purpose::testing, index);
        double exact = 0.0, by_relus = 0.0;
        size_t next = 0;
        for (size_t round = 0; round < timeline.active.size(); ++round) {
            const double reward = stream.normal();
            const bool fires =
                next < timeline.restarts.size() && timeline.restarts[next].round == static_cast<int>(round);
            next += fires ? 1 : 0;
            greatest = larger(greatest, std::abs(exact + reward));
            exact = fires ? 0.0 : exact + reward;
            by_relus = restarted_by_relus(by_relus + reward, fires ? 1.0 : 0.0, bound);
            largest = larger(largest, std::abs(exact - by_relus));
        }
        restarts += next;
    }
    return {largest,
            fmt::format("{} restarts in {} plays, sums of rewards up to {:.0f}", restarts, kMasterPlays, greatest)};
}

}  // namespace

std::vector<NamedMeasure> bandit_train_measures() {
    const auto plays = std::make_shared<HeldOutPlays>();
    const auto ahead_of_all = [&plays](double frequency, const char* network) {
        return [plays, frequency, network] { return ahead(*plays, frequency, network); };
    };
    std::vector<NamedMeasure> measures = {
        {"nonstationary-proposition-3-random", [] { return distance_from_uniform(1e9); }},
        {"nonstationary-proposition-3-random-flat", [] { return distance_from_uniform(1.0); }},
        {"nonstationary-proposition-3-selects", [] { return wrong_instances(1.0); }},
        {"nonstationary-proposition-3-unweighted", [] { return wrong_instances(0.0); }},
        {"nonstationary-proposition-4", [] { return memory_error(1e3); }},
        {"nonstationary-proposition-4-bound", [] { return memory_error(0.1); }},
        {"transformer-fast-path", fast_path},
        {"transformer-cache", cached_rollout},
        {"nonstationary-high-018-transformer", ahead_of_all(0.018, "cosine")},
        {"nonstationary-high-025-transformer", ahead_of_all(0.025, "cosine")},
        {"nonstationary-transformer-beyond", [plays] { return beyond_training(*plays); }},
        {"nonstationary-mixture-transformer", ahead_of_all(0.018, "mixture")},
        {"nonstationary-memorise-025", ahead_of_all(0.025, "memorise")},
        {"nonstationary-memorise-between", ahead_of_all(0.018, "memorise")},
        {"nonstationary-memorise-seen", ahead_of_all(0.01, "memorise")}};
    for (NamedMeasure& one : learning_by_heart_measures()) measures.push_back(std::move(one));
    return measures;
}

}  // namespace emergence
