// A plot's share of a frame, without rasterising: eight series of 5,000 points over eight seeds, in the null
// backend.
#include <benchmark/benchmark.h>

#include <cmath>

#include "app/gui/widgets/plot.h"
#include "tests/app/gui/null_gui.h"

namespace emergence {
namespace {

constexpr int kNumSeries = 8, kNumPoints = 5000, kNumSeeds = 8;

PlotSpec eight_series(Spread spread) {
    PlotSpec spec;
    spec.id = spec.title = "eight series";
    spec.spread = spread;
    for (int k = 0; k < kNumSeries; ++k) {
        Series series;
        series.name = "series " + std::to_string(k);
        series.color = k;
        series.rows.resize(kNumSeeds);
        for (int i = 0; i < kNumPoints; ++i) {
            series.x.push_back(i);
            for (int seed = 0; seed < kNumSeeds; ++seed)
                series.rows[static_cast<size_t>(seed)].push_back(k + std::exp(-i / 800.0) +
                                                                 0.3 * std::sin(0.7 * i * (seed + 1)));
        }
        spec.series.push_back(std::move(series));
    }
    return spec;
}

// `fresh`: the data is new in every frame, as when a run publishes; otherwise as while the pointer moves.
void draw_frames(benchmark::State& benchmark, Spread spread, bool fresh) {
    testing::NullGui gui({800, 600});
    const PlotSpec spec = eight_series(spread);
    PlotState state;
    int vertices = 0;
    for (auto _ : benchmark) {
        if (fresh) state.invalidate();
        vertices = gui.frame_in_window([&] { draw_plot(gui.ui(), spec, state, {700, 500}); });
    }
    benchmark.counters["vertices"] = vertices;
}

BENCHMARK_CAPTURE(draw_frames, band_same_data, Spread::standard_error, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_frames, band_new_data, Spread::standard_error, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_frames, quartiles_new_data, Spread::median, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_frames, seeds_same_data, Spread::every_seed, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_frames, seeds_new_data, Spread::every_seed, true)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace emergence

BENCHMARK_MAIN();
