// Policy improvement: an update of the effective blocks, with all that comes before it, against the whole
// layer's update alone; and the closed loop.
#include <benchmark/benchmark.h>

#include <vector>

#include "core/measures/improvement_measures.h"
#include "core/training/teacher_mimicking.h"
#include "tests/bench/naive_training.h"
#include "tests/bench/timing.h"

namespace {

using namespace emergence;

TeacherMimickingOptions paper_options(int64_t which) {
    TeacherMimickingOptions options;
    options.shape.sizes = which == 0 ? ImprovementSizes{Improvement::sarsa, 9, 4, 36, 0}
                                     : ImprovementSizes{Improvement::actor_critic, 9, 4, 9, 36};
    return options;
}

// Of one update, a fused multiply-add counted as two: the block forward and back, then Adam, whose division and root
// are counted as one each though they take longer.
double flop_an_update(const ImprovementShape& shape) {
    constexpr double kAdamFlop = 13;
    const double context = shape.context(), weights = context * (shape.query() + shape.outputs());
    const double passes = 2 * weights + 8 * context * shape.n + 2 * context * shape.outputs();
    return passes + kAdamFlop * weights;
}

// Argument 0: SARSA, 1: actor-critic.
void Improvement_BlocksAgainstWholeLayer(benchmark::State& state) {
    const TeacherMimickingOptions options = paper_options(state.range(0));
    const ImprovementShape& shape = options.shape;
    TeacherMimicking training(options, 0);
    const auto naive = bench::make_naive_improvement(shape.rows(), shape.n + 1, shape.outputs());
    Stream stream(1, Purpose::testing);
    std::vector<float> H(static_cast<size_t>(shape.rows() * (shape.n + 1)));
    std::vector<float> target(static_cast<size_t>(shape.outputs()));
    for (auto* values : {&H, &target})
        for (float& x : *values) x = static_cast<float>(stream.uniform(-1.0, 1.0));
    std::vector<double> ratios, microseconds, share;
    for (auto _ : state) {
        const double fast = bench::thread_seconds(bench::repeated(2000, [&] { training.update(); })) / 2000;
        const auto naively =
            bench::repeated(200, [&] { benchmark::DoNotOptimize(naive->train(H.data(), target.data())); });
        const double slow = bench::thread_seconds(naively) / 200;
        ratios.push_back(slow / fast);
        microseconds.push_back(1e6 * fast);
        share.push_back(flop_an_update(shape) / fast / bench::measure_peak_flops(3));
    }
    constexpr double kUpdatesAnMdp = 1000;
    state.counters["MDPs_a_second"] = 1e6 / (kUpdatesAnMdp * bench::median(microseconds));
    state.counters["share_of_peak_percent"] = 100 * bench::median(share);
    state.counters["times_as_fast"] = bench::median(ratios);
    state.counters["microseconds_an_update"] = bench::median(microseconds);
    state.counters["seconds_the_papers_run"] = 10.0 * bench::median(microseconds);
}
BENCHMARK(Improvement_BlocksAgainstWholeLayer)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond)->MinTime(4);

// 100 MDPs, 500 updates, every tenth policy played 32 times for 50 steps.
void Improvement_ClosedLoop(benchmark::State& state) {
    const TeacherMimickingOptions options = paper_options(state.range(0));
    const ClosedLoop loop({.shape = options.shape, .agent = options.agent});
    const auto weights = initial_improvement_weights(options.shape, 0.1, 0);
    for (auto _ : state) benchmark::DoNotOptimize(loop.transformer(weights.data()));
}
BENCHMARK(Improvement_ClosedLoop)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
