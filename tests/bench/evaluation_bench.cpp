// Measuring a network on held-out tasks.
#include <benchmark/benchmark.h>

#include <numeric>

#include "core/measures/held_out_bank.h"
#include "core/training/multi_task_td.h"

namespace {

using namespace emergence;

LinearAttentionView view_of(const MultiTaskTd& training) {
    return {3, 1, training.weights().data(), training.weights().data() + training.weights().size() / 2};
}

// 300 tasks, n = 1 .. 40, L = 3: has to follow a slider at 30 frames a second.
void Evaluation_MsveByContextLength(benchmark::State& state) {
    std::vector<int> lengths(40);
    std::iota(lengths.begin(), lengths.end(), 1);
    const HeldOutBank bank({.size = 300, .context_lengths = lengths});
    const MultiTaskTd training({}, 0);
    for (auto _ : state) benchmark::DoNotOptimize(bank.msve_by_length(view_of(training)));
}
BENCHMARK(Evaluation_MsveByContextLength)->Unit(benchmark::kMillisecond);

// One logged point: VD, IWS, SS and MSVE on 2,000 tasks.
void Evaluation_LoggedPoint(benchmark::State& state) {
    const HeldOutBank bank({.size = 2000, .context_lengths = {30}});
    const MultiTaskTd training({}, 0);
    for (auto _ : state) benchmark::DoNotOptimize(bank.compare(0, view_of(training), 1.5F));
}
BENCHMARK(Evaluation_LoggedPoint)->Unit(benchmark::kMillisecond);

}  // namespace
