// Whether a training step costs late what it costs early, without measurements: weights and moments that decay must not
// become denormal numbers, which some processors are slow with.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "core/experiments/registry.h"
#include "core/lab/study.h"
#include "tests/bench/timing.h"

namespace {

using namespace emergence;

constexpr int64_t kEarly = 1000, kLate = 20000, kSteps = 100;
constexpr int kTimes = 5;

// Sizes are small where 20,000 steps of the default ones take minutes: what decays does so by steps.
struct Training {
    const char* name;
    const char* experiment;
    std::vector<std::pair<const char*, const char*>> changes;
};
const Training kTrainings[] = {
    {"td, one layer", "td", {{"num_layers", "1"}}},
    {"td", "td", {}},
    {"td, sequential layers", "td", {{"sequential", "true"}}},
    {"td, mask with a weight", "td", {{"mask", "td_lambda"}, {"learn_mask_lambda", "true"}}},
    {"td, softmax attention",
     "td",
     {{"activation", "softmax"}, {"num_layers", "2"}, {"n", "6"}, {"minibatches_per_mrp", "1"}}},
    {"softmax-td", "softmax-td", {{"num_layers", "2"}, {"n", "6"}, {"minibatches_per_mrp", "1"}}},
    {"regression", "regression", {{"optimizer", "adam"}, {"num_prompts", "500"}, {"minibatch_size", "16"}}},
    {"sarsa", "sarsa", {{"frames", "20"}}},
    {"actor-critic", "actor-critic", {{"frames", "20"}}},
    {"bandit-train",
     "bandit-train",
     {{"layers", "1"}, {"heads", "1"}, {"width", "8"}, {"hidden", "16"}, {"rounds", "10"}, {"batch", "2"}}},
};

void Training_LateAgainstEarly(benchmark::State& state) {
    const Training& training = kTrainings[state.range(0)];
    state.SetLabel(training.name);
    const ExperimentInfo& info = find_experiment(training.experiment);
    Settings settings(info.fields);
    for (const auto& [field, value] : training.changes) settings.set_from_text(field, value);
    for (const auto& [field, value] : {std::pair{"log_interval", "1000"}, {"seeds", "1"}})
        settings.set_from_text(field, value);
    for (auto _ : state) {
        const auto study = info.make(settings);
        const auto seed = study->make_seed(0);
        std::vector<MetricRow> rows;
        const auto microseconds_after = [&](int64_t step) {
            seed->advance(step, rows);
            std::vector<double> seconds;
            for (int i = 1; i <= kTimes; ++i)
                seconds.push_back(bench::thread_seconds([&] { seed->advance(step + i * kSteps, rows); }));
            return 1e6 * bench::median(seconds) / kSteps;
        };
        const double early = microseconds_after(kEarly), late = microseconds_after(kLate);
        state.counters["microseconds_after_1000"] = early;
        state.counters["microseconds_after_20000"] = late;
        state.counters["late_over_early"] = late / early;
    }
}
BENCHMARK(Training_LateAgainstEarly)
    ->DenseRange(0, std::size(kTrainings) - 1)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
