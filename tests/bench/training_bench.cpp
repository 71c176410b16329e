// Training: the fast path against the naive one and against the core's peak, threads, context lengths.
#include <benchmark/benchmark.h>

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

using bench::median, bench::repeated, bench::seconds_of;

// The time of `work` over that of `base`, in turns, as a counter.
template <class Base, class Work>
void compare_times(benchmark::State& state, const char* counter, const Base& base, const Work& work) {
    std::vector<double> ratio;
    for (auto _ : state) {
        const double first = seconds_of(base);
        ratio.push_back(seconds_of(work) / first);
    }
    state.counters[counter] = median(ratio);
}

auto forty_mrps(MultiTaskTd& training) {
    return repeated(40, [&training] { training.train_one_mrp(); });
}

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
        const double fast = seconds_of(forty_mrps(training)) / (40 * kPrompts);
        const auto naively = repeated(
            10, [&] { benchmark::DoNotOptimize(naive->minibatch(phi.data(), reward.data(), weights.data())); });
        const double slow = seconds_of(naively) / (10 * 64);
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
    compare_times(state, "time_ratio_n480_to_n30", forty_mrps(short_context), forty_mrps(long_context));
}
BENCHMARK(Training_LongContexts)->Unit(benchmark::kMillisecond)->MinTime(2);

// The same training through the general path, which serves every loss and network: what the one-pass TD
// kernel saves.
void Training_GeneralPath(benchmark::State& state) {
    const MultiTaskTdOptions options;
    MultiTaskTd one_pass(options, 0), general(options, 0, attention_network(options.shape(), options, 0));
    compare_times(state, "time_ratio_general_to_one_pass", forty_mrps(one_pass), forty_mrps(general));
}
BENCHMARK(Training_GeneralPath)->Unit(benchmark::kMillisecond)->MinTime(2);

// Appendix F's size: physics, tile coding and training.
void Training_CartPole(benchmark::State& state) {
    MultiTaskTdOptions options;
    options.context_length = 250;
    MultiTaskTd boyan(options, 0);
    options.tasks.kind = TaskKind::cart_pole;
    MultiTaskTd cart_pole(options, 0);
    compare_times(state, "time_ratio_to_boyan", forty_mrps(boyan), forty_mrps(cart_pole));
}
BENCHMARK(Training_CartPole)->Unit(benchmark::kMillisecond)->MinTime(2);

// Thirty seeds with their measurements, as a figure runs them.
void Training_TwoThreads(benchmark::State& state) {
    const ExperimentInfo& info = find_experiment("td");
    Settings settings(info.fields);
    settings.set("seeds", int64_t{30});
    ThreadPool one(1), two(2);
    Run run_one(info.make(settings), one), run_two(info.make(settings), two);
    int64_t step = 0;
    compare_times(
        state, "times_as_fast", [&] { run_two.advance_to(step += 50); }, [&] { run_one.advance_to(step); });
}
BENCHMARK(Training_TwoThreads)->Unit(benchmark::kMillisecond)->Iterations(12)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
