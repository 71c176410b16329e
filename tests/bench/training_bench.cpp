// Training: the fast path against the naive one and against the core's peak, threads, context lengths.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "core/base/rng.h"
#include "core/experiments/registry.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "core/training/multi_task_td.h"
#include "tests/bench/naive_training.h"
#include "tests/bench/timing.h"

namespace {

using namespace emergence;

template <class Work>
double seconds_of(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

using bench::median;

// Nominal flop of a prompt, forward and backward, in the Gram form at L = 3, d = 4, whatever a cleverer form
// saves.
constexpr double kFlopAPrompt = 32400;
constexpr int kPrompts = 5 * 64;  // an MRP

// The whole training step (tasks, trajectories, kernel, Adam) against the naive kernel alone, in turns.
void Training_FastAgainstNaive(benchmark::State& state) {
    MultiTaskTd training({}, 0);
    const auto naive = bench::make_naive_training();
    Stream stream(1, Purpose::testing);
    std::vector<float> phi(4 * 96), reward(96), weights(162);
    for (auto* values : {&phi, &reward, &weights})
        for (float& x : *values) x = static_cast<float>(stream.uniform(-0.3, 0.3));
    for (int i = 0; i < 50; ++i) training.train_one_mrp();
    std::vector<double> speedup, share, fast_rate;
    for (auto _ : state) {
        const double fast = seconds_of([&] {
                                for (int i = 0; i < 40; ++i) training.train_one_mrp();
                            }) /
                            (40 * kPrompts);
        const double slow =
            seconds_of([&] {
                for (int i = 0; i < 10; ++i)
                    benchmark::DoNotOptimize(naive->minibatch(phi.data(), reward.data(), weights.data()));
            }) /
            (10 * 64);
        const double peak = bench::measure_peak_flops(3);
        speedup.push_back(slow / fast);
        share.push_back(kFlopAPrompt / fast / peak);
        fast_rate.push_back(1 / fast / kPrompts);
    }
    state.counters["times_as_fast"] = median(speedup);
    state.counters["share_of_peak_percent"] = 100 * median(share);
    state.counters["MRPs_per_second"] = median(fast_rate);
}
BENCHMARK(Training_FastAgainstNaive)->Unit(benchmark::kMillisecond)->MinTime(4);

void Training_LongContexts(benchmark::State& state) {
    MultiTaskTdOptions options;
    MultiTaskTd short_context(options, 0);
    options.context_length = 480;
    MultiTaskTd long_context(options, 0);
    std::vector<double> ratio;
    for (auto _ : state) {
        const double a = seconds_of([&] {
            for (int i = 0; i < 40; ++i) short_context.train_one_mrp();
        });
        const double b = seconds_of([&] {
            for (int i = 0; i < 40; ++i) long_context.train_one_mrp();
        });
        ratio.push_back(b / a);
    }
    state.counters["time_ratio_n480_to_n30"] = median(ratio);
}
BENCHMARK(Training_LongContexts)->Unit(benchmark::kMillisecond)->MinTime(2);

// The same training through the general path, which serves every loss and network: what the one-pass TD
// kernel saves.
void Training_GeneralPath(benchmark::State& state) {
    const MultiTaskTdOptions options;
    MultiTaskTd one_pass(options, 0), general(options, 0, attention_network(options.shape(), options, 0));
    std::vector<double> ratio;
    for (auto _ : state) {
        const double a = seconds_of([&] {
            for (int i = 0; i < 40; ++i) one_pass.train_one_mrp();
        });
        const double b = seconds_of([&] {
            for (int i = 0; i < 40; ++i) general.train_one_mrp();
        });
        ratio.push_back(b / a);
    }
    state.counters["time_ratio_general_to_one_pass"] = median(ratio);
}
BENCHMARK(Training_GeneralPath)->Unit(benchmark::kMillisecond)->MinTime(2);

// Appendix F's size: physics, tile coding and training.
void Training_CartPole(benchmark::State& state) {
    MultiTaskTdOptions options;
    options.context_length = 250;
    MultiTaskTd boyan(options, 0);
    options.tasks.kind = TaskKind::cart_pole;
    MultiTaskTd cart_pole(options, 0);
    std::vector<double> ratio;
    for (auto _ : state) {
        const double a = seconds_of([&] {
            for (int i = 0; i < 40; ++i) boyan.train_one_mrp();
        });
        const double b = seconds_of([&] {
            for (int i = 0; i < 40; ++i) cart_pole.train_one_mrp();
        });
        ratio.push_back(b / a);
    }
    state.counters["time_ratio_to_boyan"] = median(ratio);
}
BENCHMARK(Training_CartPole)->Unit(benchmark::kMillisecond)->MinTime(2);

// Thirty seeds with their measurements, as a figure runs them.
void Training_TwoThreads(benchmark::State& state) {
    const ExperimentInfo& info = find_experiment("td");
    Settings settings(info.fields);
    settings.set("seeds", int64_t{30});
    ThreadPool one(1), two(2);
    Run run_one(info.make(settings), one), run_two(info.make(settings), two);
    std::vector<double> ratio;
    int64_t step = 0;
    for (auto _ : state) {
        step += 50;
        const double a = seconds_of([&] { run_one.advance_to(step); });
        const double b = seconds_of([&] { run_two.advance_to(step); });
        ratio.push_back(a / b);
    }
    state.counters["times_as_fast"] = median(ratio);
}
BENCHMARK(Training_TwoThreads)->Unit(benchmark::kMillisecond)->Iterations(12)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
