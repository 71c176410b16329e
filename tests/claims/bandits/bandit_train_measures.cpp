// What `verify` measures of the transformer that plays bandits: its fast paths and the shipped networks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>

#include "core/base/statistics.h"
#include "core/experiments/bandits/bandits.h"
#include "core/experiments/figure_recipe.h"
#include "core/files/csv.h"
#include "core/files/folders.h"
#include "core/pictures/figure_spec.h"
#include "tests/claims/measures.h"
#include "tests/claims/naive/causal_transformer_naive.h"

namespace emergence {

template class NaiveCausalTransformer<double>;

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

// ---- several networks of preset bandit-memorise

// The last test regret of each fresh network in the curves that ship, over its last validation regret or over a given
// regret; the median over networks.
Measurement of_fresh_networks(std::optional<double> over) {
    const NumericTable curves = read_csv(assets_folder() / "weights" / "bandit-memorise.csv");
    std::map<double, std::vector<double>> last;  // by seed; rows are in the order of updates
    for (size_t row = 0; row < curves.rows(); ++row)
        last[curves.column("seed")[row]] = {curves.column("test_regret")[row] /
                                            over.value_or(curves.column("validation_regret")[row])};
    last.erase(0.0);  // the one that was known
    std::vector<std::vector<double>> ratios;
    for (const auto& [seed, ratio] : last) ratios.push_back(ratio);
    if (ratios.empty()) return {.value = kMissing, .detail = "no fresh network"};
    return bootstrapped(
        ratios.size(), [&](const Places& places) { return summary_at(ratios, places).median; },
        "from the curves that ship, which 'networks bandit-memorise --seeds 10' makes");
}

}  // namespace

std::vector<NamedMeasure> bandit_train_measures() {
    const auto plays = std::make_shared<HeldOutPlays>();
    const auto ahead_of_all = [&plays](double frequency, const char* network) {
        return [plays, frequency, network] { return ahead(*plays, frequency, network); };
    };
    std::vector<NamedMeasure> measures = {
        {"transformer-fast-path", fast_path},
        {"transformer-cache", cached_rollout},
        {"nonstationary-high-018-transformer", ahead_of_all(0.018, "cosine")},
        {"nonstationary-high-025-transformer", ahead_of_all(0.025, "cosine")},
        {"nonstationary-transformer-beyond", [plays] { return beyond_training(*plays); }},
        {"nonstationary-mixture-transformer", ahead_of_all(0.018, "mixture")},
        {"nonstationary-memorise-025", ahead_of_all(0.025, "memorise")},
        {"nonstationary-memorise-between", ahead_of_all(0.018, "memorise")},
        {"nonstationary-memorise-seen", ahead_of_all(0.01, "memorise")},
        {"nonstationary-memorise-networks", [] { return of_fresh_networks(std::nullopt); }},
        {"nonstationary-memorise-networks-between",
         [] { return of_fresh_networks(BanditReferences(BanditTrainConfig{}).best_test()); }}};
    for (NamedMeasure& one : master_measures()) measures.push_back(std::move(one));
    return measures;
}

}  // namespace emergence
