// Softmax in-context TD: the fast path against the naive one, and ten seeds' rate with their measurements.
#include <benchmark/benchmark.h>

#include <vector>

#include "core/base/rng.h"
#include "core/experiments/registry.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "core/training/softmax_td_training.h"
#include "tests/bench/naive_training.h"
#include "tests/bench/timing.h"

namespace {

using namespace emergence;

using bench::median, bench::repeated, bench::seconds_of;

// The whole update (tasks, trajectories, tables, kernel, Adam, scores) against the naive passes alone, in
// turns.
void SoftmaxTd_FastAgainstNaive(benchmark::State& state) {
    SoftmaxTdTraining training({}, 0);
    const auto naive = bench::make_naive_softmax_td();
    Stream stream(1, Purpose::testing);
    std::vector<float> phi(4 * 95), reward(95), weights(2 * 49);
    for (auto* values : {&phi, &reward, &weights})
        for (float& x : *values) x = static_cast<float>(stream.uniform(-0.3, 0.3));
    for (int i = 0; i < 100; ++i) training.update();
    std::vector<double> speedup, microseconds;
    for (auto _ : state) {
        const double fast = seconds_of(repeated(50, [&] { training.update(); })) / 50;
        const auto naively =
            repeated(5, [&] { benchmark::DoNotOptimize(naive->minibatch(phi.data(), reward.data(), weights.data())); });
        const double slow = seconds_of(naively) / 5;
        speedup.push_back(slow / fast);
        microseconds.push_back(1e6 * fast / 64);
    }
    state.counters["times_as_fast"] = median(speedup);
    state.counters["microseconds_a_window"] = median(microseconds);
}
BENCHMARK(SoftmaxTd_FastAgainstNaive)->Unit(benchmark::kMillisecond)->MinTime(4);

// Ten seeds on two threads, measured as the window runs them.
void SoftmaxTd_TenSeeds(benchmark::State& state) {
    const ExperimentInfo& info = find_experiment("softmax-td");
    ThreadPool two(2);
    Run run(info.make(Settings(info.fields)), two);
    std::vector<double> seconds;
    int64_t step = 0;
    for (auto _ : state) {
        step += 200;
        seconds.push_back(seconds_of([&] { run.advance_to(step); }) / 200);
    }
    state.counters["seconds_for_20000_updates"] = 20000 * median(seconds);
}
BENCHMARK(SoftmaxTd_TenSeeds)->Unit(benchmark::kMillisecond)->Iterations(10)->UseRealTime();

}  // namespace
