// Two pictures of a 110 x 110 matrix, without the rasterising: what ImGui and the widget do for a frame.
#include <benchmark/benchmark.h>

#include "app/gui/widgets/heatmap.h"
#include "core/lab/snapshot.h"
#include "tests/app/gui/null_gui.h"

namespace {

using namespace emergence;

constexpr int kSide = 110;

Snapshot eight_seeds() {
    Snapshot snapshot;
    snapshot.seeds.resize(8);
    NamedMatrix matrix;
    matrix.name = "Q0";
    matrix.row_blocks = matrix.column_blocks = {{"phi", 54}, {"gamma phi'", 55}, {"R", 1}};
    for (int seed = 0; seed < 8; ++seed) {
        Table table(kSide, kSide);
        for (size_t i = 0; i < table.values.size(); ++i)
            table.values[i] = static_cast<double>((i * 7919 + static_cast<size_t>(seed)) % 2001) / 1000.0 - 1.0;
        matrix.seeds.push_back(table);
    }
    matrix.target = Table(kSide, kSide);
    snapshot.matrices.push_back(matrix);
    return snapshot;
}

struct PairOfPictures {
    PairOfPictures() { rebuild(); }

    void rebuild() {
        learned = heatmap_of(snapshot, snapshot.matrices[0], {});
        theory = heatmap_of(snapshot, snapshot.matrices[0], {.mode = MatrixView::Mode::theory});
        learned_state.invalidate();
    }
    void frame() {
        gui.frame_in_window([this] {
            HeatmapContext context;
            context.zoom = &zoom;
            draw_heatmap(gui.ui(), learned, learned_state, {760, 700}, context);
            draw_heatmap(gui.ui(), theory, theory_state, {760, 700}, context);
        });
    }

    testing::NullGui gui;
    Snapshot snapshot = eight_seeds();
    HeatmapSpec learned, theory;
    HeatmapState learned_state, theory_state;
    MatrixZoom zoom;
};

void Heatmap_FrameOfPair(benchmark::State& state) {
    PairOfPictures pictures;
    for (auto _ : state) pictures.frame();
}
BENCHMARK(Heatmap_FrameOfPair)->Unit(benchmark::kMillisecond);

void Heatmap_FrameOfPairWithNumbers(benchmark::State& state) {
    PairOfPictures pictures;
    pictures.zoom.zoom(12.0, 0.5, 0.5, 12.0);
    for (auto _ : state) pictures.frame();
}
BENCHMARK(Heatmap_FrameOfPairWithNumbers)->Unit(benchmark::kMillisecond);

// Mean over eight seeds, scaling, colours, upload.
void Heatmap_NewSnapshotAndFrame(benchmark::State& state) {
    PairOfPictures pictures;
    for (auto _ : state) {
        pictures.rebuild();
        pictures.frame();
    }
}
BENCHMARK(Heatmap_NewSnapshotAndFrame)->Unit(benchmark::kMillisecond);

}  // namespace
