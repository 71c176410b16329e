// Training the causal transformer: lanes against the naive form and against the core's peak, in turns.
#include <benchmark/benchmark.h>

#include <vector>

#include "core/base/rng.h"
#include "core/models/causal_transformer.h"
#include "core/training/bandit_imitation.h"
#include "tests/bench/naive_training.h"
#include "tests/bench/timing.h"

namespace {

using namespace emergence;

struct Histories {
    std::vector<float> actions, rewards;
    std::vector<int> arms, labels;
    CausalTransformerShape shape;

    explicit Histories(const CausalTransformerShape& s) : shape(s) {
        Stream stream(1, Purpose::testing);
        for (int i = 0; i < s.arms * s.d; ++i) actions.push_back(static_cast<float>(stream.uniform(-1, 1)));
        for (int t = 0; t < s.rounds; ++t) {
            rewards.push_back(static_cast<float>(2 * stream.normal()));
            arms.push_back(static_cast<int>(stream.uniform() * s.arms));
            labels.push_back(static_cast<int>(stream.uniform() * s.arms));
        }
    }
    BanditHistory<float> view() const {
        return {shape.rounds, actions.data(), arms.data(), rewards.data(), labels.data()};
    }
};

// Multiplications in one forward pass over all rounds, masked attention not counted.
double forward_products(const CausalTransformerShape& s) {
    const double w = s.width, n = s.rounds;
    const double token = w * s.features() + s.layers * (4 * w * w + 2 * w * s.hidden) + s.arms * w;
    return n * token + s.layers * n * (n + 1) * w + w * s.arms * s.d;
}

// Forward and backward over a batch of eight trajectories of 200 rounds.
void Bandit_Transformer(benchmark::State& state, CausalAttention attention) {
    constexpr int kBatch = 8;
    const CausalTransformerShape shape{.attention = attention};
    const Histories histories(shape);
    const auto weights = initial_causal_weights(shape, 0);
    const auto fast = make_causal_transformer<float>(shape);
    const auto naive = bench::make_naive_causal(shape, weights);
    std::vector<float> gradient(weights.size());
    std::vector<double> speedup, share, tokens;
    // Backward twice the products of forward.
    const double flop = 3 * 2 * forward_products(shape) * kBatch;
    for (auto _ : state) {
        const double quick = bench::thread_seconds([&] {
            fast->set_weights(weights.data());
            for (int i = 0; i < kBatch; ++i) benchmark::DoNotOptimize(fast->add_cross_entropy(histories.view(), 1.0F));
            fast->take_gradient(gradient.data());
        });
        const double slow = bench::thread_seconds([&] {
            for (int i = 0; i < kBatch; ++i) benchmark::DoNotOptimize(naive->cross_entropy(histories.view()));
        });
        speedup.push_back(slow / quick);
        tokens.push_back(kBatch * shape.rounds / quick);
        share.push_back(flop / quick / bench::measure_peak_flops(3));
    }
    state.counters["times_as_fast"] = bench::median(speedup);
    state.counters["tokens_a_second"] = bench::median(tokens);
    state.counters["share_of_peak"] = bench::median(share);
}

// A trajectory of 200 rounds, round by round with the key-value cache.
void Bandit_Rollout(benchmark::State& state) {
    const CausalTransformerShape shape;
    const Histories histories(shape);
    const auto weights = initial_causal_weights(shape, 0);
    const auto rollout = make_causal_rollout(shape);
    std::vector<float> logits(static_cast<size_t>(shape.arms));
    std::vector<double> tokens;
    for (auto _ : state)
        tokens.push_back(shape.rounds / bench::thread_seconds([&] {
                             rollout->set_weights(weights.data());
                             rollout->begin(histories.actions.data());
                             for (size_t t = 0; t < static_cast<size_t>(shape.rounds); ++t)
                                 rollout->step(histories.arms[t], histories.rewards[t], logits.data());
                         }));
    state.counters["tokens_a_second"] = bench::median(tokens);
}

// Training as `run bandit-train --preset bandit-cosine` does it behind its first 300 updates: environments
// are drawn, half of the contexts played by the network itself, the other half by discounted Thompson
// sampling, then one update of eight trajectories. Tokens are rounds trained on, by the thread's own time.
void Bandit_Training(benchmark::State& state) {
    BanditImitationOptions options;
    options.played_by_others = 0;
    BanditImitation training(options, 0);
    constexpr int kUpdates = 20;
    const double per_update = static_cast<double>(options.batch) * options.family.rounds;
    std::vector<double> rates;
    for (auto _ : state)
        rates.push_back(kUpdates / bench::thread_seconds([&] {
                            for (int i = 0; i < kUpdates; ++i) training.train_one_step();
                        }));
    state.counters["tokens_a_second"] = per_update * bench::median(rates);
    state.counters["updates_a_second"] = bench::median(rates);
}

BENCHMARK_CAPTURE(Bandit_Transformer, softmax, CausalAttention::softmax)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Bandit_Transformer, relu, CausalAttention::relu)->Unit(benchmark::kMillisecond);
BENCHMARK(Bandit_Rollout)->Unit(benchmark::kMillisecond);
BENCHMARK(Bandit_Training)->Unit(benchmark::kMillisecond);

}  // namespace
