// Playing bandits: what a slider has to keep up with.
#include <benchmark/benchmark.h>

#include "core/algorithms/bandit_policy.h"
#include "core/experiments/registry.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"

namespace {

using namespace emergence;

// 200 environments, T = 200, all eleven classical algorithms, on as many threads as the argument says.
void BanditPlay_TwoHundredEnvironments(benchmark::State& state) {
    const ExperimentInfo& info = find_experiment("bandit-eval");
    Settings settings(info.fields);
    settings.set_from_text("master_constants", "both");
    ThreadPool pool(static_cast<int>(state.range(0)));
    for (auto _ : state) {
        Run run(info.make(settings), pool);
        run.advance_to(50);
        benchmark::DoNotOptimize(run.snapshot());
    }
}
BENCHMARK(BanditPlay_TwoHundredEnvironments)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

// A round of one algorithm, by its place in bandit_algorithms().
void BanditPlay_Round(benchmark::State& state) {
    const BanditAlgorithmInfo& info = bandit_algorithms().at(static_cast<size_t>(state.range(0)));
    state.SetLabel(info.label);
    const auto policy = make_policy(info.algorithm, {});
    BanditTrajectory world;
    draw_bandit({}, 1, 0, world);
    BanditPlay play;
    for (auto _ : state) {
        Stream random = policy_stream(1, 0, info.stream);
        play_bandit(world, *policy, random, play);
    }
    state.SetItemsProcessed(state.iterations() * world.rounds());
}
BENCHMARK(BanditPlay_Round)->DenseRange(0, 10);

}  // namespace
