// Training networks other than linear attention: lanes against the naive form and against the core's peak.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

#include "core/base/rng.h"
#include "core/training/multi_task_td.h"
#include "tests/bench/naive_training.h"
#include "tests/bench/timing.h"

namespace {

using namespace emergence;

using bench::median, bench::repeated, bench::thread_seconds;

constexpr int kPrompts = 5 * 64;  // an MRP
// Of the products that the row-wise softmax needs at L = 3, d = 4, n = 30, forward and backward, its
// exponentials not counted.
constexpr double kSoftmaxFlopAPrompt = 301000;

MultiTaskTd training_of(NetworkShape shape) {
    MultiTaskTdOptions options;
    options.sequential = shape.stored > 1;
    MultiTaskTd training = train_network(shape, options, 0);
    for (int i = 0; i < 4; ++i) training.train_one_mrp();
    return training;
}

// The whole training step against the naive kernel alone, in turns.
void Networks_FastAgainstNaive(benchmark::State& state, const NetworkShape& shape) {
    MultiTaskTd training = training_of(shape);
    const auto naive = bench::make_naive_training(shape);
    Stream stream(1, Purpose::testing);
    std::vector<float> phi(4 * 96), reward(96), weights(shape.num_weights());
    for (auto* values : {&phi, &reward, &weights})
        for (float& x : *values) x = static_cast<float>(stream.uniform(-0.3, 0.3));
    std::vector<double> speedup, seconds;
    double peak = 0;
    for (auto _ : state) {
        const double fast = thread_seconds(repeated(6, [&] { training.train_one_mrp(); })) / (6 * kPrompts);
        const auto naively =
            repeated(4, [&] { benchmark::DoNotOptimize(naive->minibatch(phi.data(), reward.data(), weights.data())); });
        const double slow = thread_seconds(naively) / (4 * 64);
        peak = std::max(peak, bench::measure_peak_flops(3));
        speedup.push_back(slow / fast);
        seconds.push_back(fast * kPrompts * 4000);
    }
    state.counters["times_as_fast"] = median(speedup);
    state.counters["seconds_for_4000_MRPs"] = median(seconds);
    if (shape.activation == Activation::softmax)
        state.counters["share_of_peak_percent"] = 100 * kSoftmaxFlopAPrompt * kPrompts * 4000 / median(seconds) / peak;
}
BENCHMARK_CAPTURE(Networks_FastAgainstNaive, linear, NetworkShape{})->Iterations(40);
BENCHMARK_CAPTURE(Networks_FastAgainstNaive, sequential, NetworkShape{.stored = 3})->Iterations(40);
BENCHMARK_CAPTURE(Networks_FastAgainstNaive, softmax, NetworkShape{.activation = Activation::softmax})->Iterations(40);
BENCHMARK_CAPTURE(Networks_FastAgainstNaive, softmax_columns, NetworkShape{.activation = Activation::softmax_columns})
    ->Iterations(20);
BENCHMARK_CAPTURE(Networks_FastAgainstNaive, relu, NetworkShape{.activation = Activation::relu})->Iterations(20);
BENCHMARK_CAPTURE(Networks_FastAgainstNaive, elu, NetworkShape{.activation = Activation::elu})->Iterations(20);
BENCHMARK_CAPTURE(Networks_FastAgainstNaive, tanh, NetworkShape{.activation = Activation::tanh})->Iterations(20);
BENCHMARK_CAPTURE(Networks_FastAgainstNaive, rnn, NetworkShape{.model = Model::rnn})->Iterations(20);

// One seed's training, by width.
void Networks_Rnn(benchmark::State& state) {
    MultiTaskTd training = training_of({.model = Model::rnn, .width = static_cast<int>(state.range(0))});
    std::vector<double> seconds;
    for (auto _ : state) seconds.push_back(thread_seconds([&] { training.train_one_mrp(); }) * 4000);
    state.counters["seconds_for_4000_MRPs"] = median(seconds);
}
BENCHMARK(Networks_Rnn)->Arg(4)->Arg(16)->Iterations(40)->Unit(benchmark::kMillisecond);

}  // namespace
